import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../platform/errors.ts';

/** ACTIVE: it may do what its tokens may. SUSPENDED: nothing of it leaves. DELETING: neither, and a job removes it. */
export const standings = ['ACTIVE', 'SUSPENDED', 'DELETING'] as const;
export type Standing = (typeof standings)[number];

/**
 * Whether an account is one of those whose things stay where they are, for statements that look for what may leave; `column` names the
 * account. A look into an index that holds no other accounts.
 */
export const isHeldText = (column: string): string =>
  `exists (select 1 from accounts as tenant where tenant.uuid = ${column} and tenant.status <> 'ACTIVE')`;

/** The same as a part of a statement. */
export const isHeldSql = (column: string) => sql<boolean>`${sql.raw(isHeldText(column))}`;

/** The cache of who is held; all is forgotten when that changes. */
const heldCache = 'held-accounts';

/** Whether nothing of an account may leave; a few seconds old at most. */
export async function isHeld({ db, caches }: Pick<Deps, 'db' | 'caches'>, accountId: string): Promise<boolean> {
  const cache = caches.of<boolean>(heldCache);
  const known = cache.get(accountId);
  if (known !== undefined) return known;
  const stamp = cache.stamp();
  const { rows } = await sql<{ held: boolean }>`
    select ${isHeldSql('wanted.uuid')} as held from (select ${accountId}::uuid as uuid) as wanted`.execute(db);
  const held = rows[0]!.held;
  cache.set(accountId, held, stamp);
  return held;
}

/** What a token of an account that may not act is answered. */
export const refusalOf = (status: string): ApiError | undefined => {
  if (status === 'ACTIVE') return undefined;
  if (status === 'SUSPENDED') return new ApiError('account_suspended');
  return new ApiError('account_suspended', { detail: 'This account is being deleted.' });
};
