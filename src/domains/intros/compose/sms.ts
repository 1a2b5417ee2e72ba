import { makeFiller, upTo } from '../../../platform/text/fill.ts';
import type { Problem } from './checked.ts';

export interface FilledSms {
  sms: { from: string; text: string };
  missing: string[];
}

/** Ten parts of an SMS hold 670 characters of any kind. */
const longest = 660;

/** The text of a notification by SMS as stored with an intro, filled in. */
export function composeSms(
  { from, template }: { from: string; template: string },
  variables: Readonly<Record<string, string>>,
): FilledSms | Problem {
  const filler = makeFiller(variables);
  const text = filler.fill(template, upTo(longest)) as string;
  if (text.trim() === '') return { problem: 'The text of the SMS is empty.' };
  return { sms: { from, text }, missing: filler.missing() };
}
