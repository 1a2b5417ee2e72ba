import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { csvLine } from '../platform/csv/write.ts';
import { thousands } from './progress.ts';

export interface BadRow {
  line: number;
  number: string;
  error: string;
}

export interface BadRowOptions {
  /** A CSV file for all of them. */
  file: string | undefined;
  isQuiet: boolean;
  /** Makes room on the terminal. */
  clear(): void;
}

const mostShown = 100;

/** Shows the first bad rows and writes all of them to a file, if one is wanted; no more than the first are kept. */
export function makeBadRows({ file: path, isQuiet, clear }: BadRowOptions) {
  const file: WriteStream | undefined = path === undefined ? undefined : createWriteStream(path);
  let broken: Error | undefined;
  file?.on('error', (error) => {
    broken = error;
  });
  file?.write(csvLine(['line', 'number', 'error']));
  const first: BadRow[] = [];
  let count = 0;
  return {
    first,
    count: () => count,
    add(row: BadRow): void {
      count++;
      file?.write(csvLine([row.line, row.number, row.error]));
      if (first.length >= mostShown) return;
      first.push(row);
      if (isQuiet) return;
      clear();
      console.error(`line ${row.line}: ${row.number && `${printable(row.number)}: `}${row.error}`);
    },
    async end(): Promise<void> {
      if (count > mostShown && !isQuiet) {
        console.error(`… and ${thousands(count - mostShown)} more${path ? ` in ${path}` : ''}.`);
      }
      file?.end();
      if (file && !broken) await finished(file).catch(() => {});
      if (broken) console.error(`The errors could not be written: ${broken.message}.`);
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file must not be able to steer the terminal
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
