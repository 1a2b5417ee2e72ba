import type { TestEvent } from 'node:test/reporters';

/** A reporter for Node's test runner: the names of the outermost tests that failed, a line each. In `worker.ts` those are files. */
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`;
  }
}
