import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';

/**
 * The one way to read a telephone number (decision 28). What somebody wrote is shown to them again as they wrote it; what is
 * compared, stored as digits and dialled is E.164 without its plus.
 */

/** Under which a chat platform knows a person who hides their number: a country, a dot, letters and digits. */
const userId = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

export const isUserId = (text: string): boolean => userId.test(text);

/** What people write between digits. */
const shape = /^[+\s.()[\]-]*(?:\d[+\s.()[\]-]*){5,19}$/;
const longestText = 64;
const [fewestDigits, mostDigits] = [5, 15];
/** National short codes; no international number has so few digits. */
const longestShortCode = 6;

const callingCode =
  '(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0357-9]|9[679])\\d)';
/** As nearly all numbers are written. Not so where a zero follows the country: it may be one to be left out. */
const plain = new RegExp(`^\\+(?!${callingCode}0)[1-9]\\d*$`);
const withTrunkZero = new RegExp(`^${callingCode}0`);
/** +44 (0)7700: the zero is for those who dial within the country. */
const bracketZero = /^([^\d]*[^0\D].*?|[^\d]*00.*?)[([]\s*0\s*[)\]]/;

/** Whether a number means the same in every country, which need not be known then. */
export const isPlain = (number: string): boolean => plain.test(number) || isUserId(number);

/** What people of a country may have meant by a number: five to fifteen digits, that can exist where it is a national one. */
export function isPhone(text: string, country?: string): boolean {
  if (text.length > longestText || !shape.test(text)) return false;
  const digits = interpret(text, country);
  return digits !== undefined && digits.length >= fewestDigits && digits.length <= mostDigits;
}

/**
 * The digits of a number as people of a country write it, by which two spellings of one number are the same; a person without a
 * number has their platform's id.
 */
export const readPhone = (number: string, country: string | undefined): string =>
  interpret(number, country) ?? digitsIn(number);

/** The same of what needs no country: what chat platforms report, what was dialled, and what `readPhone` was asked before. */
export const phoneDigits = (number: string): string => readPhone(number, undefined);

/** How a number is written where nobody's own spelling is asked for, such as to carriers: short codes and ids as they are. */
export const international = (digits: string): string =>
  digits.length <= longestShortCode || isUserId(digits) ? digits : `+${digits}`;

/** A number as it was written, unless that leaves out the country: then as an international one. */
export function withCountry(number: string, country: string | undefined): string {
  const digits = readPhone(number, country);
  return phoneDigits(number) === digits ? number : international(digits);
}

/** The digits of the beginning of a number, as people of a country write it: `+44 20`, `0044 (0)20`, `020`. */
export function prefixDigits(prefix: string, country: string | undefined): string {
  const hasPlus = prefix.trimStart().startsWith('+');
  const digits = digitsIn(bracketZero.test(prefix) ? withoutBracketZero(prefix) : prefix);
  if (digits.startsWith('00')) return digits.slice(2);
  if (!digits.startsWith('0') || hasPlus || !isCountry(country)) return digits;
  const typed = new AsYouType(country);
  typed.input(digits);
  return typed.getNumberValue()?.slice(1) ?? digits;
}

/** How numbers begin that somebody looks for: by the beginning of one, or by a whole one, which may mean something else. */
export function searchDigits(text: string, country: string): string[] {
  const prefix = prefixDigits(text, country);
  return [...new Set([prefix, interpret(text, country) ?? prefix])];
}

/** A number that somebody looks for, whole or in part. */
export interface SoughtDigits {
  /** How it may begin. */
  prefixes: string[];
  /** What may stand anywhere in it. */
  part: string;
}

const fewestNational = 7;
const numberShape = /^[\d+\s.()[\]/-]*\d[\d\s.()[\]/-]*$/;

/** What digits somebody looks for who writes `07700 900412`, `+44 (0)7700`, `7700 900` or `0412`; undefined for what is no number. */
export function soughtDigits(text: string, country: string): SoughtDigits | undefined {
  if (!numberShape.test(text)) return undefined;
  const prefixes = new Set(searchDigits(text, country));
  const plainDigits = digitsIn(text);
  const isNational = !text.trimStart().startsWith('+') && !plainDigits.startsWith('0');
  // The beginning of a national number without its zero.
  if (isNational && isCountry(country)) prefixes.add(getCountryCallingCode(country) + plainDigits);
  // A few digits are the end of a number as likely as its beginning, which the prefixes find.
  const isShort = plainDigits.length < fewestNational;
  const part = isNational || isShort ? plainDigits : prefixDigits(text, country);
  return { prefixes: [...prefixes].filter(Boolean), part };
}

const digitsIn = (number: string): string => number.replace(/[^0-9]/g, '');
const withoutBracketZero = (number: string): string => number.replace(bracketZero, '$1');
/** A country that has telephone numbers, by its ISO 3166 code in capital letters. */
export const isCountry = (country: string | undefined): country is CountryCode =>
  country !== undefined && isSupportedCountry(country);

/** undefined: a national number that cannot exist in the country. */
function interpret(number: string, country: string | undefined): string | undefined {
  if (plain.test(number)) return number.slice(1);
  if (isUserId(number)) return number;
  const digits = digitsIn(number);
  if (digits.startsWith('00')) return withoutTrunkZero(digits.slice(2), number);
  // No country's code begins with a zero: whoever wrote a plus before it did not mean it.
  if (digits.startsWith('0')) return country === undefined ? digits : nationalDigits(digits, country);
  if (number.trimStart().startsWith('+') || bracketZero.test(number)) return withoutTrunkZero(digits, number);
  if (digits.length <= longestShortCode) return digits;
  if (hasPossibleLength(digits) || parse(`+${digits}`)?.isPossible) return withoutTrunkZero(digits, number);
  const national = isCountry(country) ? parse(digits, country) : undefined;
  return national?.isValid ? national.digits : digits;
}

/** +44 (0)7700, +44 07700: the zero is dialled within the country; some countries have it in the number itself. */
function withoutTrunkZero(digits: string, written: string): string {
  if (!withTrunkZero.test(digits)) return digits;
  const parsed = parse(`+${digits}`);
  if (parsed?.isPossible) return parsed.digits;
  return bracketZero.test(written) ? digitsIn(withoutBracketZero(written)).replace(/^00/, '') : digits;
}

function nationalDigits(digits: string, country: string): string | undefined {
  const parsed = isCountry(country) ? parse(digits, country) : undefined;
  return parsed?.isPossible ? parsed.digits : undefined;
}

interface Parsed {
  digits: string;
  isPossible: boolean;
  isValid: boolean;
}

/** What was parsed lately: a number is read when a request is checked, when it is stored and when it is used, and 60 µs add up. */
const lately = new Map<string, Parsed | undefined>();
const mostLately = 10_000;

function parse(number: string, country?: CountryCode): Parsed | undefined {
  const key = `${country} ${number}`;
  if (lately.has(key)) return lately.get(key);
  const found = parsePhoneNumberFromString(number, country);
  const parsed = found && { digits: found.number.slice(1), isPossible: found.isPossible(), isValid: found.isValid() };
  if (lately.size >= mostLately) lately.clear();
  lately.set(key, parsed);
  return parsed;
}

/** The lengths that numbers of a country's code have, by the code. Parsing a number takes fifty times as long as to look here. */
let possibleLengths: ReadonlyMap<string, ReadonlySet<number>> | undefined;

function hasPossibleLength(digits: string): boolean {
  possibleLengths ??= readPossibleLengths();
  return [1, 2, 3].some((size) => possibleLengths!.get(digits.slice(0, size))?.has(digits.length - size));
}

function readPossibleLengths(): Map<string, Set<number>> {
  const metadata = new Metadata();
  const lengths = new Map<string, Set<number>>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const own = lengths.get(code) ?? new Set();
    metadata.selectNumberingPlan(country);
    for (const length of metadata.numberingPlan?.possibleLengths() ?? []) own.add(length);
    lengths.set(code, own);
  }
  return lengths;
}
