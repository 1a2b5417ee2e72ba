import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { readConfig } from '../../src/platform/config.ts';
import { newId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { PostgresConnection } from '../../src/platform/postgres/index.ts';
import { newToken, tokenHash } from '../../src/platform/secrets.ts';
import { type Running, type StartOptions, start } from '../../src/start.ts';
import { createTestDatabase } from './database.ts';
import { assertPayloads, readPayloads } from './event-payloads.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
  body: any;
}

export interface TestApp extends Running {
  token: string;
  accountId: string;
  /** Of its database, for whoever plays another process. */
  connection: PostgresConnection;
  /** A full token of another tenant. */
  otherToken: string;
  call(
    method: Method,
    url: string,
    body?: unknown,
    options?: { token?: string | null; headers?: Record<string, string> },
  ): Promise<TestAnswer>;
  close(): Promise<void>;
}

/** What is tested is who gets in. What a guess costs is tested beside the hashing. */
const cheapPasswords = { usual: { N: 64, r: 8, p: 1 }, light: { N: 32, r: 8, p: 1 } };

/**
 * The whole product on a database of its own, without a port. `env` sets what a user would set. What webhooks were sent must be what
 * the OpenAPI document says, unless the test announces events that it made up.
 */
export async function startTestApp(
  env: Record<string, string> = {},
  options: Pick<StartOptions, 'passwordCosts'> & { madeUpEvents?: boolean; logTo?: { write(line: string): void } } = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-test-'));
  const token = newToken();
  const config = readConfig({
    BOOTSTRAP_TOKEN: token,
    LOG_LEVEL: 'error',
    CALL_DRAIN_SECONDS: '0',
    DATA_DIR: dataDir,
    ...env,
  });
  const log = makeLog({ level: config.LOG_LEVEL, pretty: false, ...(options.logTo && { to: options.logTo }) });
  const running = await start({
    config,
    connection: database.connection,
    secretKeys: ['a key for tests'],
    log,
    passwordCosts: options.passwordCosts ?? cheapPasswords,
  });
  const { db } = running.deps;
  const { account_id: accountId } = await db
    .selectFrom('tokens')
    .select('account_id')
    .where('hash', '=', tokenHash(token))
    .executeTakeFirstOrThrow();

  const otherToken = newToken();
  const otherAccount = newId();
  await db.insertInto('accounts').values({ uuid: otherAccount, name: 'Another tenant' }).execute();
  await db
    .insertInto('tokens')
    .values({
      account_id: otherAccount,
      uuid: newId(),
      name: 'test',
      hash: tokenHash(otherToken),
      scopes: ['read', 'write'],
    })
    .execute();

  const app: TestApp = {
    ...running,
    token,
    accountId,
    connection: database.connection,
    otherToken,
    async call(method, url, body, options = {}) {
      const as = options.token === undefined ? token : options.token;
      const answer = await running.app.inject({
        method,
        url,
        headers: {
          ...(as !== null && { authorization: `Token ${as}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const isJson = /[/+]json\b/.test(String(answer.headers['content-type']));
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body };
    },
    async close() {
      const payloads = options.madeUpEvents ? [] : await readPayloads(db);
      await running.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      letGo(app);
      assertPayloads(payloads);
    },
  };
  return app;
}

/** The modules of test files stay, and would keep the program that each has started: the garbage collector goes through all of them. */
function letGo(app: object): void {
  for (const part of Object.keys(app)) Reflect.deleteProperty(app, part);
}

/** Lets the accounts go on adopting what nobody registered, and buying fictional numbers, beside what is live in the test. */
export async function goOnAdopting({ deps: { db } }: TestApp): Promise<void> {
  await db.updateTable('accounts').set({ live_since: sql<string>`now()` }).execute();
}
