import { international, isPlain, readPhone } from '../../platform/phone.ts';

/** Who an SMS is from: a number, or a name of up to eleven characters where the other side allows names. */

/** Digits among marks that people write between them; `isPhone` says whether they are a number. */
const number = '[+\\s.()[\\]-]*(?:\\d[+\\s.()[\\]-]*){5,19}';
/** A letter somewhere, so that nobody takes it for a number; no space at either end. */
const name = '(?=.*[A-Za-z])[A-Za-z0-9&.-](?:[A-Za-z0-9 &.-]{0,9}[A-Za-z0-9&.-])?';

export const senderNamePattern = `^${name}$`;
export const senderPattern = `^(?:${number}|${name})$`;

export const isName = (sender: string): boolean => /\p{L}/u.test(sender);

/**
 * The key by which addresses are compared: a number's digits, or a name in lower case. `country` is that of national numbers; it
 * may be left out where addresses are only compared with each other.
 */
export const addressKey = (address: string, country?: string): string =>
  isName(address) ? address.toLowerCase() : readPhone(address, country);

/** Whether an address means the same in every country. */
export const isClear = (address: string): boolean => isName(address) || isPlain(address);

/** How an address is handed to links: names and short codes as they are, numbers with their country. */
export const addressFor = (address: string, key: string): string => (isName(address) ? address : international(key));
