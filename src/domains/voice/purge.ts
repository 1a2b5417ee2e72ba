import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/pool.ts';
import { type FileName, makeFiles } from '../../platform/files.ts';
import { recordingFile } from './recording.ts';

const mostAtOnce = 500;
const dayMs = 86_400_000;

/** Removes the recordings and voicemails that are older than their accounts keep them, and files that no call speaks of. */
export async function purgeRecordingsAnyAccount(deps: Pick<Deps, 'db' | 'config' | 'clock'>): Promise<number> {
  const files = makeFiles(deps.config.dataDir);
  let removed = 0;
  for (;;) {
    const expired = await forgetExpiredAnyAccount(deps.db);
    for (const { account_id, uuid } of expired) await files.delete(recordingFile(account_id, uuid));
    removed += expired.length;
    if (expired.length < mostAtOnce) break;
  }
  // A process that died while it recorded, or between the row and the file.
  const yesterday = new Date(deps.clock.now().getTime() - dayMs);
  let batch: FileName[] = [];
  const removeUnknown = async (): Promise<void> => {
    const known = await findRecordedAnyAccount(deps.db, batch);
    for (const name of batch) if (!known.has(name)) await files.delete(name);
    batch = [];
  };
  for await (const name of files.olderThan('recordings', yesterday)) {
    if (batch.push(name) === mostAtOnce) await removeUnknown();
  }
  if (batch.length > 0) await removeUnknown();
  return removed;
}

async function forgetExpiredAnyAccount(db: Db): Promise<{ account_id: string; uuid: string }[]> {
  const { rows } = await sql<{ account_id: string; uuid: string }>`
    update calls set recording_seconds = null, modified = now()
    where (account_id, uuid) in (
      select expired.account_id, expired.uuid from accounts
      cross join lateral (
        select account_id, uuid from calls
        where calls.account_id = accounts.uuid and recording_seconds is not null
          and calls.uuid < uuid_floor(now() - make_interval(days => accounts.retention_days))
        order by calls.uuid limit ${mostAtOnce}) as expired
      limit ${mostAtOnce})
    returning account_id, uuid`.execute(db);
  return rows;
}

/** Which of these files are recordings of calls. */
async function findRecordedAnyAccount(db: Db, names: FileName[]): Promise<Set<string>> {
  const parts = names.map((name) => name.split('/') as [string, string, string]);
  const { rows } = await sql<{ account_id: string; uuid: string }>`
    select calls.account_id, calls.uuid
    from unnest(${parts.map(([, account]) => account)}::uuid[], ${parts.map(([, , uuid]) => uuid)}::uuid[]) as file (account_id, uuid)
    join calls on calls.account_id = file.account_id and calls.uuid = file.uuid
    where recording_seconds is not null`.execute(db);
  return new Set(rows.map(({ account_id, uuid }) => recordingFile(account_id, uuid)));
}
