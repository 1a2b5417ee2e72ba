import type { Deps } from '../../deps.ts';
import { contentTopic, learnSeconds } from '../../platform/content/follow.ts';
import { contentPassTask, turnContent } from '../../platform/content/passes.ts';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import { isPlain, readPhone } from '../../platform/phone.ts';
import { within } from '../../platform/within.ts';
import {
  type AccountRow,
  findCountries,
  findKeywordSettings,
  findRedactingAnyAccount,
  updateAccount,
} from './queries.ts';
import type { AccountPatch } from './schemas.ts';

/** Changes the settings of an account. Whether content is encrypted changes for what is new at once, for the rest in the background. */
export const changeAccount = (deps: Deps, accountId: string, patch: AccountPatch): Promise<AccountRow> =>
  within(deps, async (deps) => {
    const { db, clock, queue } = deps;
    const row = await updateAccount(db, accountId, patch);
    // Limits are remembered with tokens, the language with senders.
    deps.caches.forget();
    const encrypt = patch.encrypt_content;
    if (encrypt === undefined) return row;
    if (encrypt && !contentOf(db).sealing(accountId)) throw new ApiError('data_key_missing');
    const now = clock.now();
    if (await turnContent(db, accountId, encrypt, now)) {
      const startAfter = new Date(now.getTime() + learnSeconds * 1000);
      await queue.enqueue(db, contentPassTask, [{ account: accountId }], { startAfter });
      deps.listener.signal(contentTopic, '');
    }
    return row;
  });

/** The cache of accounts' countries; all is forgotten when an account changes. */
const countryCache = 'countries';

type Lookup = Pick<Deps, 'db' | 'caches'>;

/** A number as somebody of an account wrote it. */
export interface Written {
  accountId: string;
  number: string;
}

/** The country of numbers that an account writes without one. */
export const countryOf = async (deps: Lookup, accountId: string): Promise<string> =>
  (await countriesOf(deps, [accountId])).get(accountId)!;

/** Reads the numbers that an account writes. */
export async function phoneReader(deps: Lookup, accountId: string): Promise<(number: string) => string> {
  const country = await countryOf(deps, accountId);
  return (number) => readPhone(number, country);
}

/** The digits of numbers that accounts wrote, in their order. Those that say their country cost no look-up. */
export async function readPhones(deps: Lookup, written: Written[]): Promise<string[]> {
  const unclear = written.filter(({ number }) => !isPlain(number));
  const countries = await countriesOf(
    deps,
    unclear.map(({ accountId }) => accountId),
  );
  return written.map(({ accountId, number }) => readPhone(number, countries.get(accountId)));
}

/** The countries of accounts, by account. */
export async function countriesOf({ db, caches }: Lookup, accountIds: string[]): Promise<Map<string, string>> {
  const cache = caches.of<string>(countryCache);
  const known = new Map<string, string>();
  const unknown: string[] = [];
  for (const accountId of new Set(accountIds)) {
    const country = cache.get(accountId);
    if (country === undefined) unknown.push(accountId);
    else known.set(accountId, country);
  }
  if (unknown.length === 0) return known;
  const stamp = cache.stamp();
  for (const { uuid, default_country } of await findCountries(db, unknown)) {
    known.set(uuid, default_country);
    cache.set(uuid, default_country, stamp);
  }
  return known;
}

/** What an account adds to the opt-out keywords. */
export interface KeywordSettings {
  /** In capitals. */
  optOutKeywords: ReadonlySet<string>;
  /** The answer to HELP; null: it has none. */
  helpText: string | null;
}

/** The cache of these; all is forgotten when an account changes. */
const keywordCache = 'keyword-settings';

/** Usually costs no query, and may be a moment behind. */
export async function keywordSettings(
  { db, caches }: Pick<Deps, 'db' | 'caches'>,
  accountId: string,
): Promise<KeywordSettings> {
  const cache = caches.of<KeywordSettings>(keywordCache);
  const remembered = cache.get(accountId);
  if (remembered) return remembered;
  const stamp = cache.stamp();
  const { opt_out_keywords, help_text } = await findKeywordSettings(db, accountId);
  const settings = {
    optOutKeywords: new Set(opt_out_keywords.map((word) => word.trim().replace(/\s+/g, ' ').toUpperCase())),
    helpText: help_text,
  };
  cache.set(accountId, settings, stamp);
  return settings;
}

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
