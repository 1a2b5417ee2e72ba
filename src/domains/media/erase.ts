import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { FileName } from '../../platform/files/files.ts';
import { countStored } from '../accounts/index.ts';

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
