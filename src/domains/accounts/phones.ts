import type { Deps } from '../../deps.ts';
import { isPlain, readPhone } from '../../platform/phone.ts';
import { findCountries } from './queries.ts';

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
