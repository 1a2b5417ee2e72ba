import { sql } from 'kysely';
import type { Deps, Task } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { findWithOldAnyAccount, type RetentionRule } from '../../platform/db/retention.ts';
import type { FileName } from '../../platform/files/files.ts';
import { removeOrphans } from '../../platform/files/files.ts';
import { findRetentionsAnyAccount, oldBefore } from '../accounts/index.ts';
import { deleteEventsOf } from '../timeline/index.ts';
import { deleteDeliveriesOf } from '../webhooks/index.ts';
import { recordingFile } from './records/recording.ts';

/** Their recordings go at the same age, by themselves (`voice.sweep`), and a file that no call speaks of goes in any case. */
export const callRetention: RetentionRule = {
  kind: 'calls',
  tables: [{ name: 'calls', key: 'uuid' }],
  waiting: { listed: { name: 'calls_under_way', key: 'uuid' } },
};

/** Removes calls with a person that are over, at most so many; answers the recordings that are to go when that is committed. */
export async function eraseCalls(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  digits: string,
  most: number,
): Promise<{ erased: number; files: FileName[] }> {
  const { rows } = await sql<{ uuid: string; is_recorded: boolean }>`
    select uuid, recording_seconds is not null as is_recorded from calls
    where account_id = ${accountId} and ${isParty(digits)} and status = 'ENDED' limit ${most}`.execute(db);
  if (rows.length === 0) return { erased: 0, files: [] };
  const uuids = rows.map(({ uuid }) => uuid);
  await sql`delete from calls where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
  await deleteDeliveriesOf(db, accountId, uuids);
  await deleteEventsOf(db, accountId, uuids);
  const recorded = rows.filter(({ is_recorded }) => is_recorded);
  return { erased: uuids.length, files: recorded.map(({ uuid }) => recordingFile(accountId, uuid)) };
}

/** Whether some are left, because they are under way. */
export async function hasCallsWith(db: Db, accountId: string, digits: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from calls where account_id = ${accountId} and ${isParty(digits)} limit 1`.execute(db);
  return rows.length > 0;
}

const isParty = (digits: string) => sql`
  (direction = 'OUTBOUND' and to_digits = ${digits} or direction = 'INBOUND' and from_digits = ${digits})`;

const mostAtOnce = 500;
const dayMs = 86_400_000;

/** Removes the recordings and voicemails that are older than their accounts keep them, and files that no call speaks of. */
export async function purgeRecordingsAnyAccount(deps: Pick<Deps, 'db' | 'files' | 'clock'>): Promise<number> {
  const { db, files, clock } = deps;
  const { youngest } = (await findRetentionsAnyAccount(db)).get('recordings')!;
  const rows = { name: 'calls', key: 'uuid', condition: sql`recording_seconds is not null` };
  const old = { before: oldBefore('recordings'), youngest: sql`${youngest}::uuid` };
  let removed = 0;
  for (const { uuid: accountId, before } of await findWithOldAnyAccount(db, rows, old)) {
    let expired: string[];
    do {
      expired = await forgetExpired(db, accountId, before);
      for (const uuid of expired) await files.delete(recordingFile(accountId, uuid));
      removed += expired.length;
    } while (expired.length === mostAtOnce);
  }
  // A process that died while it recorded, or between the row and the file.
  const yesterday = new Date(clock.now().getTime() - dayMs);
  await removeOrphans(files, {
    folder: 'recordings',
    before: yesterday,
    findKnown: (some) => findRecordedAnyAccount(db, some),
  });
  return removed;
}

async function forgetExpired(db: Db, accountId: string, before: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    update calls set recording_seconds = null, modified = now()
    where account_id = ${accountId} and uuid = any (array(
      select uuid from calls
      where account_id = ${accountId} and recording_seconds is not null and uuid < ${before} order by uuid limit ${mostAtOnce}))
    returning uuid`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/** Which of these files are recordings of calls. */
async function findRecordedAnyAccount(db: Db, files: { accountId: string; uuid: string }[]): Promise<Set<string>> {
  const accounts = files.map(({ accountId }) => accountId);
  const { rows } = await sql<{ uuid: string }>`
    select calls.uuid
    from unnest(${accounts}::uuid[], ${files.map(({ uuid }) => uuid)}::uuid[]) as file (account_id, uuid)
    join calls on calls.account_id = file.account_id and calls.uuid = file.uuid
    where recording_seconds is not null`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

export const tasks: Task[] = [
  {
    name: 'voice.sweep',
    batchSize: 1,
    cron: '23 3 * * *',
    handler: async (deps) => void (await purgeRecordingsAnyAccount(deps)),
  },
];
