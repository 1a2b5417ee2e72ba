import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { timeZonesOf } from '../time-zone.ts';
import type { NumberKnowledge } from './schemas.ts';

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
