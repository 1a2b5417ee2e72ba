import type { Answer } from './route.ts';

/** The header that says what was accepted but will not do what its author may expect. */
export const warningsHeader = 'parley-warnings';

const mostWarnings = 20;
const longestWarning = 400;
const longestValue = 4_000;

/** The answer with warnings, one sentence each: `withWarnings(created(intro), ['notify_template: It is not approved.'])`. */
export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, [warningsHeader]: warningsValue(warnings) } };
}

/**
 * The sentences as a list of strings (RFC 9651): `"one", "two"`. What is not printable ASCII is percent-encoded as UTF-8, and so is
 * the percent sign; long sentences and long lists are cut short.
 */
export function warningsValue(warnings: readonly string[]): string {
  let list = '';
  for (const warning of warnings.slice(0, mostWarnings)) {
    const string = `"${inAscii(warning).replace(/["\\]/g, '\\$&')}"`;
    const longer = list === '' ? string : `${list}, ${string}`;
    if (list !== '' && longer.length > longestValue) break;
    list = longer;
  }
  return list;
}

const inAscii = (text: string): string =>
  [...text.toWellFormed()]
    .slice(0, longestWarning)
    .map((character) => (/[\x20-\x24\x26-\x7e]/.test(character) ? character : encodeURIComponent(character)))
    .join('');
