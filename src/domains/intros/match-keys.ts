import { hash } from 'node:crypto';
import { normalise } from './normalise.ts';
import { render } from './render.ts';

/** What of an intro decides which inbound messages are meant for it. */
interface Matchable {
  reference_id: string | null;
  expected_message_template: string;
  extra_variable_data: Record<string, string>;
}

/** NFKC can make eighteen characters of one; an index entry has to stay below a third of a page. */
export const longestKey = 255;

/** The variables an intro knows before anybody has written: its own data, where filled in, and its reference. */
export function introVariables(intro: Omit<Matchable, 'expected_message_template'>): Record<string, string> {
  const filled = Object.entries(intro.extra_variable_data).filter(([, value]) => value !== '');
  const reference = intro.reference_id === null ? [] : [['reference_id', intro.reference_id] as const];
  return Object.fromEntries([...reference, ...filled]);
}

/** The form in which reference ids are compared. */
export const referenceKey = (reference: string): string => normalise(reference).slice(0, longestKey).toWellFormed();

/** The form in which whole texts are compared: short whatever the text; null for one with nothing in it. */
export const textHash = (text: string): string | null => normalisedHash(normalise(text));

export const normalisedHash = (plain: string): string | null =>
  plain === '' ? null : hash('sha256', plain, 'base64url');

/** What the run-time looks intros up by, kept with the intro. */
export const matchKeys = (intro: Matchable) => ({
  reference_key: intro.reference_id === null ? null : referenceKey(intro.reference_id) || null,
  expected_hash: textHash(render(intro.expected_message_template, introVariables(intro)).text),
});
