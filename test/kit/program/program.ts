import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { PostgresConnection } from '../../../src/platform/postgres/index.ts';
import { createTestDatabase, databaseUrl, makeTestPool } from '../database.ts';
import { type Parley, startParley } from './parley-process.ts';

export const programToken = 'a-token-for-tests-of-the-program';

export interface ProgramAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
  body: any;
}

/** The program as a process of its own, on a test database, spoken to over a socket. */
export interface Program {
  dataDir: string;
  connection: PostgresConnection;
  parley: Parley;
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<ProgramAnswer>;
  /** Past Parley, as an operator with psql would. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(text: string, values?: unknown[]): Promise<any[]>;
  /** Ends the process and starts another on the same data. */
  restart(env?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

interface ProgramOptions {
  /** Where DATA_DIR is to be; else in a directory of its own. */
  dataDir?: string;
  /** Done to the database before anybody is connected to it; answers how the program is to sign in. */
  prepare?(connection: PostgresConnection): Promise<PostgresConnection | undefined>;
}

export async function startProgram(env: Record<string, string> = {}, options: ProgramOptions = {}): Promise<Program> {
  const database = await createTestDatabase();
  const home = await mkdtemp(path.join(os.tmpdir(), 'parley-program-'));
  const dataDir = options.dataDir ?? path.join(home, 'data');
  const connection = (await options.prepare?.(database.connection)) ?? database.connection;
  const admin = new pg.Client(database.connection);
  await admin.connect();
  const begin = (more: Record<string, string>): Parley =>
    startParley(dataDir, {
      DATABASE_URL: databaseUrl(connection),
      BOOTSTRAP_TOKEN: programToken,
      SIP_PORT: '0',
      ...env,
      ...more,
    });
  let parley = begin({});
  const end = async (): Promise<void> => {
    parley.signal('SIGTERM');
    await parley.ended;
  };
  return {
    dataDir,
    connection: database.connection,
    get parley() {
      return parley;
    },
    async call(method, url, body, headers = {}) {
      const isForm = body instanceof FormData;
      const answer = await fetch(new URL(url, await parley.ready()), {
        method,
        headers: {
          authorization: `Token ${programToken}`,
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      const isJson = String(answer.headers.get('content-type')).includes('json');
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson ? await answer.json() : await answer.text(),
      };
    },
    query: async (text, values) => (await admin.query(text, values)).rows,
    async restart(more = {}) {
      await end();
      parley = begin(more);
      await parley.ready();
    },
    async stop() {
      await end();
      await admin.end();
      await database.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Several processes on one test database, which come and go; each has a data directory of its own. */
export interface Processes {
  connection: PostgresConnection;
  start(roles: string): Parley;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(text: string, values?: unknown[]): Promise<any[]>;
  /** Kills those that are left. */
  stop(): Promise<void>;
}

export async function startProcesses(env: Record<string, string>): Promise<Processes> {
  const database = await createTestDatabase();
  const home = await mkdtemp(path.join(os.tmpdir(), 'parley-processes-'));
  const pool = makeTestPool(database.connection, 1);
  const started: Parley[] = [];
  return {
    connection: database.connection,
    start(roles) {
      const parley = startParley(path.join(home, `data-${started.length}`), {
        DATABASE_URL: database.url,
        BOOTSTRAP_TOKEN: programToken,
        SECRET_KEY: 'a key for all of them',
        ROLES: roles,
        ...env,
      });
      started.push(parley);
      return parley;
    },
    query: async (text, values) => (await pool.query(text, values)).rows,
    async stop() {
      for (const parley of started) parley.signal('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await pool.end();
      await database.drop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
