import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { Carriers } from '../../../carriers/ports/carriers.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { readPhone } from '../../../platform/phone.ts';
import { capabilityNames } from '../catalogue.ts';
import { addRanges, listSources, saveSources } from './queries.ts';
import { type PoolFillResult, PoolNumber } from './schemas.ts';

/**
 * Puts what the carriers offer into the pool. Runs at every start: when no carrier's ranges changed since the last one, it
 * costs one small query. Numbers that a carrier no longer offers stay, as somebody may have them.
 */
export async function ensureNumberPool(db: Db, carriers: Carriers): Promise<void> {
  const known = new Map((await listSources(db)).map((source) => [source.carrier, source.checksum]));
  const changed = carriers
    .all()
    .map((carrier) => ({ carrier: carrier.name, ranges: carrier.numberRanges ?? [] }))
    .map((offer) => ({ ...offer, checksum: hash('sha256', JSON.stringify(offer.ranges)) }))
    .filter((offer) => offer.ranges.length > 0 && known.get(offer.carrier) !== offer.checksum);
  if (changed.length === 0) return;

  const ranges = changed.flatMap(({ carrier, ranges }) =>
    ranges.map((range) => ({
      ...range,
      carrier,
      codeLength: getCountryCallingCode(range.country as CountryCode).length,
    })),
  );
  await inTransaction(db, async (db) => {
    await addRanges(db, ranges);
    await saveSources(
      db,
      changed.map(({ carrier, checksum }) => ({ carrier, checksum })),
    );
  });
}

/** Reading a number takes about 40 µs: after so many, others have their turn. */
const atOnce = 250;

/**
 * Puts numbers into the pool: those that are new are added, those that nobody has get what is now said of them. The same
 * again changes nothing. National numbers are those of an item's country, else of the given one. Bad items are reported, good ones stored. Of a number that is given twice the last item counts.
 */
export async function fillPool(
  db: Db,
  items: readonly unknown[],
  { dryRun = false, country }: { dryRun?: boolean; country: string },
): Promise<PoolFillResult> {
  const entries = new Map<string, PoolEntry>();
  const errors: PoolFillResult['errors'] = [];
  for (const [index, item] of items.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    const read = readPoolEntry(item, country);
    if (typeof read === 'string') errors.push({ index, number: numberOf(item), error: read });
    else entries.set(read.digits, read);
  }
  const { added, updated } = await (dryRun ? foreseeEntries : putEntries)(db, [...entries.values()]);
  return { added, updated, unchanged: items.length - errors.length - added - updated, errors };
}

const longestEcho = 64;

function numberOf(item: unknown): string {
  const { number } = item as { number?: unknown };
  return typeof number === 'string' || typeof number === 'number'
    ? String(number).slice(0, longestEcho).toWellFormed()
    : '';
}

/** A number to be put into the pool. What was not said is null, and `likely` is what a number that is new there gets. */
export interface PoolEntry {
  digits: string;
  national: string;
  country: string | null;
  prefix: string | null;
  capabilities: string[] | null;
  carrier: string | null;
  likely: { country: string; prefix: string };
}

const check = bodyValidator(PoolNumber);

/** Reads an item of a request: the entry, or the sentence that says what is wrong with it. */
function readPoolEntry(item: unknown, country: string): PoolEntry | string {
  const errors = check(item);
  return errors ? firstSentence(errors as FieldErrors) : entryOf(item as PoolNumber, country);
}

function entryOf(
  { number, country_code, prefix, capabilities, carrier }: PoolNumber,
  ownCountry: string,
): PoolEntry | string {
  const digits = readPhone(number, country_code ?? ownCountry);
  // A possible length is asked for, not a known range: numbering plans open ranges faster than anybody's tables.
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  if (!parsed?.isPossible()) return 'Enter a valid phone number with its country calling code, such as +442079460000.';
  const callingCode: string = parsed.countryCallingCode;
  if (country_code && getCountryCallingCode(country_code as CountryCode) !== callingCode) {
    return `country_code: +${callingCode} is not the calling code of ${country_code}.`;
  }
  const country = country_code ?? parsed.country ?? parsed.getPossibleCountries()[0];
  if (!country) return 'country_code: The number does not tell its country. This field is required.';
  return {
    digits,
    national: digits.slice(callingCode.length).replace(/^0+/, ''),
    country: country_code ?? null,
    prefix: prefix ?? null,
    capabilities: capabilities ? capabilityNames.filter((name) => capabilities.includes(name)) : null,
    carrier: carrier ?? null,
    likely: { country, prefix: prefix ?? parsed.formatInternational().split(' ')[1] ?? '' },
  };
}

/** The first error of an item in one line, with its field unless that is the number itself. */
function firstSentence(errors: FieldErrors): string {
  const [[field, found] = ['', []]] = Object.entries(errors);
  const sentence = leafOf(found);
  return field === 'number' || field === 'non_field_errors' ? sentence : `${field}: ${sentence}`;
}

const leafOf = (errors: unknown): string =>
  typeof errors === 'string' ? errors : leafOf(Object.values(errors as object)[0]);

export interface Filled {
  added: number;
  updated: number;
}

const asNew = { carrier: 'external', capabilities: ['VOICE', 'SMS'] };

/** What the pool is to say of each number: what the entry says, else what the pool said, else what is likely. */
const wanted = (entries: PoolEntry[]): RawBuilder<unknown> => sql`
  select given.digits, given.national, pool.digits is null as is_new,
    coalesce(given.country, pool.country, likely ->> 'country') as country,
    coalesce(given.prefix, pool.prefix, likely ->> 'prefix') as prefix,
    coalesce(given.capabilities, pool.capabilities, ${sql.val(asNew.capabilities)}::text[]) as capabilities,
    coalesce(given.carrier, pool.carrier, ${asNew.carrier}) as carrier
  from json_to_recordset(${JSON.stringify(entries)}) as given (
      digits text, national text, country text, prefix text, capabilities text[], carrier text, likely json)
    left join number_pool as pool on pool.digits = given.digits
  where pool.state is distinct from 'ASSIGNED'`;

const differs = (from: string) => sql`
  (number_pool.country, number_pool.prefix, number_pool.capabilities, number_pool.carrier) is distinct from
  (${sql.ref(`${from}.country`)}, ${sql.ref(`${from}.prefix`)}, ${sql.ref(`${from}.capabilities`)}, ${sql.ref(`${from}.carrier`)})`;

async function putEntries(db: Db, entries: PoolEntry[]): Promise<Filled> {
  // In one order, so that two imports of the same numbers cannot deadlock.
  const { rows } = await sql<Filled>`
    with written as (
      insert into number_pool (digits, national, country, prefix, capabilities, carrier)
      select digits, national, country, prefix, capabilities, carrier from (${wanted(entries)}) as wanted order by digits
      on conflict (digits) do update set country = excluded.country, prefix = excluded.prefix,
        capabilities = excluded.capabilities, carrier = excluded.carrier
      where number_pool.state <> 'ASSIGNED' and ${differs('excluded')}
      -- A row that this statement made has no earlier version.
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new) as updated from written`.execute(
    db,
  );
  return rows[0]!;
}

/** What `putEntries` would do. */
async function foreseeEntries(db: Db, entries: PoolEntry[]): Promise<Filled> {
  const { rows } = await sql<Filled>`
    select count(*) filter (where is_new) as added, count(*) filter (where not is_new and ${differs('wanted')}) as updated
    from (${wanted(entries)}) as wanted left join number_pool on number_pool.digits = wanted.digits`.execute(db);
  return rows[0]!;
}
