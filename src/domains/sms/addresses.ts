import { phoneDigits } from '../../platform/phone.ts';

/** Who an SMS is from: a number, or a name of up to eleven characters where the other side allows names. */

/** As in the formats of `platform/http/validation`: five to fifteen digits, among marks that people write between them. */
const number = '[+\\s.()[\\]-]*(?:\\d[+\\s.()[\\]-]*){5,15}';
/** A letter somewhere, so that nobody takes it for a number; no space at either end. */
const name = '(?=.*[A-Za-z])[A-Za-z0-9&.-](?:[A-Za-z0-9 &.-]{0,9}[A-Za-z0-9&.-])?';

export const senderNamePattern = `^${name}$`;
export const senderPattern = `^(?:${number}|${name})$`;

export const isName = (sender: string): boolean => /\p{L}/u.test(sender);

/** What an address is compared by: a number's digits, or a name in small letters. */
export const addressKey = (address: string): string => (isName(address) ? address.toLowerCase() : phoneDigits(address));
