import parsePhoneNumber, { type NumberType } from 'libphonenumber-js/max';
import { isUserId } from '../../platform/phone.ts';

/** What a call or message to a number costs, roughly: what kind of number it is. */
export const priceClasses = ['STANDARD', 'SHARED_COST', 'PREMIUM'] as const;
export type PriceClass = (typeof priceClasses)[number];

export interface Destination {
  /** undefined: a short code, which belongs to the country it is sent in, or a number of no country. */
  country: string | undefined;
  priceClass: PriceClass;
}

const longestShortCode = 6;
/** Satellite and international networks, and international premium rate: no country has them, and all are expensive. */
const networks = /^(870|878|881|882|883|979)/;

/** What is known of numbers that were looked at lately: to find it out takes some 60 µs. */
const lately = new Map<string, Destination>();
const mostLately = 10_000;

/** Where a number is, by its digits. */
export function destinationOf(digits: string): Destination {
  const known = lately.get(digits);
  if (known) return known;
  const destination = look(digits);
  if (lately.size >= mostLately) lately.clear();
  lately.set(digits, destination);
  return destination;
}

function look(digits: string): Destination {
  if (isUserId(digits)) return { country: digits.slice(0, 2), priceClass: 'STANDARD' };
  if (digits.length <= longestShortCode) return { country: undefined, priceClass: 'STANDARD' };
  if (networks.test(digits)) return { country: undefined, priceClass: 'PREMIUM' };
  const number = parsePhoneNumber(`+${digits}`);
  return {
    // A number that fits no plan is of the main country of its code.
    country: number?.country ?? number?.getPossibleCountries()[0],
    priceClass: classOf(number?.getType()),
  };
}

function classOf(type: NumberType): PriceClass {
  if (type === 'PREMIUM_RATE') return 'PREMIUM';
  return type === 'SHARED_COST' ? 'SHARED_COST' : 'STANDARD';
}

/** Numbers that differ in their last three digits only; undefined for what has no such neighbours. */
export const rangeOf = (digits: string): string | undefined =>
  /^\d{8,}$/.test(digits) ? digits.slice(0, -3) : undefined;
