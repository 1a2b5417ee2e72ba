/**
 * Keeps the write-ahead log of the embedded PostgreSQL in a directory, so that a backup can be brought forward to any moment after it.
 *
 * A replication slot makes the server keep what the directory does not have yet. The slot has a name of its own, and so has the folder with
 * its segments: a slot is not part of a backup, so a data directory that was restored begins another folder, and the WAL of two servers
 * never mixes.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../../errors.ts';
import type { PostgresConnection } from '../guard.ts';
import { receiveWal } from './receive.ts';
import { openSegments, readPosition, resumeAt } from './segments.ts';

export const slotPrefix = 'parley_wal_';
/** Settings of a server whose WAL is kept: while the archive cannot be written, its own disk is not filled without end. */
export const archiveSettings = { max_slot_wal_keep_size: '16GB' };

const pauseMs = { first: 500, longest: 15_000 };
const connectMs = 10_000;
/** A disk that hangs does not keep the process: the slot keeps what is missing. */
const longestEndMs = 30_000;

export interface WalArchive {
  /** Resolves when the server has ended and all that it sent has been written. To be called before the server is stopped. */
  stop(): Promise<void>;
}

interface Options {
  connection: PostgresConnection;
  directory: string;
  tell: (line: string) => void;
}

/** Begins; throws if the directory cannot be used. Later on it waits until it can, and says so. */
export async function startWalArchive({ connection, directory, tell }: Options): Promise<WalArchive> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw new StartError(`WAL_ARCHIVE=${directory} cannot be used: ${error.message}`, { cause: error });
  });
  const begun = await connect(connection);
  await ensureSlot(begun, tell).finally(() => begun.end());
  const ending = new AbortController();
  const isOver = () => ending.signal.aborted;
  let trouble = '';
  const run = async (): Promise<void> => {
    for (let waitMs = pauseMs.first; !isOver(); waitMs = Math.min(waitMs * 2, pauseMs.longest)) {
      const error = await receiveOnce({ connection, directory, tell }, () => {
        if (trouble) tell(`The WAL archive in ${directory} is being written again.`);
        trouble = '';
        waitMs = pauseMs.first;
      }).then(() => undefined, messageOf);
      if (isOver()) return;
      if (error && error !== trouble) tell(`The WAL archive in ${directory} is not written at the moment: ${error}`);
      trouble = error ?? trouble;
      await pause(waitMs, ending.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      ending.abort();
      const patience = new AbortController();
      await Promise.race([running, pause(longestEndMs, patience.signal)]);
      patience.abort();
    },
  };
}

/** One session with the server, to its end. */
async function receiveOnce({ connection, directory, tell }: Options, onWrite: () => void): Promise<void> {
  const client = await connect(connection);
  try {
    const { slot, restart } = await ensureSlot(client, tell);
    const folder = join(directory, slot);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { rows } = await client.query('IDENTIFY_SYSTEM');
    const timeline = Number(rows[0].timeline);
    const from = await resumeAt(folder, timeline, readPosition(restart));
    const segments = openSegments(folder, timeline, from);
    const writer = {
      ...segments,
      async sync() {
        const reached = await segments.sync();
        onWrite();
        return reached;
      },
    };
    await receiveWal(client, { slot, from, timeline, writer }).finally(() => segments.close());
  } finally {
    await client.end().catch(() => {});
  }
}

/** Both SQL and commands of replication are understood in such a session; queries have no parameters. */
async function connect(connection: PostgresConnection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    ssl: false,
    application_name: 'parley wal archive',
    replication: 'database',
    connectionTimeoutMillis: connectMs,
  } as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
  return client;
}

interface Slot {
  slot: string;
  /** From where on the server keeps its WAL. */
  restart: string;
}

/** The slot of this data directory; a new one where there is none, or where the server could not keep all that the old one needs. */
async function ensureSlot(client: pg.Client, tell: (line: string) => void): Promise<Slot> {
  const { rows } = await client.query(
    `select slot_name, restart_lsn, wal_status from pg_replication_slots where starts_with(slot_name, '${slotPrefix}')`,
  );
  const [found] = rows;
  if (found && found.wal_status !== 'lost') return { slot: found.slot_name, restart: found.restart_lsn };
  if (found) {
    tell(
      'The WAL archive has a gap, as it could not be written for too long. Make a backup: older ones lead up to the gap.',
    );
    await client.query(`select pg_drop_replication_slot('${found.slot_name}')`);
  }
  const stamp = new Date()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .toLowerCase();
  const slot = `${slotPrefix}${stamp}_${randomBytes(3).toString('hex')}`;
  const made = await client.query(`select lsn from pg_create_physical_replication_slot('${slot}', true)`);
  return { slot, restart: made.rows[0].lsn };
}

/** Without an archive, a slot would keep WAL for nobody. */
export async function forgetWalArchive(connection: PostgresConnection, directory: string): Promise<void> {
  const slots = await readdir(join(directory, 'pgdata', 'pg_replslot')).catch(() => []);
  if (!slots.some((name) => name.startsWith(slotPrefix))) return;
  const client = await connect(connection);
  try {
    await client.query(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where starts_with(slot_name, '${slotPrefix}') and not active`,
    );
  } finally {
    await client.end();
  }
}

/** The folder of the archive that a server writes to now, and the segment that it writes; undefined: it has no archive. */
export async function walPosition(
  connection: PostgresConnection,
): Promise<{ folder: string; from: string } | undefined> {
  const client = await connect(connection);
  try {
    const { rows } = await client.query(
      `select slot_name as folder, pg_walfile_name(pg_current_wal_lsn()) as "from" from pg_replication_slots
        where starts_with(slot_name, '${slotPrefix}') and wal_status is distinct from 'lost'`,
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

const messageOf = (error: Error): string => error.message;

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});
