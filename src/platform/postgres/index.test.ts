import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/kit/until.ts';
import { StartError } from '../errors.ts';
import { takeGuard, tryConnect } from './guard.ts';
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from './index.ts';

const settings = { fsync: 'off', full_page_writes: 'off' };
const isRoot = process.getuid?.() === 0;

/** What a home directory can be: closed to others, with a space in its name. */
let home: string;
before(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'parley test '));
});
after(() => rm(home, { recursive: true, force: true }));

const start = (name: string, more: { userNamespaces?: boolean; settings?: Record<string, string> } = {}) =>
  startEmbeddedPostgres({ directory: path.join(home, name), progress: () => {}, settings, ...more });

async function query<Row extends pg.QueryResultRow>(connection: PostgresConnection, text: string): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
}

const add = (postgres: EmbeddedPostgres, note: string) =>
  query(postgres.connection, `create table if not exists notes (note text); insert into notes values ('${note}')`);

async function notes(postgres: EmbeddedPostgres): Promise<string[]> {
  return (await query<{ note: string }>(postgres.connection, 'select note from notes order by note')).map(
    (row) => row.note,
  );
}

async function postmasterPid(name: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(home, name, 'pgdata', 'postmaster.pid'), 'utf8'), 10);
}

const inUse = (name: string) => (error: unknown) => {
  assert.ok(error instanceof StartError);
  const sentence =
    /^The data directory (.+) is in use by another Parley \(PostgreSQL process \d+\)\. Stop it first or set DATA_DIR/;
  assert.equal(sentence.exec(error.message)?.[1], path.join(home, name));
  return true;
};

describe('embedded PostgreSQL', () => {
  it('keeps its data over a restart and leaves no socket behind', async () => {
    const first = await start('data');
    await add(first, 'kept');
    await first.stop();
    await assert.rejects(stat(first.connection.host), { code: 'ENOENT' });
    const second = await start('data');
    assert.deepEqual(await notes(second), ['kept']);
    await second.stop();
  });

  it('lets in nobody without the password, nor over the network', async () => {
    const postgres = await start('data');
    try {
      await assert.rejects(query({ ...postgres.connection, password: 'guess' }, 'select 1'), { code: '28P01' });
      if (process.platform === 'win32') return;
      const [row] = await query<{ listen_addresses: string }>(postgres.connection, 'show listen_addresses');
      assert.equal(row?.listen_addresses, '');
      assert.equal((await stat(postgres.connection.host)).mode & 0o077, 0);
      assert.equal((await stat(path.join(home, 'data', 'postgres-password'))).mode & 0o077, 0);
    } finally {
      await postgres.stop();
    }
  });

  it('sorts text by code point whatever the locale of the machine', async () => {
    const postgres = await start('data');
    const rows = await query<{ word: string }>(
      postgres.connection,
      "select word from unnest(array['é', 'b', 'Z', 'a']) word order by word",
    ).finally(() => postgres.stop());
    assert.deepEqual(rows.map((row) => row.word).join(''), 'Zabé');
  });

  it('refuses a directory that another Parley uses', async () => {
    const postgres = await start('data');
    try {
      await assert.rejects(start('data'), inUse('data'));
      assert.deepEqual(await notes(postgres), ['kept']);
    } finally {
      await postgres.stop();
    }
  });

  it('still refuses others after the crash of a session, when PostgreSQL restarts all of them', async () => {
    const postgres = await start('data');
    try {
      const victim = new pg.Client(postgres.connection);
      const ended = new Promise((resolve) => victim.on('error', () => {}).once('end', resolve));
      await victim.connect();
      const { rows } = await victim.query('select pg_backend_pid() as pid');
      process.kill(rows[0].pid, 'SIGKILL');
      await ended;
      await assert.rejects(start('data'), inUse('data'));
    } finally {
      await postgres.stop();
    }
  });

  it('serves one of two first starts at the same moment and refuses the other', async () => {
    const results = await Promise.allSettled([spawnStart('twins'), spawnStart('twins')]);
    const started = results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason.message);
    for (const { child } of started) child.kill('SIGTERM');
    assert.equal(started.length, 1, refused.join('\n'));
    assert.match(refused[0], /^StartError: The data directory .* is in use by another Parley/);
    await once(started[0]!.child, 'exit');
    await assert.rejects(postmasterPid('twins'), { code: 'ENOENT' });
  });

  it('recovers what was committed after a SIGKILL, even when a session of the killed server lingers', async () => {
    const killed = await start('data');
    await add(killed, 'committed');
    const lingering = new pg.Client(killed.connection);
    lingering.on('error', () => {});
    await lingering.connect();
    const { rows } = await lingering.query('select pg_backend_pid() as pid');
    const description = new Promise<string>((resolve) => killed.onExit(resolve));
    process.kill(rows[0].pid, 'SIGSTOP');
    process.kill(await postmasterPid('data'), 'SIGKILL');
    assert.match(await description, /^PostgreSQL \(process \d+\) ended with SIGKILL/);
    const recovered = await start('data');
    assert.deepEqual(await notes(recovered), ['committed', 'kept']);
    await recovered.stop();
    await killed.stop();
  });

  it('takes over from a Parley that was killed and left its PostgreSQL running', async () => {
    const { child, connection } = await spawnStart('data');
    const orphan = await postmasterPid('data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(orphan, 0);
    const postgres = await start('data');
    assert.notEqual(await postmasterPid('data'), orphan);
    assert.deepEqual(await notes(postgres), ['committed', 'kept']);
    await assert.rejects(stat(connection.host), { code: 'ENOENT' });
    await postgres.stop();
  });

  it('waits for the session of a Parley that was killed, which ends a moment later', async () => {
    const { child, connection } = await spawnStart('data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const late = (await tryConnect({ ...connection, database: 'postgres' }))!;
    await until(() => takeGuard(late));
    const starting = start('data');
    starting.catch(() => {});
    await until('it has seen who has the guard', async () => {
      const { rowCount } = await late.query(
        `select from pg_stat_activity
        where application_name = 'parley guard' and pid <> pg_backend_pid() and state = 'idle' and query like '%pg_locks%'`,
      );
      return rowCount! > 0;
    });
    await late.end();
    await (await starting).stop();
  });

  it('stops with a process that exits without stopping it', async () => {
    const { child } = await spawnStart('data');
    child.stdin.write('exit');
    await once(child, 'exit');
    // A server that is not told to stop keeps its lock file.
    await until(async () => !(await postmasterPid('data').catch(() => undefined)));
  });

  for (const [title, content] of [
    ['an empty lock file', ''],
    ['a lock file whose process number now belongs to another program', `${process.pid}\n/x\n1\n5432\n/x\n\n`],
  ] as const) {
    it(`starts over ${title}`, { skip: process.platform === 'win32' }, async () => {
      await writeFile(path.join(home, 'data', 'pgdata', 'postmaster.pid'), content);
      const postgres = await start('data');
      assert.deepEqual(await notes(postgres), ['committed', 'kept']);
      await postgres.stop();
    });
  }

  it('starts where an earlier first start was killed half-way', async () => {
    const draft = path.join(home, 'half', 'pgdata.new-4194305');
    await mkdir(path.join(draft, 'base'), { recursive: true });
    const postgres = await start('half');
    await postgres.stop();
    assert.deepEqual((await readdir(path.join(home, 'half'))).sort(), ['pgdata', 'postgres-password', 'postgres.log']);
  });

  it('says in one sentence why the server does not start', async () => {
    const refusal = {
      name: 'StartError',
      message: /^PostgreSQL did not start: .*"shared_buffers".* Its log is .*postgres\.log\.$/,
    };
    await assert.rejects(start('data', { settings: { shared_buffers: 'many' } }), refusal);
  });

  it('moves between the two ways of root', { skip: !isRoot && 'needs root' }, async () => {
    const switched = await start('data', { userNamespaces: false });
    assert.deepEqual(await notes(switched), ['committed', 'kept']);
    const owner = (await stat(path.join(home, 'data', 'pgdata'))).uid;
    await switched.stop();
    assert.notEqual(owner, 0);
    const again = await start('data');
    assert.deepEqual(await notes(again), ['committed', 'kept']);
    assert.equal((await stat(path.join(home, 'data', 'pgdata'))).uid, owner);
    await again.stop();
  });
});

/** Starts PostgreSQL from a process of its own, which stops it at SIGTERM and exits without a word to it on any input. */
async function spawnStart(name: string) {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./index.ts', import.meta.url))};
    const options = ${JSON.stringify({ directory: path.join(home, name), settings })};
    const postgres = await startEmbeddedPostgres({ ...options, progress() {} }).catch((error) => {
      console.error(String(error));
      process.exit(1);
    });
    process.once('SIGTERM', () => postgres.stop().then(() => process.exit()));
    process.stdin.once('data', () => process.exit());
    console.log(JSON.stringify(postgres.connection));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  const complaint = once(child.stderr, 'data').then(([line]) => {
    throw new Error(String(line));
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), complaint]);
  return { child, connection: JSON.parse(line) as PostgresConnection };
}
