import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import { type FileName, type Files, fileFolders } from '../../platform/files/files.ts';

/** How much room the files of an account take, and how much they may. */

export interface Storage {
  usedBytes: number;
  /** Infinity: there is no limit. */
  mostBytes: number;
}

type StorageDeps = { db: Db; config: Pick<Config, 'STORAGE_BYTES_PER_ACCOUNT'> };

const columns = sql`coalesce(storage.bytes, 0)::float8 as used, (accounts.limits ->> 'storage_bytes')::float8 as most`;
const storageOf = ({ config }: StorageDeps, row: { used: number; most: number | null } | undefined): Storage => ({
  usedBytes: row?.used ?? 0,
  mostBytes: row?.most ?? (config.STORAGE_BYTES_PER_ACCOUNT || Number.POSITIVE_INFINITY),
});

export async function readStorage(deps: StorageDeps, accountId: string): Promise<Storage> {
  const { rows } = await sql<{ used: number; most: number | null }>`
    select ${columns} from accounts left join account_storage as storage on storage.account_id = accounts.uuid
    where accounts.uuid = ${accountId}`.execute(deps.db);
  return storageOf(deps, rows[0]);
}

/** How many bytes the account may still store; not below none. */
export async function roomOf(deps: StorageDeps, accountId: string): Promise<number> {
  const { usedBytes, mostBytes } = await readStorage(deps, accountId);
  return Math.max(0, mostBytes - usedBytes);
}

/** Before a file is moved to its place. `takeRoom` has the last word. */
export async function refuseWithoutRoom(deps: StorageDeps, accountId: string, bytes: number): Promise<void> {
  if ((await roomOf(deps, accountId)) < bytes) throw new ApiError('storage_quota_exceeded');
}

/** Counts a file that is stored, in the transaction that stores its row: two at once cannot both take the last room. */
export async function takeRoom(deps: StorageDeps, accountId: string, bytes: number): Promise<void> {
  await countStored(deps.db, accountId, bytes);
  const { usedBytes, mostBytes } = await readStorage(deps, accountId);
  if (usedBytes > mostBytes) throw new ApiError('storage_quota_exceeded');
}

export const isOverQuota = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'storage_quota_exceeded';

/** Work that takes room for files which are in their places already. Where others took the last room, the files go again. */
export async function withinRoom<T>(
  { files }: { files: Files },
  names: FileName[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOverQuota(error)) for (const name of names) await files.delete(name);
    throw error;
  }
}

/** Counts one that is there in any case, or, below nothing, one that is gone. */
export async function countStored(db: Db, accountId: string, bytes: number): Promise<void> {
  await sql`
    insert into account_storage as storage (account_id, bytes) values (${accountId}, ${Math.max(0, bytes)})
    on conflict (account_id) do update set bytes = greatest(0, storage.bytes + ${bytes}::bigint), modified = excluded.modified`.execute(
    db,
  );
}

/** Counts anew, from the files themselves: whatever way one went, its room is free after the next night. */
export async function recountStorageAnyAccount({ db, files }: Pick<Deps, 'db' | 'files'>): Promise<void> {
  const sums = new Map<string, number>();
  for (const folder of fileFolders) {
    for await (const { accountId, size } of files.list(folder)) sums.set(accountId, (sums.get(accountId) ?? 0) + size);
  }
  const accounts = [...sums.keys()];
  await sql`
    with counted as (
      select * from unnest(${accounts}::uuid[], ${accounts.map((account) => sums.get(account)!)}::bigint[]) as sum (account_id, bytes)
    ), gone as (
      update account_storage set bytes = 0, modified = now()
      where bytes > 0 and account_id <> all (${accounts}::uuid[])
    )
    insert into account_storage (account_id, bytes)
    select account_id, bytes from counted join accounts on accounts.uuid = counted.account_id
    on conflict (account_id) do update set bytes = excluded.bytes, modified = excluded.modified`.execute(db);
}
