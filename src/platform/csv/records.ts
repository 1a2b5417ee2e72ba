/** A record as it stands in the file, and the line on which it begins; or what is wrong there. */
export type RawRecord =
  | { line: number; text: string; error?: undefined }
  | { line: number; error: string; text: string };

/** Why a file cannot be read as CSV at all. */
export class CsvError extends Error {
  override name = 'CsvError';
}

const mostLines = 50;
export const longestLine = 1024 * 1024;

/**
 * Finds where records begin and end, so that a parser can be given one after the other and a broken one spoils no other. A
 * quote that is not closed within fifty lines is taken for a mistake of its own line: what follows is read as if it were not
 * there. Blank lines are passed over. The records of a piece of text come together: one at a time would take as long as all else.
 */
export async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<RawRecord[]> {
  let line = 0;
  let held: string[] = [];
  let isOpen = false;
  let found: RawRecord[] = [];

  const take = (next: string): void => {
    line++;
    if (held.length === 0 && next.trim() === '') return;
    isOpen = endsWithinQuotes(next, isOpen, delimiter);
    if (held.length === 0 && !isOpen) return void found.push({ line, text: next });
    held.push(next);
    if (isOpen) {
      if (held.length >= mostLines) giveUp();
      return;
    }
    found.push({ line: line - held.length + 1, text: held.join('\n') });
    held = [];
  };

  const giveUp = (): void => {
    const [text = '', ...rest] = held;
    line -= rest.length;
    found.push({ line, error: 'A quote is opened and not closed.', text });
    held = [];
    isOpen = false;
    for (const again of rest) take(again);
  };

  for await (const lines of linesOf(text)) {
    for (const next of lines) take(next);
    yield found;
    found = [];
  }
  while (held.length > 0) giveUp();
  yield found;
}

/** Lines by any of the three ends that files have. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    yield lines;
    if (rest.length > longestLine) {
      throw new CsvError('The file has a line of more than a million characters: it is no CSV file.');
    }
  }
  if (rest !== '') yield [rest.replace(/\r$/, '')];
}

/** Whether a line ends inside a quoted cell. Quotes count where a cell begins, and are doubled inside (RFC 4180). */
function endsWithinQuotes(line: string, beganWithin: boolean, delimiter: string): boolean {
  if (!line.includes('"')) return beganWithin;
  let at = 0;
  if (beganWithin) {
    at = afterQuotes(line, 0);
    if (at < 0) return true;
    at = afterDelimiter(line, at, delimiter);
  }
  while (at >= 0) {
    while (line[at] === ' ') at++;
    if (line[at] === '"') at = afterQuotes(line, at + 1);
    if (at < 0) return true;
    at = afterDelimiter(line, at, delimiter);
  }
  return false;
}

/** Behind the quote that closes a cell; -1 where none does. */
function afterQuotes(line: string, from: number): number {
  let quote = line.indexOf('"', from);
  while (quote >= 0 && line[quote + 1] === '"') quote = line.indexOf('"', quote + 2);
  return quote < 0 ? -1 : quote + 1;
}

/** Where the next cell begins; -1 where there is none. */
function afterDelimiter(line: string, from: number, delimiter: string): number {
  const next = line.indexOf(delimiter, from);
  return next < 0 ? -1 : next + 1;
}
