import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * PostgreSQL numbers every byte of its write-ahead log (WAL) and keeps them in files of 16 MiB, the segments. The name of a segment is its
 * timeline and its number in hexadecimal: 000000010000000000000002.
 */
export const segmentBytes = 16n * 1024n * 1024n;

const segmentsPerLog = 0x1_0000_0000n / segmentBytes;
const segmentName = /^[0-9A-F]{24}$/;
/** The segment that is being received: renamed when it is full. */
export const partial = '.partial';

/** A position as PostgreSQL writes it, such as 0/2000028. */
export function readPosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const writePosition = (position: bigint): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();

const segmentStart = (position: bigint): bigint => position - (position % segmentBytes);

/** The name of the segment that holds a position. */
export function nameOf(timeline: number, position: bigint): string {
  const number = position / segmentBytes;
  const parts = [BigInt(timeline), number / segmentsPerLog, number % segmentsPerLog];
  return parts
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase();
}

export const isSegmentName = (name: string): boolean => segmentName.test(name);

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** The position of the first byte of a segment. */
export function startOf(name: string): bigint {
  const log = BigInt(`0x${name.slice(8, 16)}`);
  const number = BigInt(`0x${name.slice(16, 24)}`);
  return (log * segmentsPerLog + number) * segmentBytes;
}

/** The segment that follows. */
export const after = (name: string): string => nameOf(timelineOf(name), startOf(name) + segmentBytes);

/** Writes a stream of WAL to a directory, a file for each segment. */
export interface SegmentWriter {
  write(position: bigint, bytes: Buffer): Promise<void>;
  /** Waits until all of it is on the disk, and answers up to where that is. */
  sync(): Promise<bigint>;
  close(): Promise<void>;
}

export function openSegments(directory: string, timeline: number, from: bigint): SegmentWriter {
  let file: { handle: FileHandle; name: string } | undefined;
  let written = from;

  async function fileOf(name: string): Promise<FileHandle> {
    if (file?.name === name) return file.handle;
    // What was received of it before is the same, and is written over: at no moment is there less of it on the disk.
    const handle = await open(join(directory, name + partial), constants.O_RDWR | constants.O_CREAT, 0o600);
    file = { handle, name };
    return handle;
  }

  async function finish({ handle, name }: { handle: FileHandle; name: string }): Promise<void> {
    await handle.datasync();
    await handle.close();
    file = undefined;
    await rename(join(directory, name + partial), join(directory, name));
    await syncDirectory(directory);
  }

  return {
    async write(position, bytes) {
      if (position !== written) throw new Error(`The WAL came with a gap: ${written} was expected, not ${position}.`);
      for (let done = 0; done < bytes.length; ) {
        const name = nameOf(timeline, written);
        const handle = await fileOf(name);
        const offset = Number(written - segmentStart(written));
        const length = Math.min(bytes.length - done, Number(segmentBytes) - offset);
        const { bytesWritten } = await handle.write(bytes, done, length, offset);
        done += bytesWritten;
        written += BigInt(bytesWritten);
        if (written % segmentBytes === 0n) await finish({ handle, name });
      }
    },
    async sync() {
      const reached = written;
      await file?.handle.datasync();
      return reached;
    },
    async close() {
      await file?.handle.close();
      file = undefined;
    },
  };
}

/** The segments of a directory in their order, and the one that was being received. */
export async function listSegments(directory: string): Promise<{ whole: string[]; begun: string | undefined }> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const whole = names.filter(isSegmentName).sort();
  const begun = names
    .filter((name) => name.endsWith(partial) && isSegmentName(name.slice(0, -partial.length)))
    .map((name) => name.slice(0, -partial.length))
    .sort()
    .at(-1);
  return { whole, begun: begun !== undefined && !whole.includes(begun) ? begun : undefined };
}

/** Where receiving goes on in a directory that may hold segments of this timeline already. */
export async function resumeAt(directory: string, timeline: number, earliest: bigint): Promise<bigint> {
  const { whole, begun } = await listSegments(directory);
  const last = whole.findLast((name) => timelineOf(name) === timeline);
  const next = begun ?? (last && after(last));
  const least = segmentStart(earliest);
  if (next === undefined || timelineOf(next) !== timeline) return least;
  return startOf(next) > least ? startOf(next) : least;
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}
