import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Why a command could not be carried out, in words for the person at the terminal. */
export class Complaint extends Error {
  override name = 'Complaint';
  readonly exitCode: number;

  constructor(sentence: string, exitCode = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export interface Progress {
  /** Rows and bytes so far. */
  show(rows: number, bytes: number): void;
  /** Makes room for other lines. */
  clear(): void;
}

const barWidth = 24;
const onTerminalMs = 100;
const elsewhereMs = 5000;

/** Tells how far an import is: a bar on a terminal, a line now and then elsewhere. */
export function makeProgress(
  stream: NodeJS.WriteStream,
  totalBytes: number,
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now();
  let shownAt = startedAt;
  const everyMs = stream.isTTY ? onTerminalMs : elsewhereMs;
  return {
    show(rows, bytes) {
      if (now() - shownAt < everyMs) return;
      shownAt = now();
      const text = progressLine(rows, bytes / totalBytes, (shownAt - startedAt) / 1000);
      stream.write(stream.isTTY ? `\r\x1b[K${barOf(bytes / totalBytes)} ${text}` : `${text}\n`);
    },
    clear: () => void (stream.isTTY && stream.write('\r\x1b[K')),
  };
}

const barOf = (share: number): string => {
  const full = Math.round(Math.min(share, 1) * barWidth);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
};

function progressLine(rows: number, share: number, seconds: number): string {
  const left = share > 0 ? Math.max(0, seconds / share - seconds) : 0;
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  return `${Math.floor(share * 100)} %, ${thousands(rows)} rows, ${thousands(rate)} rows/s, ${Math.ceil(left)} s left`;
}

export const thousands = (count: number): string => count.toLocaleString('en');

/**
 * A password from whoever is at the terminal, asked for twice and not shown; or the first line of standard input. Never an argument: other users of
 * the machine see those, and the shell keeps them.
 */
export async function readPassword(input: NodeJS.ReadStream = process.stdin): Promise<string> {
  if (!input.isTTY) return (await firstLine(input)) ?? refuse('Standard input has no password.');
  const [first, second] = [await ask(input, 'Password: '), await ask(input, 'Once more: ')];
  if (first !== second) refuse('The two are not the same.');
  return first;
}

const refuse = (sentence: string): never => {
  throw new Complaint(sentence, 2);
};

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line === '' ? undefined : line;
  return undefined;
}

function ask(input: NodeJS.ReadStream, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    reader.once('line', (line) => {
      isAnswered = true;
      reader.close();
      resolve(line);
    });
    // Ctrl-C and Ctrl-D.
    reader.once('close', () => {
      process.stderr.write('\n');
      if (!isAnswered) reject(new Complaint('Nothing was done.', 2));
    });
  });
}
