import { longestText } from './keys.ts';

/** The text of a link with the code of its intro at the end, as people see it and send it; '' leaves it as it is. */
export function withCode(text: string, code: string): string {
  const mark = code === '' ? '' : `(${code})`;
  const room = longestText - mark.length - 1;
  return [mark === '' ? text.slice(0, longestText) : text.slice(0, room), mark]
    .filter((part) => part !== '')
    .join(' ')
    .toWellFormed();
}
