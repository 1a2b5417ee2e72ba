import { hash } from 'node:crypto';
import { render } from '../../../platform/text/fill.ts';

/** The fields of an intro that decide which inbound messages are meant for it. */
interface Matchable {
  reference_id: string | null;
  expected_message_template: string;
  extra_variable_data: Record<string, string>;
}

/** NFKC can make eighteen characters of one; an index entry has to stay below a third of a page. */
export const longestKey = 255;
/** The longest text that the platform takes as one message. */
export const longestText = 4096;

/** The variables an intro knows before anybody has written: its own data, where filled in, and its reference. */
function introVariables(intro: Omit<Matchable, 'expected_message_template'>): Record<string, string> {
  const filled = Object.entries(intro.extra_variable_data).filter(([, value]) => value !== '');
  const reference = intro.reference_id === null ? [] : [['reference_id', intro.reference_id] as const];
  return Object.fromEntries([...reference, ...filled]);
}

/** The form in which reference ids are compared. */
export const referenceKey = (reference: string): string => normalise(reference).slice(0, longestKey).toWellFormed();

/**
 * The form in which whole texts are compared: 128 bits of a hash, written as the narrowest type there is for them; null for a
 * text with nothing in it.
 */
export const textHash = (text: string): string | null => normalisedHash(normalise(text));

export const normalisedHash = (plain: string): string | null =>
  plain === '' ? null : asUuid(hash('sha256', plain, 'hex'));

const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;

/** The text that the link of an intro brings along. */
export const linkText = (intro: Matchable): string =>
  render(intro.expected_message_template, introVariables(intro)).text;

/** What the run-time looks intros up by. */
export const matchKeys = (intro: Matchable) => ({
  reference_key: referenceKeyOf(intro.reference_id),
  expected_hash: textHash(linkText(intro)),
});

/** null: there is nothing to look up by. */
export const referenceKeyOf = (reference: string | null): string | null =>
  reference === null ? null : referenceKey(reference) || null;

/**
 * Brings texts that a person would call the same to one form: compatibility forms (NFKC), case and white space do not count.
 * Case is folded by going down, up and down: ẞ, ß and SS meet only that way. NFKC again, because folding may leave sequences
 * that compose.
 */
export function normalise(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/\s+/g, ' ').trim();
}

/** The text of a link with the code of its intro at the end, as people see it and send it; '' leaves it as it is. */
export function withCode(text: string, code: string): string {
  const mark = code === '' ? '' : `(${code})`;
  const room = longestText - mark.length - 1;
  return [mark === '' ? text.slice(0, longestText) : text.slice(0, room), mark]
    .filter((part) => part !== '')
    .join(' ')
    .toWellFormed();
}
