import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import { type FileName, removeOrphans } from '../../platform/files/files.ts';
import { countStored } from '../accounts/index.ts';
import type { FileId } from './inbound.ts';

/** Forgets the files of messages that are gone; answers those whose bytes are to go when that is committed. */
export async function forgetFilesOf(db: Db, accountId: string, messages: string[]): Promise<FileName[]> {
  const { rows } = await sql<{ path: FileName | null; size: number | null }>`
    delete from media where account_id = ${accountId} and message = any (${messages}::uuid[]) returning path, size`.execute(
    db,
  );
  const stored = rows.flatMap(({ path, size }) => (path === null ? [] : [{ path, size: size ?? 0 }]));
  const bytes = stored.reduce((sum, { size }) => sum + size, 0);
  if (bytes > 0) await countStored(db, accountId, -bytes);
  return stored.map(({ path }) => path);
}

/** Files that people sent go with their messages; the bytes follow with the next sweep. What an account uploaded stays. */
export const inboundMediaRetention: RetentionRule = {
  kind: 'media',
  tables: [{ name: 'media', key: 'message' }],
  isWhole: true,
};

const dayMs = 86_400_000;

/** Removes files that no row speaks of, forgets what carriers have forgotten, and asks again for what is still not here. */
export async function sweep(deps: Deps): Promise<void> {
  const yesterday = new Date(deps.clock.now().getTime() - dayMs);
  await deps.files.discardTemporary(yesterday);
  await removeOrphans(deps.files, {
    folder: 'media',
    before: yesterday,
    findKnown: (files) => findKnownAnyAccount(deps.db, files),
  });
  await forgetExpiredUploadsAnyAccount(deps.db);
  await giveUpAnyAccount(deps.db);
  const late = await listLateAnyAccount(deps.db);
  if (late.length > 0) await deps.queue.enqueue(deps.db, 'media.fetch', late);
}

/** Those of these files that a row speaks of. */
async function findKnownAnyAccount(db: Db, files: FileId[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from media where path is not null and (account_id, uuid) in (
      select * from unnest(${files.map((file) => file.accountId)}::uuid[], ${files.map((file) => file.uuid)}::uuid[]))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.uuid));
}

async function forgetExpiredUploadsAnyAccount(db: Db): Promise<void> {
  await db.deleteFrom('media_uploads').where('expires', '<', sql<string>`now()`).execute();
}

/** Gives up on files that were not fetched while their ids lived: the platform keeps them for seven days. */
async function giveUpAnyAccount(db: Db): Promise<void> {
  await sql`
    update media set problem = 'It could not be fetched in time.'
    where path is null and problem is null and created < now() - interval '7 days'`.execute(db);
}

/** Files that should have been fetched long ago. */
async function listLateAnyAccount(db: Db): Promise<FileId[]> {
  const { rows } = await sql<FileId>`
    select account_id as "accountId", uuid from media
    where path is null and problem is null and created < now() - interval '1 hour'
    order by created limit 10000`.execute(db);
  return rows;
}
