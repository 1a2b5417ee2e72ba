import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, isSegmentName, nameOf, partial, segmentBytes, segmentStart, startOf, timelineOf } from './segments.ts';

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
