import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { FileId } from '../inbound-queries.ts';

/** Those of these files that a row speaks of. */
export async function findKnownAnyAccount(db: Db, files: FileId[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from media where path is not null and (account_id, uuid) in (
      select * from unnest(${files.map((file) => file.accountId)}::uuid[], ${files.map((file) => file.uuid)}::uuid[]))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.uuid));
}

export async function forgetExpiredUploadsAnyAccount(db: Db): Promise<void> {
  await db.deleteFrom('media_uploads').where('expires', '<', sql<string>`now()`).execute();
}

/** Gives up on files that were not fetched while their ids lived: the platform keeps them for seven days. */
export async function giveUpAnyAccount(db: Db): Promise<void> {
  await sql`
    update media set problem = 'It could not be fetched in time.'
    where path is null and problem is null and created < now() - interval '7 days'`.execute(db);
}

/** Files that should have been fetched long ago. */
export async function listLateAnyAccount(db: Db): Promise<FileId[]> {
  const { rows } = await sql<FileId>`
    select account_id as "accountId", uuid from media
    where path is null and problem is null and created < now() - interval '1 hour'
    order by created limit 10000`.execute(db);
  return rows;
}
