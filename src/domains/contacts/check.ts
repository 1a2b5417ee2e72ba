import { ValidationError } from '../../platform/errors.ts';
import { formats } from '../../platform/http/validation/schemas/formats.ts';
import { isPhone, readPhone } from '../../platform/phone.ts';

export const sentences = {
  phone: 'Enter a valid phone number.',
  taken: 'A contact with this phone number exists already.',
  timeZone: 'Enter a valid time zone.',
};

/** By its name; the answer is kept, because to find it out takes 80 µs. */
const knownZones = new Map<string, boolean>([['', true]]);

export function isTimeZone(name: string): boolean {
  const known = knownZones.get(name);
  if (known !== undefined) return known;
  const isZone = formats['time-zone']!.accepts(name);
  // There are some six hundred; of what is none there is no end.
  if (isZone) knownZones.set(name, true);
  return isZone;
}

/** The digits under which a number is kept; undefined: it is none in the country. */
export const digitsOf = (number: string, country: string): string | undefined =>
  isPhone(number, country) ? readPhone(number, country) : undefined;

export function checkTimeZone(name: string | undefined): void {
  if (name !== undefined && !isTimeZone(name)) throw new ValidationError({ time_zone: [sentences.timeZone] });
}

export function checkDigits(number: string, country: string): string {
  const digits = digitsOf(number, country);
  if (digits === undefined) throw new ValidationError({ phone_number: [sentences.phone] });
  return digits;
}
