import assert from 'node:assert/strict';
import { chown, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { PostgresConnection } from '../../../src/platform/postgres/index.ts';
import { type Program, type ProgramAnswer, startProgram } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';
import { makeSmallDisk, type SmallDisk } from './small-disk.ts';

const number = '+447700900001';

const send = (program: Program, key?: string): Promise<ProgramAnswer> =>
  program.call(
    'POST',
    '/v2/chatapp/messages/',
    { chatapp_number: number, to_chatapp_number: '+447700910000', type: 'TEXT', text: { body: 'x'.repeat(4000) } },
    key === undefined ? {} : { 'idempotency-key': key },
  );

/** 503 with a sentence, a code, and when to come back. */
function assertPutOff({ status, headers, body }: ProgramAnswer, code: string): void {
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

describe('A disk without room', { timeout: 1_800_000 }, () => {
  const tablespace = `tiny_${process.pid}`;
  let disk: SmallDisk | undefined;
  let program: Program;
  let reason = '';
  before(async () => {
    try {
      disk = await makeSmallDisk(192);
    } catch (error) {
      reason = `A small disk cannot be mounted here: ${(error as Error).message}`;
      return;
    }
    const tables = path.join(disk.path, 'tables');
    program = await startProgram(
      {},
      {
        dataDir: path.join(disk.path, 'data'),
        // Its tables are on the small disk; PostgreSQL's own log is not.
        async prepare(connection) {
          const client = new pg.Client(connection);
          await client.connect();
          const { rows } = await client.query('show data_directory');
          await client.end();
          const { uid, gid } = await stat(rows[0].data_directory);
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
    await program.parley.ready();
  });
  after(async () => {
    if (!disk) return;
    await program.stop();
    await asAdmin(program.connection, `drop tablespace ${tablespace}`);
    await disk.remove();
  });

  it('is answered 503 disk_full, named by /readyz, and forgotten as soon as there is room again', async (t) => {
    if (!disk) return t.skip(reason);
    assert.equal((await send(program)).status, 201);
    await disk.fill();
    // Pages that are there already are filled first.
    const refused = await until(
      () => send(program),
      ({ status }) => status !== 201,
    );
    assertPutOff(refused, 'disk_full');
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(3_000_000, 'a,b\n')]), 'contacts.csv');
    assertPutOff(await program.call('POST', '/v2/contacts/upload/', form), 'disk_full');
    const ready = await program.call('GET', '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.body.checks.disk, /^disk_full: /);
    assert.match(ready.body.checks.database, /^disk_full: /);
    assert.equal((await program.call('GET', '/v2/chatapp/messages/')).status, 200, 'what is there can be read');
    assert.match((await program.call('GET', '/metrics')).body, /^parley_disk_free_bytes \d+$/m);

    await disk.empty();
    const accepted = await until(
      () => send(program),
      ({ status }) => status === 201,
    );
    await until(
      async () => (await program.call('GET', `/v2/chatapp/messages/${accepted.body.uuid}/`)).body.status,
      (status) => status === 'READ',
    );
    assert.equal(program.parley.output().includes('Unexpected error'), false, program.parley.output());
  });
});

describe('A database without connections', { timeout: 1_800_000 }, () => {
  const role = `limited_${process.pid}`;
  let program: Program;
  before(async () => {
    program = await startProgram(
      {},
      {
        async prepare(connection) {
          const { database } = connection;
          const client = new pg.Client(connection);
          await client.connect();
          // The role makes the schema of the queue itself, as on a database where nobody has started yet.
          await client.query('drop schema if exists pgboss cascade');
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
    await program.parley.ready();
  });
  after(async () => {
    await program.stop();
    await asAdmin(program.connection, `drop role ${role}`);
  });

  it('is answered 503 busy; nothing is a 500, and those that were put off succeed later', async () => {
    assert.equal((await send(program)).status, 201);
    await program.query(`alter role ${role} connection limit 0`);
    // Each keeps a connection of its own for as long as it runs.
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(program, `key ${index}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.ok(refused.length > 0, 'there were not enough connections for all');
    for (const answer of refused) assertPutOff(answer, 'busy');
    await program.query(`alter role ${role} connection limit -1`);
    for (const [index] of answers.entries()) {
      await until(
        () => send(program, `key ${index}`),
        ({ status }) => status === 201,
      );
    }
    const [row] = await program.query('select count(*)::int as count from messages');
    assert.equal(row.count, 41);
  });
});

describe('A database that takes too long', { timeout: 1_800_000 }, () => {
  let program: Program;
  before(async () => {
    program = await startProgram({ DATABASE_LOCK_TIMEOUT_SECONDS: '1', DATABASE_STATEMENT_TIMEOUT_SECONDS: '5' });
    await program.parley.ready();
    // On a busy machine the first statements may take longer than these limits.
    await until(
      () => send(program),
      ({ status }) => status === 201,
    );
  });
  after(() => program.stop());

  it('because somebody has locked a hot table puts off those who need it with 503 busy, and nobody else', async () => {
    const holder = new pg.Client(program.connection);
    await holder.connect();
    await holder.query('begin; lock table messages in access exclusive mode');
    const held = [
      ...Array.from({ length: 20 }, () => program.call('GET', '/v2/chatapp/messages/')),
      ...Array.from({ length: 10 }, (_, index) => send(program, `key ${index}`)),
      ...Array.from({ length: 10 }, () => send(program)),
    ];
    for (let count = 0; count < 10; count++) {
      for (const url of ['/v2/number/', '/v2/account/', '/v2/contacts/', '/v2/webhook-types/']) {
        assert.equal((await program.call('GET', url)).status, 200, url);
      }
    }
    for (const answer of await Promise.all(held)) assertPutOff(answer, 'busy');
    await holder.query('rollback');
    await holder.end();
    assert.equal((await program.call('GET', '/v2/chatapp/messages/')).status, 200);
    assert.equal((await send(program)).status, 201);
    assert.equal(program.parley.output().includes('Unexpected error'), false, program.parley.output());
  });

  it('over one statement puts off its request with 503 busy; nothing of it is stored, and it can be repeated', async () => {
    const add = (number: string, key?: string) =>
      program.call(
        'POST',
        '/v2/contacts/',
        { phone_number: number },
        key === undefined ? {} : { 'idempotency-key': key },
      );
    // Longer than the test: only PostgreSQL's own limit ends it.
    await program.query(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$;
      create trigger dawdle before insert on contacts for each row execute function dawdle()`);
    const held = Promise.all([add('+447700900301'), add('+447700900302', 'a key')]);
    assert.equal((await program.call('GET', '/v2/account/')).status, 200, 'others do not wait');
    for (const answer of await held) assertPutOff(answer, 'busy');
    await program.query('drop trigger dawdle on contacts');
    assert.equal((await program.call('GET', '/v2/contacts/')).body.results.length, 0);
    assert.equal((await add('+447700900302', 'a key')).status, 201);
    assert.equal(program.parley.output().includes('Unexpected error'), false, program.parley.output());
  });
});
