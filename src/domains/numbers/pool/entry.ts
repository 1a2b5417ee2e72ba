import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { FieldErrors } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { readPhone } from '../../../platform/phone.ts';
import { capabilityNames } from '../buy/catalogue.ts';
import { PoolNumber } from './schemas.ts';

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
export function readPoolEntry(item: unknown, country: string): PoolEntry | string {
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
