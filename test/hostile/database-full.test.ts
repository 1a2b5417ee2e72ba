import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { PostgresConnection } from '../../src/platform/postgres/index.ts';
import { type Answer, type Stage, startStage, until } from './outage-stage.ts';

const run = promisify(execFile);
const number = '+447700900001';

const send = (stage: Stage, key?: string): Promise<Answer> =>
  stage.call(
    'POST',
    '/v2/chatapp/messages/',
    { chatapp_number: number, to_chatapp_number: '+447700910000', type: 'TEXT', text: { body: 'x'.repeat(4000) } },
    key === undefined ? {} : { 'idempotency-key': key },
  );

/** 503 with a sentence, a code, and when to come back. */
function assertPutOff({ status, headers, body }: Answer, code: string): void {
  assert.deepEqual([status, body.code], [503, code], JSON.stringify(body));
  assert.match(body.detail, /Try again/);
  assert.ok(Number(headers.get('retry-after')) > 0);
}

async function asAdmin(connection: PostgresConnection, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe('A disk without room', { timeout: 240_000 }, () => {
  const tablespace = `tiny_${process.pid}`;
  let disk: string;
  let stage: Stage | undefined;
  let reason = '';
  before(async () => {
    disk = await mkdtemp(path.join(os.tmpdir(), 'parley-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', disk]);
    } catch (error) {
      reason = `A small disk cannot be mounted here: ${(error as Error).message}`;
      return;
    }
    stage = await startStage(
      {},
      {
        dataDir: path.join(disk, 'data'),
        // Its tables are on the small disk; PostgreSQL's own log is not.
        async prepare(connection) {
          const client = new pg.Client(connection);
          await client.connect();
          const { rows } = await client.query('show data_directory');
          await client.end();
          const { uid, gid } = await stat(rows[0].data_directory);
          const tables = path.join(disk, 'tables');
          await mkdir(tables, { mode: 0o700 });
          await chown(tables, uid, gid);
          await asAdmin(
            connection,
            `create tablespace ${tablespace} location '${tables}'`,
            `alter database ${connection.database} set tablespace ${tablespace}`,
          );
          return undefined;
        },
      },
    );
    await stage.parley.ready();
  });
  after(async () => {
    await stage?.stop();
    if (stage) await asAdmin(stage.connection, `drop tablespace ${tablespace}`);
    if (stage) await run('umount', [disk]);
    await rm(disk, { recursive: true, force: true });
  });

  const fill = async (): Promise<void> => {
    const file = await open(path.join(disk, 'ballast'), 'w');
    for (let size = 1024 * 1024; size >= 4096; ) {
      const isWritten = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten === size,
        () => false,
      );
      if (!isWritten) size /= 2;
    }
    await file.close();
  };

  it('is answered 503 disk_full, named by /readyz, and forgotten as soon as there is room again', async (t) => {
    if (!stage) return t.skip(reason);
    const there = stage;
    assert.equal((await send(there)).status, 201);
    await fill();
    // Pages that are there already are filled first.
    const refused = await until(
      () => send(there),
      ({ status }) => status !== 201,
    );
    assertPutOff(refused, 'disk_full');
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(3_000_000, 'a,b\n')]), 'contacts.csv');
    assertPutOff(await there.call('POST', '/v2/contacts/upload/', form), 'disk_full');
    const ready = await there.call('GET', '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.body.checks.disk, /^disk_full: /);
    assert.match(ready.body.checks.database, /^disk_full: /);
    assert.equal((await there.call('GET', '/v2/chatapp/messages/')).status, 200, 'what is there can be read');
    assert.match((await there.call('GET', '/metrics')).body, /^parley_disk_free_bytes \d+$/m);

    await rm(path.join(disk, 'ballast'));
    const accepted = await until(
      () => send(there),
      ({ status }) => status === 201,
    );
    await until(
      async () => (await there.call('GET', `/v2/chatapp/messages/${accepted.body.uuid}/`)).body.status,
      (status) => status === 'READ',
    );
    assert.equal(there.parley.output().includes('Unexpected error'), false, there.parley.output());
  });
});

describe('A database without connections', { timeout: 240_000 }, () => {
  const role = `limited_${process.pid}`;
  let stage: Stage;
  before(async () => {
    stage = await startStage(
      {},
      {
        async prepare(connection) {
          const { database } = connection;
          const client = new pg.Client(connection);
          await client.connect();
          await client.query(`create role ${role} login password 'limited'`);
          await client.query(`grant create on database ${database} to ${role}`);
          await client.query(`grant all on schema public to ${role}`);
          await client.query(`grant all on all tables in schema public to ${role}`);
          await client.query(`grant all on all sequences in schema public to ${role}`);
          await client.end();
          return { ...connection, user: role, password: 'limited' };
        },
      },
    );
    await stage.parley.ready();
  });
  after(async () => {
    await stage.stop();
    await asAdmin(stage.connection, `drop role ${role}`);
  });

  it('is answered 503 busy; nothing is a 500, and those that were put off succeed later', async () => {
    assert.equal((await send(stage)).status, 201);
    await stage.query(`alter role ${role} connection limit 0`);
    // Each keeps a connection of its own for as long as it runs.
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(stage, `key ${index}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.ok(refused.length > 0, 'there were not enough connections for all');
    for (const answer of refused) assertPutOff(answer, 'busy');
    await stage.query(`alter role ${role} connection limit -1`);
    for (const [index] of answers.entries()) {
      await until(
        () => send(stage, `key ${index}`),
        ({ status }) => status === 201,
      );
    }
    const [row] = await stage.query('select count(*)::int as count from messages');
    assert.equal(row.count, 41);
  });
});

describe('A hot table that somebody has locked', { timeout: 240_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await startStage({ DATABASE_LOCK_TIMEOUT_SECONDS: '1' });
    await stage.parley.ready();
    assert.equal((await send(stage)).status, 201);
  });
  after(() => stage.stop());

  it('puts off those who need it with 503 busy, and nobody else', async () => {
    const holder = new pg.Client(stage.connection);
    await holder.connect();
    await holder.query('begin; lock table messages in access exclusive mode');
    const held = [
      ...Array.from({ length: 20 }, () => stage.call('GET', '/v2/chatapp/messages/')),
      ...Array.from({ length: 10 }, (_, index) => send(stage, `key ${index}`)),
      ...Array.from({ length: 10 }, () => send(stage)),
    ];
    for (let count = 0; count < 10; count++) {
      for (const url of ['/v2/number/', '/v2/account/', '/v2/contacts/', '/v2/webhook-types/']) {
        assert.equal((await stage.call('GET', url)).status, 200, url);
      }
    }
    for (const answer of await Promise.all(held)) assertPutOff(answer, 'busy');
    await holder.query('rollback');
    await holder.end();
    assert.equal((await stage.call('GET', '/v2/chatapp/messages/')).status, 200);
    assert.equal((await send(stage)).status, 201);
    assert.equal(stage.parley.output().includes('Unexpected error'), false, stage.parley.output());
  });
});
