import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { NumberKnowledge } from './insight-schemas.ts';

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

/** A zone of the country if all its zones have the same time; a number does not tell in which part of a country it is. */
function timeZonesOf(country: string): string[] {
  // In every Node since 22, and not yet in the compiler's list of what there is.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones(): string[] | undefined };
  const zones = locale.getTimeZones() ?? [];
  const times = new Set(zones.map((timeZone) => timesIn(timeZone)));
  return times.size === 1 ? zones.slice(0, 1) : [];
}

/** Winter and summer tell zones apart, also those that differ by their summer time only. */
const timesIn = (timeZone: string): string => {
  const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((moment) => format.format(moment)).join();
};
