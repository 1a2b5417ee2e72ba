import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const module = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** A process in which things go wrong outside any request. */
const program = `
  import { Registry } from ${JSON.stringify(import.meta.resolve('prom-client'))};
  import { keepServing, showUnhandledErrors } from ${module('./unhandled-errors.ts')};
  import { makeLog } from ${module('./platform/log.ts')};
  const registry = new Registry();
  showUnhandledErrors(registry, keepServing(makeLog({ level: 'error', pretty: false })));
  for (let n = 0; n < 30; n++) setImmediate(() => { throw new Error('thrown by a timer'); });
  Promise.reject(new Error('awaited by nobody'));
  process.once('beforeExit', async () => console.log(await registry.metrics()));
`;

describe('errors that nobody handled', () => {
  it('are logged with their stack and counted, and the process goes on', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    assert.match(stdout, /awaited by nobody/);
    assert.match(stdout, /"stack":"Error: thrown by a timer\\n +at /);
    assert.equal(stdout.match(/"level":"error"/g)?.length, 20, 'a flood of them does not flood the log');
    assert.match(stdout, /^parley_unhandled_errors_total\{kind="exception"\} 30$/m);
    assert.match(stdout, /^parley_unhandled_errors_total\{kind="rejection"\} 1$/m);
  });
});
