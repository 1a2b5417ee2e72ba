import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { FileName } from '../../platform/files/files.ts';
import { deleteEventsOf } from '../timeline/index.ts';
import { deleteDeliveriesOf } from '../webhooks/index.ts';
import { recordingFile } from './records/recording.ts';

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
  const { rows } = await sql`select from calls where account_id = ${accountId} and ${isParty(digits)} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

const isParty = (digits: string) => sql`
  (direction = 'OUTBOUND' and to_digits = ${digits} or direction = 'INBOUND' and from_digits = ${digits})`;
