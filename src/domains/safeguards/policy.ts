import type { Deps } from '../../deps.ts';
import { type AccountPrices, findAccount, phoneReader } from '../accounts/index.ts';
import { destinationOf, type PriceClass, priceClasses } from './destination.ts';
import { findPolicies, type PolicyRow } from './queries.ts';
import { type Cap, defaults, type HoldingRule, isHolding, type Settings } from './schemas.ts';

/** The cache of accounts' safeguards, null where there are none; to be forgotten when one changes. */
export const safeguardCache = 'safeguards';

type Lookup = Pick<Deps, 'db' | 'caches'>;
export type Channel = 'CHATAPP' | 'SMS' | 'VOICE';

/** What an account allows, made ready to be asked often. */
export interface Policy {
  settings: Settings;
  /** Whether the account reports which of its one-time passwords are used. */
  givesFeedback: boolean;
  /** Ranges that are held or blocked, by `closedKey`, and the rule that closed them. */
  closedRanges: ReadonlyMap<string, HoldingRule>;
  /** Ranges that somebody let through in these two hours. */
  openRanges: ReadonlySet<string>;
  rulesOf(senderKey: string): Pick<Settings, 'allowed_countries' | 'blocked_prefixes'>[];
  prices: PriceList;
}

/** The policies of accounts that have one. Usually costs no query. */
export async function policiesOf(deps: Lookup, accountIds: string[]): Promise<Map<string, Policy>> {
  const cache = deps.caches.of<Policy | null>(safeguardCache);
  const policies = new Map<string, Policy>();
  const unknown: string[] = [];
  for (const accountId of new Set(accountIds)) {
    const policy = cache.get(accountId);
    if (policy === undefined) unknown.push(accountId);
    else if (policy) policies.set(accountId, policy);
  }
  if (unknown.length === 0) return policies;
  const stamp = cache.stamp();
  const found = await findPolicies(deps.db, unknown);
  for (const accountId of unknown) {
    const row = found.get(accountId);
    const policy = row ? await makePolicy(deps, accountId, { ...defaults, ...row.settings }, row) : null;
    if (policy) policies.set(accountId, policy);
    cache.set(accountId, policy, stamp);
  }
  return policies;
}

export async function makePolicy(
  deps: Lookup,
  accountId: string,
  settings: Settings,
  { closed, open, feedback_since }: Omit<PolicyRow, 'settings'>,
): Promise<Policy> {
  const read = await phoneReader(deps, accountId);
  const bySender = Map.groupBy(settings.senders, ({ sender }) => senderKey(sender, read));
  const { prices } = await findAccount(deps.db, accountId);
  const ofAccount = { allowed_countries: settings.allowed_countries, blocked_prefixes: settings.blocked_prefixes };
  return {
    settings,
    givesFeedback: feedback_since !== null,
    closedRanges: new Map(
      closed.flatMap(({ rule, channel, range }) => (isHolding(rule) ? [[closedKey(channel, range), rule]] : [])),
    ),
    openRanges: new Set(open.map(({ channel, range }) => closedKey(channel, range))),
    rulesOf: (key) => [
      ofAccount,
      ...(bySender.get(key) ?? []).map(({ allowed_countries = null, blocked_prefixes = [] }) => ({
        allowed_countries,
        blocked_prefixes,
      })),
    ],
    prices: makePriceList(settings.prices, prices as AccountPrices | null),
  };
}

/** A range is closed on one channel. */
export const closedKey = (channel: string, range: string): string => `${channel} ${range}`;

/** What a sender is compared by: its digits, or its name in lower case. */
export const senderKey = (sender: string, read: (number: string) => string): string =>
  /[a-z]/i.test(sender) ? sender.toLowerCase() : read(sender);

export const isAbove = (one: PriceClass, highest: PriceClass): boolean =>
  priceClasses.indexOf(one) > priceClasses.indexOf(highest);

const hourMs = 3_600_000;
/** When the hour or the day began that a moment is in, and when it ends. */
export function windowOf(window: Cap['window'], now: Date): { start: Date; end: Date } {
  const lengthMs = window === 'HOUR' ? hourMs : 24 * hourMs;
  const startMs = Math.floor(now.getTime() / lengthMs) * lengthMs;
  return { start: new Date(startMs), end: new Date(startMs + lengthMs) };
}

/** Under which the use of a cap is counted. The cap itself is part of it: a changed one starts anew. */
export function capKey(
  cap: Cap,
  { channel, senderKey, digits }: { channel: Channel; senderKey: string; digits: string },
) {
  const whom = {
    ACCOUNT: '',
    SENDER: senderKey,
    RECIPIENT: digits,
    COUNTRY: destinationOf(digits).country ?? '',
  }[cap.per];
  return [cap.channel === 'ALL' ? 'ALL' : channel, cap.measure, cap.window, cap.per, whom].join(' ');
}

/** The prices of an account, with or without safeguards. */
export async function priceListOf(deps: Pick<Deps, 'db' | 'caches'>, accountId: string): Promise<PriceList> {
  const policy = (await policiesOf(deps, [accountId])).get(accountId);
  if (policy) return policy.prices;
  const { prices } = await findAccount(deps.db, accountId);
  return makePriceList([], prices as AccountPrices | null);
}

/** Prices of one channel, by the first digits of a number. */
export interface ChannelPrices {
  byPrefix: ReadonlyMap<string, number>;
  /** Lengths of the prefixes, the longest first. */
  lengths: readonly number[];
  /** Of numbers that no prefix fits; undefined: not known. */
  otherwise: number | undefined;
}

/** What an account pays. The one place where a price is looked up: for caps, explanations and estimates alike. */
export interface PriceList {
  /** null: the account did not name one. */
  currency: string | null;
  of(channel: Channel): ChannelPrices;
  /** Of a message, an SMS segment or a call to a number: the longest prefix that fits, else the account's; undefined: not known. */
  priceOf(channel: Channel, digits: string): number | undefined;
}

function makePriceList(byPrefix: Settings['prices'], ofAccount: AccountPrices | null): PriceList {
  const otherwise = { CHATAPP: ofAccount?.chatapp_message, SMS: ofAccount?.sms_part, VOICE: undefined };
  const listOf = (channel: Channel): ChannelPrices => {
    const own = byPrefix
      .filter((one) => one.channel === channel)
      .map(({ prefix, price }) => [prefix.slice(1), price] as const);
    const prices = new Map(own.toReversed());
    const lengths = [...new Set(prices.keys().map(({ length }) => length))].sort((one, other) => other - one);
    return { byPrefix: prices, lengths, otherwise: otherwise[channel] };
  };
  const lists = { CHATAPP: listOf('CHATAPP'), SMS: listOf('SMS'), VOICE: listOf('VOICE') };
  return {
    currency: ofAccount?.currency ?? null,
    of: (channel) => lists[channel],
    priceOf(channel, digits) {
      const { byPrefix, lengths, otherwise } = lists[channel];
      const length = lengths.find((length) => byPrefix.has(digits.slice(0, length)));
      return length === undefined ? otherwise : byPrefix.get(digits.slice(0, length));
    },
  };
}
