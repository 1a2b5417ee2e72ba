import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { findRedactingAnyAccount } from './queries.ts';

/** The cache of who redacts; all is forgotten when an account changes. */
const redactionCache = 'redaction';

/** Which of these accounts keep content out of webhooks and events. Usually costs no query, and may be a moment behind. */
export async function redactingOf(
  db: Db,
  { caches }: Pick<Deps, 'caches'>,
  accountIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const cache = caches.of<{ redacts: boolean }>(redactionCache);
  const stamp = cache.stamp();
  const wanted = new Set(accountIds);
  const unknown = [...wanted].filter((accountId) => !cache.get(accountId));
  const found = new Set(unknown.length === 0 ? [] : await findRedactingAnyAccount(db, unknown));
  for (const accountId of unknown) cache.set(accountId, { redacts: found.has(accountId) }, stamp);
  return new Set([...wanted].filter((accountId) => found.has(accountId) || cache.get(accountId)?.redacts === true));
}
