import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** Under which a chat platform knows a person who hides their number: a country, a dot, letters and digits. */
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export const isUserId = (text: string): boolean => userId.test(text);

/**
 * What a person or a number is compared and indexed by. Of a phone number that is its digits, which two spellings of one
 * number have in common; a person without a number has their platform's id.
 */
export function phoneDigits(number: string): string {
  // As nearly all are written.
  if (/^\+\d+$/.test(number)) return number.slice(1);
  return isUserId(number) ? number : number.replace(/[^0-9]/g, '');
}

/** The digits of the beginning of a number, as people write it: `+44 20`, `0044 (0)20`. */
export function prefixDigits(prefix: string): string {
  const digits = phoneDigits(withoutInnerZero(prefix));
  return prefix.trimStart().startsWith('+') ? digits : digits.replace(/^00/, '');
}

/** +44 (0)7700: the zero is for those who dial within the country. */
const withoutInnerZero = (number: string): string => number.replace(/^(\s*(?:\+|00).*)\(0\)/, '$1');

/**
 * The digits of a number that people may have written as they dial it: `00` is the plus, and a number that begins with
 * another zero is one of the given country. undefined: such a number does not exist there.
 */
export function internationalDigits(number: string, country: string): string | undefined {
  const digits = phoneDigits(withoutInnerZero(number));
  if (!digits.startsWith('0') || number.trimStart().startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (!isSupportedCountry(country)) return undefined;
  const parsed = parsePhoneNumberFromString(digits, country as CountryCode);
  return parsed?.isPossible() ? parsed.number.slice(1) : undefined;
}
