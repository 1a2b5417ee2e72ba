import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Hands the queue from `scripts/test.ts` to its processes: the path of a file with a `TestQueue` as JSON. */
export const testQueueVariable = 'PARLEY_TEST_QUEUE';

/** The test files of a run, which several processes take from, one at a time. */
export interface TestQueue {
  root: string;
  files: string[];
  /** A directory; what is taken has an entry here. */
  claims: string;
  /** A text file with the names of files, a line each, while which an error came up that nobody caught. */
  broken: string;
}

/** Takes the next file that nobody has taken. Making a directory succeeds for one process only. */
export function* takeFrom({ files, claims }: TestQueue): Generator<string> {
  for (const [index, file] of files.entries()) {
    try {
      mkdirSync(path.join(claims, String(index)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    yield file;
  }
}
