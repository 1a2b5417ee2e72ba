import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { startListener } from '../../../src/platform/db/connect/listener.ts';
import { type Db, makeDb, makePool } from '../../../src/platform/db/connect/pool.ts';
import { makeReplica } from '../../../src/platform/db/connect/replica.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/postgres/index.ts';
import { until } from '../../kit/until.ts';

const log = makeLog({ level: 'silent', pretty: false });
const running: EmbeddedPostgres[] = [];
const opened: Db[] = [];
let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-replica-'));
});
after(async () => {
  for (const db of opened) await db.destroy();
  for (const server of running) await server.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const placeOf = (name: string): string => path.join(directory, name);
async function start(name: string, settings: object = {}) {
  const server = await startEmbeddedPostgres({
    directory: placeOf(name),
    progress: () => {},
    settings: { fsync: 'off', ...settings },
  });
  const db = makeDb(makePool(server.connection, log, { size: 2 }));
  return { ...server, db };
}
async function startAsStandby(name: string, primary?: EmbeddedPostgres) {
  await writeFile(path.join(placeOf(name), 'pgdata', 'standby.signal'), '');
  const { host, port, user, password } = primary?.connection ?? {};
  const conninfo = primary && { primary_conninfo: `host=${host} port=${port} user=${user} password=${password}` };
  const server = await start(name, { hot_standby: 'on', ...conninfo });
  running.push(server);
  opened.push(server.db);
  return server;
}

it('a replica that still follows what a failover has lost is not read, though it has come further', async () => {
  const first = await start('lost');
  await migrate(first.connection, { progress: () => {} });
  const listening = await startListener(first.connection, log);
  await listening.close();
  await first.db.destroy();
  await first.stop();
  await cp(placeOf('lost'), placeOf('primary'), { recursive: true, preserveTimestamps: true });

  const goesOn = await start('lost');
  await sql`create table lost as select * from generate_series(1, 50000)`.execute(goesOn.db);
  await goesOn.db.destroy();
  await goesOn.stop();
  const lost = await startAsStandby('lost');

  const primary = await startAsStandby('primary');
  await sql`select pg_promote()`.execute(primary.db);
  const positionOf = async (db: Db, position: string) =>
    (await sql<{ at: string }>`select ${sql.raw(position)} - '0/0' as at`.execute(db)).rows[0]!.at;
  assert.ok(
    Number(await positionOf(lost.db, 'pg_last_wal_replay_lsn()')) >
      Number(await positionOf(primary.db, 'pg_current_wal_flush_lsn()')),
  );
  const ofLost = makeReplica({ primary: primary.db, replica: lost.db, log });
  assert.equal(await ofLost.upToDate(), undefined, 'nobody has said yet which life this is');
  const listener = await startListener(primary.connection, log);
  assert.equal(await ofLost.upToDate(), undefined);
  await listener.close();
});

it('a replica that follows is read as soon as it knows of the life of its primary', async () => {
  const first = await start('one');
  await migrate(first.connection, { progress: () => {} });
  await first.db.destroy();
  await first.stop();
  await cp(placeOf('one'), placeOf('two'), { recursive: true, preserveTimestamps: true });
  const primary = await start('one');
  running.push(primary);
  opened.push(primary.db);
  const standby = await startAsStandby('two', primary);
  const replica = makeReplica({ primary: primary.db, replica: standby.db, log });
  const listener = await startListener(primary.connection, log);
  assert.equal(await until('the standby is up to date', () => replica.upToDate()), standby.db);
  for (let name = 0; name < 50; name++) {
    await sql`insert into accounts (uuid, name) values (uuidv7(), ${`Read ${name}`})`.execute(primary.db);
    const db = await replica.upToDate();
    if (!db) continue;
    const { rows } = await sql`select from accounts where name = ${`Read ${name}`}`.execute(db);
    assert.equal(rows.length, 1);
  }
  await listener.close();
});
