import { mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const enoughBytes = 4 * 2 ** 30;

/**
 * A directory for what the tests write: in memory, where there is plenty. A database is copied for every test file, some 1,300
 * small files, which takes 50 ms there and up to a second on a disk.
 */
export const makeScratch = (): string => mkdtempSync(path.join(hasRoom() ? memory : os.tmpdir(), 'parley-'));

function hasRoom(): boolean {
  if (os.freemem() < 2 * enoughBytes) return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes && mayRunPrograms();
  } catch {
    // There is no such place on this system.
    return false;
  }
}

/** Some tests install programs in a directory of theirs and run them. */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === memory)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}
