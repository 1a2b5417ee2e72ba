import type { Deps } from '../../../deps.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { nextAllowed, type QuietHours, wallTime } from '../../../platform/time/quiet-hours.ts';
import { findAccount } from '../../accounts/index.ts';
import { timeZoneOf } from '../../numbers/index.ts';

/** An SMS that is about to be accepted, and when it would leave. */
export interface Leaving {
  accountId: string;
  /** Of the recipient. */
  digits: string;
  leavesAt: Date;
}

export interface Hold {
  until: Date;
  description: string;
}

interface QuietSettings {
  hours: QuietHours | null;
  timeZone: string;
}

/** The cache of accounts' quiet hours; all is forgotten when an account changes. */
const quietCache = 'sms-quiet-hours';

/**
 * Which of these would reach somebody in the quiet hours of the account, by the recipient's clock, and until when they are
 * held. Somebody who wrote within the last day is being answered, and answers are not held.
 */
export async function findHeld<L extends Leaving>(deps: Deps, leaving: L[]): Promise<Map<L, Hold>> {
  const settings = await findQuietSettings(
    deps,
    leaving.map(({ accountId }) => accountId),
  );
  const held = new Map<L, Hold>();
  for (const one of leaving) {
    const { hours, timeZone: own } = settings.get(one.accountId)!;
    if (!hours) continue;
    const timeZone = timeZoneOf(one.digits) ?? own;
    const until = nextAllowed(one.leavesAt, hours, timeZone);
    if (until === one.leavesAt) continue;
    held.set(one, { until, description: `Held until ${wallTime(until, timeZone)} in ${timeZone}: quiet hours.` });
  }
  for (const one of await findAnswers(deps.db, [...held.keys()])) held.delete(one);
  return held;
}

async function findQuietSettings({ db, caches }: Deps, accountIds: string[]): Promise<Map<string, QuietSettings>> {
  const cache = caches.of<QuietSettings>(quietCache);
  const known = new Map<string, QuietSettings>();
  for (const accountId of new Set(accountIds)) {
    const stamp = cache.stamp();
    const settings = cache.get(accountId) ?? quietSettingsOf(await findAccount(db, accountId));
    cache.set(accountId, settings, stamp);
    known.set(accountId, settings);
  }
  return known;
}

const quietSettingsOf = (account: { quiet_hours: unknown; time_zone: string }): QuietSettings => ({
  hours: account.quiet_hours as QuietHours | null,
  timeZone: account.time_zone,
});

const writers = prepared<{ place: number }>(
  'sms.writers',
  `select place from unnest($1::uuid[], $2::text[]) with ordinality as wanted (account_id, digits, place)
  where exists (
    select 1 from sms where sms.account_id = wanted.account_id and from_digits = wanted.digits and direction = 'INBOUND'
      and uuid >= uuid_floor(now() - interval '1 day'))`,
  `select distinct wanted.place from unnest($1::uuid[], $2::text[]) with ordinality as wanted (account_id, digits, place)
  join sms on sms.account_id = wanted.account_id and sms.from_digits = wanted.digits and sms.direction = 'INBOUND'
    and sms.uuid >= uuid_floor(now() - interval '1 day')`,
);

/** Those that go to somebody who wrote to the account within the last day. */
async function findAnswers<L extends Leaving>(db: Db, held: L[]): Promise<L[]> {
  if (held.length === 0) return [];
  const people = held.map(({ digits }) => digits);
  const rows = await writers(db, [uuidArray(held.map(({ accountId }) => accountId)), people]);
  return rows.map(({ place }) => held[place - 1]!);
}
