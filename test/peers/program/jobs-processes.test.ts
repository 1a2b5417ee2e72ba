import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../src/platform/config.ts';
import { newId } from '../../../src/platform/ids.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { type Running, start } from '../../../src/start.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { until } from '../../kit/until.ts';

const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => `+4479${String(index).padStart(8, '0')}`);

describe('Several processes on one database', { timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let directory: string;
  const running: Running[] = [];
  before(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-jobs-'));
  });
  after(async () => {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const startProcess = async (ROLES: string): Promise<Running> => {
    const config = readConfig({ ROLES, LOG_LEVEL: 'error', DATA_DIR: directory, BOOTSTRAP_TOKEN: 'jobs' });
    const log = makeLog({ level: 'error', pretty: false });
    const one = await start({ config, connection: database.connection, secretKeys: ['a key for tests'], log });
    running.push(one);
    return one;
  };
  const submit = (
    { deps: { db } }: Running,
    accountId: string,
    to: string[],
    text: string,
    more: object = {},
  ): Promise<string> => {
    const uuid = newId();
    const input = JSON.stringify({ from: 'Parley', to, text });
    const row = { account_id: accountId, uuid, type: 'sms.send', input, total: to.length, ...more };
    return db
      .insertInto('jobs')
      .values(row)
      .execute()
      .then(() => uuid);
  };
  const rowsOf = ({ deps: { db } }: Running, ids: string[]) =>
    db.selectFrom('jobs').selectAll().where('uuid', 'in', ids).orderBy('uuid').execute();
  const newAccount = async ({ deps: { db } }: Running): Promise<string> => {
    const uuid = newId();
    await db.insertInto('accounts').values({ uuid, name: 'Tenant' }).execute();
    return uuid;
  };

  it('share the jobs of several accounts; never more than two of an account at once, nothing twice', async () => {
    const first = await startProcess('worker');
    await startProcess('worker');
    const accounts = [await newAccount(first), await newAccount(first), await newAccount(first)];
    const wanted = accounts.flatMap((account) => Array.from({ length: 4 }, (_, n) => ({ account, text: `Part ${n}` })));
    const ids: string[] = [];
    for (const { account, text } of wanted) ids.push(await submit(first, account, recipients(1200), text));
    const most = new Map<string, number>();
    await until(
      () => rowsOf(first, ids),
      (rows) => {
        for (const account of accounts) {
          const now = rows.filter(({ account_id, status }) => account_id === account && status === 'RUNNING').length;
          most.set(account, Math.max(now, most.get(account) ?? 0));
        }
        return rows.every(({ status }) => status === 'SUCCEEDED');
      },
    );
    for (const count of most.values()) assert.ok(count <= 2, `${count} ran at once`);
    const { rows } = await sql<{ sent: number; distinct: number; results: number }>`
      select (select count(*) from sms) as sent, (select count(distinct (account_id, text, to_digits)) from sms) as distinct,
        (select count(*) from job_results) as results`.execute(first.deps.db);
    const all = ids.length * 1200;
    assert.deepEqual(rows[0], { sent: all, distinct: all, results: all });
  });

  it('leave alone what a living process has, and take it over when that ends', async () => {
    const [worker] = running;
    const holder = await startProcess('api');
    const account = await newAccount(worker!);
    const claim = { status: 'RUNNING', claimed_by: holder.deps.listener.workerNumber };
    const id = await submit(worker!, account, recipients(3), 'Held', claim);
    const marker = await submit(worker!, account, recipients(1), 'Marker');
    const statusOf = async (job: string) => (await rowsOf(worker!, [job]))[0]!.status;
    await until(
      () => statusOf(marker),
      (status) => status === 'SUCCEEDED',
    );
    assert.equal(await statusOf(id), 'RUNNING');
    running.splice(running.indexOf(holder), 1);
    await holder.stop();
    await until(
      () => statusOf(id),
      (status) => status === 'SUCCEEDED',
    );
  });
});
