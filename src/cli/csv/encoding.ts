import { createReadStream } from 'node:fs';

/** What spreadsheets write. `windows-1252` is what the web calls Latin-1. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Finds out how a file is encoded; a file without a mark is read to its end, because one byte may decide. */
export async function encodingOf(path: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const wide = isFirst ? wideEncoding(chunk) : undefined;
    if (wide) return wide;
    isFirst = false;
    if (!decodes(() => decoder.decode(chunk, { stream: true }))) return 'windows-1252';
  }
  return decodes(() => decoder.decode()) ? 'utf-8' : 'windows-1252';
}

/** UTF-16 has a mark; without one, ASCII in it has a zero in every other byte. */
function wideEncoding(start: Buffer): Encoding | undefined {
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

/** The text of a file, some at a time, without a byte order mark; `onBytes` hears how much was read. */
export async function* textOf(path: string, encoding: Encoding, onBytes: (bytes: number) => void = () => {}) {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}
