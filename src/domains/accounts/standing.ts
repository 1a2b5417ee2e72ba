import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../platform/errors.ts';

/** ACTIVE: it may do what its tokens may. SUSPENDED: nothing of it leaves. DELETING: neither, and a job removes it. */
export const standings = ['ACTIVE', 'SUSPENDED', 'DELETING'] as const;
export type Standing = (typeof standings)[number];

/**
 * Whether an account is inactive: suspended, or being deleted. Statements that look for what may leave ask this; `column` names the
 * account. It reads an index that has the inactive accounts alone.
 */
export const isInactiveText = (column: string): string =>
  `exists (select 1 from accounts as tenant where tenant.uuid = ${column} and tenant.status <> 'ACTIVE')`;

/** The same as a part of a statement. */
export const isInactiveSql = (column: string) => sql<boolean>`${sql.raw(isInactiveText(column))}`;

/** The cache of which accounts are inactive; all is forgotten when that changes. */
const inactiveCache = 'inactive-accounts';

/** Whether nothing of an account may leave; a few seconds old at most. */
export async function isInactive({ db, caches }: Pick<Deps, 'db' | 'caches'>, accountId: string): Promise<boolean> {
  const cache = caches.of<boolean>(inactiveCache);
  const known = cache.get(accountId);
  if (known !== undefined) return known;
  const stamp = cache.stamp();
  const { rows } = await sql<{ inactive: boolean }>`
    select ${isInactiveSql('wanted.uuid')} as inactive from (select ${accountId}::uuid as uuid) as wanted`.execute(db);
  const { inactive } = rows[0]!;
  cache.set(accountId, inactive, stamp);
  return inactive;
}

/** What a token of an account that may not act is answered. */
export const refusalOf = (status: string): ApiError | undefined => {
  if (status === 'ACTIVE') return undefined;
  if (status === 'SUSPENDED') return new ApiError('account_suspended');
  return new ApiError('account_suspended', { detail: 'This account is being deleted.' });
};
