import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../kit/database.ts';
import { killTree, type Parley, processesOf, startParley } from '../../kit/program/parley-process.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('Parley as a process', linuxOnly, () => {
  let parent: string;
  const started: { parley: Parley; dataDir: string }[] = [];
  const start = (name: string, env: Record<string, string> = {}): Parley => {
    const dataDir = path.join(parent, name);
    const parley = startParley(dataDir, env);
    started.push({ parley, dataDir });
    return parley;
  };
  before(async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley start '));
  });
  after(async () => {
    for (const { parley, dataDir } of started) await killTree(parley.pid, dataDir);
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Exit code 1 and one sentence for a person: no stack trace, nothing of our code, nothing left running. */
  async function assertRefusal(parley: Parley, sentence: RegExp): Promise<void> {
    assert.equal(await parley.ended, 1, parley.output());
    const lines = parley.output().trim().split('\n');
    assert.match(lines.at(-1)!, sentence);
    assert.doesNotMatch(parley.output(), /\n\s+at |node:internal|\.ts:\d|Error:/);
    const dataDir = started.find((one) => one.parley === parley)!.dataDir;
    assert.deepEqual(await processesOf(parley.pid, dataDir), []);
  }

  it('serves, prints a curl that works, refuses a second one on its data, and SIGTERM ends all of it', async () => {
    const first = start('data');
    const url = await first.ready();
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const [, token] = /^ {2}Token +(\S+)$/m.exec(first.output())!;
    const [, body] = /-d '(\{.*\})'/.exec(first.output())!;
    const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
    const sent = await fetch(`${url}/v2/chatapp/messages/`, { method: 'POST', headers, body: body! });
    assert.equal(sent.status, 201);

    const second = startParley(path.join(parent, 'data'));
    assert.equal(await second.ended, 1);
    assert.match(second.output().trim(), /^The data directory .* is in use by another Parley .*DATA_DIR.*\.$/);
    assert.equal((await fetch(`${url}/readyz`)).status, 200, 'the first one is unharmed');

    first.signal('SIGTERM');
    assert.equal(await first.ended, 0, first.output());
    assert.deepEqual(await processesOf(first.pid, path.join(parent, 'data')), []);
  });

  it('ends in order where the terminal and whoever started it both tell it to', async () => {
    const parley = start('told twice');
    await parley.ready();
    parley.signal('SIGINT');
    parley.signal('SIGTERM');
    assert.equal(await parley.ended, 0, parley.output());
    assert.deepEqual(await processesOf(parley.pid, path.join(parent, 'told twice')), []);
  });

  it('a taken port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await assertRefusal(start('taken', { PORT: String(port) }), /^Port \d+ on 127\.0\.0\.1 is taken .*\.$/);
    } finally {
      other.close();
    }
  });

  it('a setting that makes no sense', async () => {
    await assertRefusal(start('setting', { PORT: 'eighty' }), /^PORT="eighty" is not a valid setting\. .*\.$/);
  });

  it('a database that cannot be reached', async () => {
    const parley = start('unreachable', { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    await assertRefusal(parley, /^The database cannot be reached \(.*\)\. Check DATABASE_URL .*\.$/);
  });

  it('a database that is newer than the code', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client(database.connection);
    await client.connect();
    await client.query("insert into schema_migrations (version, name, checksum) values (9999, '9999_later.sql', 'x')");
    await client.end();
    try {
      const parley = start('newer', { DATABASE_URL: database.url });
      await assertRefusal(parley, /^The database is newer than this Parley \(it has 9999_later\.sql\)\. .*\.$/);
    } finally {
      await database.drop();
    }
  });
});
