import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/platform/postgres/index.ts';
import { serversOf, signalIfThere } from '../program/parley-process.ts';

/** A primary and its standby, each on an address of the loopback network. */
export interface PostgresPair {
  /** `user:password@`, the hosts of both, and the database. */
  url: string;
  primary: PairedServer;
  standby: PairedServer;
  /** Commits wait until the standby has them. */
  waitForStandby(): Promise<void>;
  /** From now on the standby hears nothing of what is committed. */
  leaveStandbyBehind(): Promise<void>;
  /** The primary is killed, or answers nothing any more, as when its machine vanishes; the standby takes its place. */
  failOver(how?: 'SIGKILL' | 'SIGSTOP'): Promise<void>;
  stop(): Promise<void>;
}

export interface PairedServer {
  address: string;
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(text: string, values?: unknown[]): Promise<any[]>;
  stop(): Promise<void>;
}

const throwAway = { fsync: 'off', full_page_writes: 'off', max_connections: '150', hot_standby: 'on' };
let pairs = 0;

export async function startPostgresPair(): Promise<PostgresPair> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-pair-'));
  const network = `127.${100 + (process.pid % 100)}.${++pairs % 250}`;
  const start = async (name: string, settings: object): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      directory: path.join(directory, name),
      progress: () => {},
      settings: { ...throwAway, ...settings },
    });
  const [one, two] = [`${network}.1`, `${network}.2`];
  const first = await start('one', { listen_addresses: one });
  await migrate(first.connection, { progress: () => {} });
  await first.stop();
  await cp(path.join(directory, 'one'), path.join(directory, 'two'), { recursive: true, preserveTimestamps: true });
  await writeFile(path.join(directory, 'two', 'pgdata', 'standby.signal'), '');
  const { user, password, database } = first.connection;
  const primary = serverOf(await start('one', { listen_addresses: one }), one);
  const conninfo = `host=${one} port=5432 user=${user} password=${password} application_name=standby`;
  const standby = serverOf(await start('two', { listen_addresses: two, primary_conninfo: conninfo }), two);
  const signalPrimary = async (signal: NodeJS.Signals): Promise<void> => {
    for (const pid of await serversOf(path.join(directory, 'one', 'pgdata'))) signalIfThere(pid, signal);
  };
  return {
    url: `postgresql://${user}:${encodeURIComponent(password)}@${one}:5432,${two}:5432/${database}?target_session_attrs=read-write`,
    primary,
    standby,
    async waitForStandby() {
      await primary.query("alter system set synchronous_standby_names = 'standby'");
      await primary.query('select pg_reload_conf()');
    },
    async leaveStandbyBehind() {
      const senders = await primary.query('select pid from pg_stat_replication');
      for (const { pid } of senders) signalIfThere(pid, 'SIGSTOP');
    },
    async failOver(how = 'SIGKILL') {
      await signalPrimary(how);
      await standby.query('select pg_promote()');
    },
    async stop() {
      await signalPrimary('SIGCONT');
      await primary.stop();
      await standby.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function serverOf({ connection, stop }: EmbeddedPostgres, address: string): PairedServer {
  const { user, password, database } = connection;
  let isStopped = false;
  return {
    address,
    url: `postgresql://${user}:${encodeURIComponent(password)}@${address}:5432/${database}`,
    async query(text, values) {
      const client = new pg.Client(connection);
      await client.connect();
      return (await client.query(text, values).finally(() => client.end())).rows;
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await stop();
    },
  };
}
