import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import { findAccount } from '../accounts/index.ts';
import { nextDigest } from './digest-times.ts';
import { type ConfigRow, findConfigsAnyAccount, lockConfig, storeConfig } from './queries.ts';
import { type InsightsConfigChange, type Settings, settingsOf } from './schemas.ts';

/** The memory of what accounts want to be told; to be forgotten when that changes. */
export const insightsMemory = 'insights';

/** Changes what a request names, from what `base` makes of the settings before. */
export async function changeConfig(
  deps: Deps,
  accountId: string,
  { digest, ...change }: InsightsConfigChange,
  base: (before: Settings) => Settings,
): Promise<ConfigRow> {
  const row = await inTransaction(deps.db, async (db) => {
    const before = base(settingsOf(await lockConfig(db, accountId)));
    const settings = { ...before, ...change, digest: { ...before.digest, ...digest } };
    check(settings);
    const { time_zone } = await findAccount(db, accountId);
    const due = settings.digest.enabled ? nextDigest(deps.clock.now(), settings.digest.hour, time_zone) : null;
    return storeConfig(db, accountId, settings, due);
  });
  deps.memories.forget(insightsMemory);
  return row;
}

function check({ business_hours }: Settings): void {
  if (business_hours && Object.values(business_hours).every((windows) => windows.length === 0)) {
    throw new ValidationError({ business_hours: ['Give at least one window, or null for always.'] });
  }
}

export interface Wishes extends Settings {
  zone: string;
}

/** What an account wants to be told, maybe a moment ago; undefined: nothing. Usually costs no query. */
export async function findWishes(
  { db, memories }: Pick<Deps, 'db' | 'memories'>,
  accountId: string,
): Promise<Wishes | undefined> {
  const memory = memories.of<Wishes | null>(insightsMemory);
  const known = memory.get(accountId);
  if (known !== undefined) return known ?? undefined;
  const stamp = memory.stamp();
  const row = (await findConfigsAnyAccount(db, [accountId])).get(accountId);
  const wishes = row ? { ...settingsOf(row), zone: row.zone } : null;
  memory.set(accountId, wishes, stamp);
  return wishes ?? undefined;
}
