import { open } from 'node:fs/promises';

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
