import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { readRing } from './read-ring.ts';

describe('Where the ring comes from', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-ring-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  const read = (env: Record<string, string>, isMade?: boolean) =>
    readRing(readConfig({ DATA_DIR: directory, ...env }), isMade);
  const refusal = async (env: Record<string, string>): Promise<string> => {
    const error = await read(env).then(
      () => undefined,
      (error: Error) => error,
    );
    assert.ok(error instanceof StartError, String(error));
    return error.message;
  };

  it('SECRET_KEY is a ring of one, commas and all; SECRET_KEYS is several', async () => {
    assert.deepEqual(await read({ SECRET_KEY: 'one, with a comma' }), ['one, with a comma']);
    assert.deepEqual(await read({ SECRET_KEYS: 'new, old' }), ['new', 'old']);
    assert.match(await refusal({ SECRET_KEYS: 'new', SECRET_KEY: 'old' }), /^SECRET_KEYS and SECRET_KEY are set\./);
    assert.match(await refusal({ SECRET_KEYS: ' , ' }), /gives no key/);
    assert.match(await refusal({ SECRET_KEYS: 'a,a' }), /same key twice/);
  });

  it('the file of the data directory is made once; one of several lines is a ring', async () => {
    assert.deepEqual(await read({}, false), []);
    const [made] = await read({});
    assert.match(made!, /^[0-9a-f]{64}$/);
    assert.deepEqual(await read({}), [made]);
    await writeFile(path.join(directory, 'secret-key'), `new\n${made}`);
    assert.deepEqual(await read({}), ['new', made]);
    await writeFile(path.join(directory, 'secret-key'), 'typed\n');
    assert.deepEqual(await read({}), ['typed\n'], 'as it was read before there were rings');
    await writeFile(path.join(directory, 'secret-key'), 'new\ntyped\n');
    assert.deepEqual(await read({}), ['new', 'typed', 'typed\n']);
  });

  it('a command prints it; when that fails, neither the command nor its output is shown', async () => {
    assert.deepEqual(await read({ SECRET_KEYS_COMMAND: 'echo new; echo old' }), ['new', 'old']);
    const said = await refusal({ SECRET_KEYS_COMMAND: 'echo hidden; echo No vault. >&2; exit 3' });
    assert.equal(said, 'The command of SECRET_KEYS_COMMAND failed (3). No vault.');
  });

  it('a key service answers with it, as lines or JSON, for a token', async () => {
    const answers: Record<string, [number, string]> = {
      '/lines': [200, 'new\nold\n'],
      '/json': [200, '{"keys":["new","old"]}'],
      '/other': [200, '{"secret":"hidden"}'],
      '/gone': [404, 'hidden'],
    };
    const tokens: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      tokens.push(request.headers.authorization);
      const [status, text] = answers[request.url!]!;
      response.writeHead(status).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const of = (place: string) => ({ SECRET_KEYS_URL: `${url}${place}`, SECRET_KEYS_TOKEN: 'sesame' });
      assert.deepEqual(await read(of('/lines')), ['new', 'old']);
      assert.deepEqual(await read(of('/json')), ['new', 'old']);
      assert.deepEqual(tokens, ['Bearer sesame', 'Bearer sesame']);
      assert.match(await refusal(of('/other')), /JSON other than/);
      assert.equal(await refusal(of('/gone')), 'The key service of SECRET_KEYS_URL answered 404.');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
