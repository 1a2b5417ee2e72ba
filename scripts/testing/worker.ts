/** One of the processes of `scripts/test.ts`: runs test files one after the other until the queue is empty. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { followTestsByContext } from './follow-tests.ts';
import { takeFrom, testQueueVariable } from './queue.ts';
import { beginFolder } from './sharing.ts';

/** Many times what the longest takes on a slow machine. One that hangs fails, and the others still run. */
const longestFileMs = 15 * 60_000;

followTestsByContext();
const { test } = await import('node:test');
const queue = JSON.parse(readFileSync(process.env[testQueueVariable]!, 'utf8'));

let folder: string | undefined;
for (const file of takeFrom(queue)) {
  if (path.dirname(file) !== folder) await beginFolder();
  folder = path.dirname(file);
  // What a file declares at its top level belongs to this test, which ends when all of that has ended.
  await test(file, { timeout: longestFileMs }, async () => {
    await import(pathToFileURL(path.join(queue.root, file)).href);
  });
}
await beginFolder();

// What a failed test left running does not keep this process from ending.
setTimeout(() => process.exit(), 10_000).unref();
