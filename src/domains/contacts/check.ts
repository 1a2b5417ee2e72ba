import { ValidationError } from '../../platform/errors.ts';
import { formats } from '../../platform/http/validation/formats.ts';
import { isPhone, readPhone } from '../../platform/phone.ts';

export const sentences = {
  phone: 'Enter a valid phone number.',
  taken: 'A contact with this phone number already exists.',
  timeZone: 'Enter a valid time zone.',
  language: 'Enter a language code such as en_GB.',
};

/** Known time zones by name. They are kept because checking one takes 80 µs. */
const knownZones = new Map<string, boolean>([['', true]]);

export function isTimeZone(name: string): boolean {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  const isZone = formats['time-zone']!.accepts(name);
  // Only valid zones are kept, of which there are some six hundred; invalid names would have no limit.
  if (isZone) knownZones.set(name, true);
  return isZone;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const scriptNames = new Intl.DisplayNames(['en'], { type: 'script', fallback: 'none' });
const knownLanguages = new Map<string, boolean>([['', true]]);

/** Whether there is such a language, and such a country or script beside it: `en_GB`, `zh_Hans`, `es_419`. */
export function isLanguage(code: string): boolean {
  const known = knownLanguages.get(code);
  if (known !== undefined) return known;
  const isOne = /^[a-z]{2,3}(_[A-Za-z0-9]{2,8})?$/.test(code) && hasNames(code.split('_'));
  if (isOne) knownLanguages.set(code, true);
  return isOne;
}

function hasNames([language = '', place]: string[]): boolean {
  if (languageNames.of(language) === undefined) return false;
  if (place === undefined) return true;
  if (/^[A-Za-z]{4}$/.test(place)) return scriptNames.of(place) !== undefined;
  return /^([A-Za-z]{2}|\d{3})$/.test(place) && regionNames.of(place) !== undefined;
}

/** The digits under which a number is kept; undefined: it is none in the country. */
export const digitsOf = (number: string, country: string): string | undefined =>
  isPhone(number, country) ? readPhone(number, country) : undefined;

export function checkTimeZone(name: string | undefined): void {
  if (name !== undefined && !isTimeZone(name)) throw new ValidationError({ time_zone: [sentences.timeZone] });
}

export function checkLanguage(code: string | undefined): void {
  if (code !== undefined && !isLanguage(code)) throw new ValidationError({ language_code: [sentences.language] });
}

export function checkDigits(number: string, country: string): string {
  const digits = digitsOf(number, country);
  if (digits === undefined) throw new ValidationError({ phone_number: [sentences.phone] });
  return digits;
}
