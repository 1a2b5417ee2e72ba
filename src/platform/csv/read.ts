import { open } from 'node:fs/promises';
import { CsvError, delimiterOf, type Row, rowGroupsOf } from './rows.ts';

export type { Row } from './rows.ts';
export { CsvError } from './rows.ts';

export interface ReadOptions {
  /** What stands between the cells. Left out: it is found out. */
  delimiter?: string | undefined;
  /** Hears how many bytes were read. */
  onBytes?: (bytes: number) => void;
}

/** The rows of a CSV file, the header first, as many at a time as its bytes bring; the encoding is found out. */
export async function* readRows(source: ByteSource, { delimiter, onBytes }: ReadOptions = {}): AsyncGenerator<Row[]> {
  const encoding = await encodingOf(source);
  const mark = delimiter ?? (await delimiterOf(textOf(source, encoding)));
  yield* rowGroupsOf(textOf(source, encoding, onBytes), mark);
}

/** The header of a file, and what comes after it. A file without one is no CSV file. */
export async function openRows(groups: AsyncGenerator<Row[]>): Promise<{ header: Row; rows: AsyncGenerator<Row[]> }> {
  for (;;) {
    const { value, done } = await groups.next();
    if (done) throw new CsvError('The file is empty.');
    const [header, ...first] = value;
    if (header) return { header, rows: startingWith(first, groups) };
  }
}

async function* startingWith(first: Row[], rest: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** What spreadsheets write. `windows-1252` is what the web calls Latin-1. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const pieceSize = 64 * 1024;

/** Gives the bytes from the beginning, as often as it is called. They may always come in the same memory. */
export type ByteSource = () => AsyncIterable<Uint8Array>;

/** Finds out how a text is encoded; one without a mark is read to its end, because one byte may decide. */
export async function encodingOf(source: ByteSource): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const piece of source()) {
    const wide = isFirst ? wideEncoding(piece) : undefined;
    if (wide) return wide;
    isFirst = false;
    if (!decodes(() => decoder.decode(piece, { stream: true }))) return 'windows-1252';
  }
  return decodes(() => decoder.decode()) ? 'utf-8' : 'windows-1252';
}

/** The bytes of a file on this machine, always in the same memory: to be used before the next are asked for. */
export const bytesOfFile = (path: string): ByteSource =>
  async function* () {
    const bytes = Buffer.allocUnsafeSlow(pieceSize);
    const file = await open(path);
    try {
      for (;;) {
        const { bytesRead } = await file.read(bytes, 0, pieceSize);
        if (bytesRead === 0) return;
        yield bytes.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  };

/** UTF-16 has a mark; without one, ASCII in it has a zero in every other byte. */
function wideEncoding(start: Uint8Array): Encoding | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const sample = start.subarray(0, 200);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]!++;
  const most = sample.length * 0.4;
  if (zeros[1]! > most && zeros[0] === 0) return 'utf-16le';
  return zeros[0]! > most && zeros[1] === 0 ? 'utf-16be' : undefined;
}

function decodes(decode: () => void): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

/** The text, some at a time, without a byte order mark; `onBytes` hears how much was read. */
export async function* textOf(source: ByteSource, encoding: Encoding, onBytes: (bytes: number) => void = () => {}) {
  const decoder = new TextDecoder(encoding);
  for await (const piece of source()) {
    onBytes(piece.length);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}
