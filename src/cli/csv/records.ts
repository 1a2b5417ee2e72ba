import { Complaint } from '../complaint.ts';

/** A record as it stands in the file, and the line on which it begins; or what is wrong there. */
export type RawRecord = { line: number; text: string; error?: undefined } | { line: number; error: string };

const mostLines = 50;
const longestLine = 1024 * 1024;

/**
 * Finds where records begin and end, so that a parser can be given one after the other and a broken one spoils no other. A
 * quote that is not closed within fifty lines is taken for a mistake of its own line: what follows is read as if it were not
 * there. Blank lines are passed over.
 */
export async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<RawRecord> {
  let line = 0;
  let held: string[] = [];
  let isOpen = false;

  function* take(next: string): Generator<RawRecord> {
    line++;
    if (held.length === 0 && next.trim() === '') return;
    held.push(next);
    isOpen = endsWithinQuotes(next, isOpen, delimiter);
    if (isOpen) {
      if (held.length >= mostLines) yield* giveUp();
      return;
    }
    yield { line: line - held.length + 1, text: held.join('\n') };
    held = [];
  }

  function* giveUp(): Generator<RawRecord> {
    const [, ...rest] = held;
    line -= rest.length;
    yield { line, error: 'A quote is opened and not closed.' };
    held = [];
    isOpen = false;
    for (const again of rest) yield* take(again);
  }

  for await (const next of linesOf(text)) yield* take(next);
  while (held.length > 0) yield* giveUp();
}

/** Lines by any of the three ends that files have. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    yield* lines;
    if (rest.length > longestLine)
      throw new Complaint('The file has a line of more than a million characters: it is no CSV file.', 2);
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
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
