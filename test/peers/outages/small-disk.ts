// A disk of its own, in memory, that a test can fill.
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface SmallDisk {
  path: string;
  /** Takes all of the room there is, but for so many bytes. */
  fill(leftBytes?: number): Promise<void>;
  /** Gives it back. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);

/** Fails where the test may not mount anything. */
export async function makeSmallDisk(mebibytes: number): Promise<SmallDisk> {
  const disk = await mkdtemp(path.join(os.tmpdir(), 'parley-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', disk]);
  } catch (error) {
    await rm(disk, { recursive: true, force: true });
    throw error;
  }
  const ballast = path.join(disk, 'ballast');
  return {
    path: disk,
    async fill(leftBytes = 0) {
      const file = await open(ballast, 'w');
      let written = 0;
      for (let size = 1024 * 1024; size >= 4096; ) {
        const { bytesWritten } = await file.write(Buffer.alloc(size)).catch(() => ({ bytesWritten: 0 }));
        written += bytesWritten;
        if (bytesWritten < size) size /= 2;
      }
      await file.close();
      await truncate(ballast, written - leftBytes);
    },
    empty: () => rm(ballast),
    async remove() {
      await run('umount', ['--lazy', disk]);
      await rm(disk, { recursive: true, force: true });
    },
  };
}
