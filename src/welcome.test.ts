import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from './platform/config.ts';
import { greet } from './welcome.ts';

const first = { token: 'token-made-now', user: { username: 'admin', password: 'password-made-now' } };

describe('The first secrets', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-welcome-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  const said = (env: Record<string, string>, isTerminal: boolean, made: object = first) =>
    greet({ config: readConfig({ DATA_DIR: directory, ...env }), port: 8080, first: made }, isTerminal);

  it('are printed, also where output is no terminal', async () => {
    for (const isTerminal of [true, false]) {
      const text = await said({}, isTerminal);
      assert.match(text, /^ {2}Token {3}token-made-now$/m);
      assert.match(text, /^ {2}User {4}admin, password password-made-now$/m);
    }
    assert.match(await said({ PRINT_SECRETS: 'terminal' }, true), /token-made-now/);
  });

  it('with PRINT_SECRETS=terminal go to a file of their own where output is no terminal', async () => {
    const text = await said({ PRINT_SECRETS: 'terminal' }, false);
    assert.doesNotMatch(text, /made-now/);
    const file = path.join(directory, 'first-secrets');
    assert.ok(text.includes(file));
    assert.equal(await readFile(file, 'utf8'), 'token token-made-now\nusername admin\npassword password-made-now\n');
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('that the operator gave are neither printed nor written there', async () => {
    const env = {
      PRINT_SECRETS: 'terminal',
      BOOTSTRAP_TOKEN: 'token-of-the-operator',
      DATA_DIR: path.join(directory, 'none'),
    };
    const text = await said(env, false, { token: 'token-of-the-operator' });
    assert.doesNotMatch(text, /token-of-the-operator|first-secrets/);
    assert.match(text, /as set in BOOTSTRAP_TOKEN/);
  });
});
