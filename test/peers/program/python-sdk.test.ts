// The Python SDK on the Python of the machine: against a running server, by its own README, and before a type checker.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { missingPeers } from '../../kit/peers.ts';

const root = path.join(import.meta.dirname, '../../..');
const sdk = path.join(root, 'sdk-python');
const run = promisify(execFile);
const python = '/usr/bin/python3';

const skip = missingPeers([python, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'], ['mypy', '--version']);

describe('The Python SDK', { skip, timeout: 600_000 }, () => {
  let app: TestApp;
  let url: string;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-python-'));
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    url = await app.app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });

  const inPython = (...args: string[]) =>
    run(python, ['-B', ...args], {
      cwd: sdk,
      timeout: 120_000,
      env: { ...process.env, PYTHONPATH: sdk, PARLEY_URL: url, PARLEY_TOKEN: app.token },
    });

  it('passes its own tests against a running server', async () => {
    const { stderr } = await inPython('tests/test_live.py');
    assert.match(stderr, /Ran 12 tests.*\nOK\n/s);
  });

  it('does what its README says', async () => {
    const readme = await readFile(path.join(sdk, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code]) => code!);
    assert.equal(blocks.length, 6);
    const script = path.join(directory, 'readme.py');
    const code = blocks.join('\n').replaceAll('http://127.0.0.1:8080', url).replaceAll('my-first-token', app.token);
    await writeFile(script, code);
    const { stdout } = await inPython(script);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0]!, /^[0-9a-f-]{36} QUEUED$/);
    assert.ok(lines.includes("400 invalid ['Enter a valid phone number.']"), stdout);
    const ids = lines.filter((line) => /^[0-9a-f-]{36}$/.test(line));
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
  });

  it('passes a strict type checker, with its tests', async () => {
    const cache = path.join(directory, 'mypy');
    const { stdout } = await run('mypy', ['--strict', `--cache-dir=${cache}`, 'parley', 'tests'], { cwd: sdk });
    assert.match(stdout, /^Success: no issues found in 12 source files/);
  });

  it('finds every pattern of the OpenAPI document readable', async () => {
    const code = `
import json, re, sys
def patterns(node):
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str): yield node["pattern"]
        for one in node.values(): yield from patterns(one)
    elif isinstance(node, list):
        for one in node: yield from patterns(one)
found = set(patterns(json.load(open(sys.argv[1]))))
for one in found: re.compile(one)
print(len(found))`;
    const { stdout } = await inPython('-c', code, path.join(root, 'openapi.json'));
    assert.ok(Number(stdout) > 20, stdout);
  });
});
