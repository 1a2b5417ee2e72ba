/** One of the processes of `scripts/test.ts`: runs test files one after the other until the queue is empty. */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { followTestsByContext } from './follow-tests.ts';
import { type TestQueue, takeFrom, testQueueVariable } from './queue.ts';
import { beginFolder } from './sharing.ts';

/** Many times what the longest takes on a slow machine. One that hangs fails, and the others still run. */
const longestFileMs = 15 * 60_000;

const forgetTests = followTestsByContext();
const { test } = await import('node:test');
const queue: TestQueue = JSON.parse(readFileSync(process.env[testQueueVariable]!, 'utf8'));

let running: string | undefined;
// The runner says only which process it was, if it cannot tell whose error that is.
process.on('uncaughtExceptionMonitor', (error) => {
  if (running === undefined) return;
  appendFileSync(queue.broken, `${running}\n`);
  console.error(`An error that nobody caught, during ${running}:`, error);
});

let folder: string | undefined;
for (const file of takeFrom(queue)) {
  running = file;
  if (path.dirname(file) !== folder) await beginFolder();
  folder = path.dirname(file);
  // What a file declares at its top level belongs to this test, which ends when all of that has ended.
  await test(file, { timeout: longestFileMs }, async () => {
    await import(pathToFileURL(path.join(queue.root, file)).href);
  });
  forgetTests();
}
await beginFolder();

// What a failed test left running does not keep this process from ending.
setTimeout(() => process.exit(), 10_000).unref();
