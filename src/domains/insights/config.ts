import type { Deps } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { findAccount } from '../accounts/index.ts';
import { nextDigest } from './digest.ts';
import { type ConfigRow, findConfigsAnyAccount, lockConfig, storeConfig } from './queries.ts';
import { type InsightsConfigChange, type Settings, settingsOf } from './schemas.ts';

/** The cache of what accounts want to be told; to be forgotten when that changes. */
const insightsCache = 'insights';

/** Changes what a request names, from what `base` makes of the settings before. */
export async function changeConfig(
  deps: Deps,
  accountId: string,
  { digest, ...change }: InsightsConfigChange,
  base: (before: Settings) => Settings,
): Promise<ConfigRow> {
  const row = await within(deps, async (deps) => {
    const { db } = deps;
    const before = base(settingsOf(await lockConfig(db, accountId)));
    const settings = { ...before, ...change, digest: { ...before.digest, ...digest } };
    check(settings);
    const { time_zone } = await findAccount(db, accountId);
    const due = settings.digest.enabled ? nextDigest(deps.clock.now(), settings.digest.hour, time_zone) : null;
    return storeConfig(db, accountId, settings, due);
  });
  deps.caches.forget(insightsCache);
  return row;
}

function check({ business_hours }: Settings): void {
  if (business_hours && Object.values(business_hours).every((windows) => windows.length === 0)) {
    throw new ValidationError({ business_hours: ['Give at least one window, or null for always.'] });
  }
}

export interface InsightSettings extends Settings {
  zone: string;
}

/** What an account wants to be told, maybe a moment ago; undefined: nothing. Usually costs no query. */
export async function findInsightSettings(
  { db, caches }: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
): Promise<InsightSettings | undefined> {
  const cache = caches.of<InsightSettings | null>(insightsCache);
  const known = cache.get(accountId);
  if (known !== undefined) return known ?? undefined;
  const stamp = cache.stamp();
  const row = (await findConfigsAnyAccount(db, [accountId])).get(accountId);
  const settings = row ? { ...settingsOf(row), zone: row.zone } : null;
  cache.set(accountId, settings, stamp);
  return settings ?? undefined;
}
