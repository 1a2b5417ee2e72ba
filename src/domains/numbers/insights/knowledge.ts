import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';
import type { NumberKnowledge } from './insights.ts';

/** What any number tells by itself. */
export function knowledgeOf(digits: string): Omit<NumberKnowledge, 'is_own'> {
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  const country = parsed?.country ?? null;
  return {
    valid: parsed?.isValid() ?? false,
    possible: parsed?.isPossible() ?? false,
    country,
    calling_code: parsed?.countryCallingCode ?? '',
    national: parsed?.formatNational() ?? '',
    international: parsed?.formatInternational() ?? '',
    type: parsed?.getType() ?? 'UNKNOWN',
    time_zones: country ? timeZonesOf(country) : [],
  };
}

/**
 * The zone in which whoever has a number lives; undefined where the number does not tell. Asked for every recipient: most
 * calling codes tell at once, and only where countries of different times share one is the number taken apart.
 */
export function timeZoneOf(digits: string): string | undefined {
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((prefix) => Object.hasOwn(countriesOf, prefix));
  if (code === undefined) return undefined;
  const [zone] = remembered(code, () => sameTimes(countriesOf[code]!));
  return zone ?? timeZonesOf(countryOf(digits, code) ?? '')[0];
}

/** A zone of the country if all its zones have the same time; a number does not tell in which part of a country it is. */
const timeZonesOf = (country: string): string[] =>
  country === '' ? [] : remembered(country, () => sameTimes([country]));

const countriesOf: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;
/** What was found out about calling codes and countries: there are a few hundred, and Intl takes its time. */
const zones = new Map<string, string[]>();
/** By calling code and area: in North America these four digits tell the country. */
const countriesOfAreas = new Map<string, string>();

function remembered(key: string, find: () => string[]): string[] {
  const known = zones.get(key) ?? find();
  zones.set(key, known);
  return known;
}

function countryOf(digits: string, code: string): string | undefined {
  const area = code === '1' ? digits.slice(0, 4) : '';
  const known = countriesOfAreas.get(area);
  if (known) return known;
  const country = parsePhoneNumberFromString(`+${digits}`)?.country;
  if (country && area !== '') countriesOfAreas.set(area, country);
  return country;
}

/** The first zone of these countries, if all have the same time; otherwise none. */
function sameTimes(countries: readonly string[]): string[] {
  const all = countries.flatMap(zonesIn);
  return new Set(all.map(timesIn)).size === 1 ? all.slice(0, 1) : [];
}

function zonesIn(country: string): string[] {
  // In every Node since 22, and not yet in the compiler's list of what there is.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
  return locale.getTimeZones() ?? [];
}

/** Winter and summer tell zones apart, also those that differ by their summer time only. */
const timesIn = (timeZone: string): string => {
  const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((moment) => format.format(moment)).join();
};
