import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startJobs } from '../../src/domains/jobs/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';
import { countRows, fillEveryTable } from './every-table.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' }, { madeUpEvents: true });
});
after(() => app.close());

const started: { stop(): Promise<void> }[] = [];
const startWorking = () => {
  const jobs = startJobs(app.deps);
  started.push(jobs);
  return jobs;
};
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
});

const makeTenant = async (name = 'Harbour') => {
  const { uuid } = (await app.call('POST', '/v2/accounts/', { name })).body;
  const { token } = (await app.call('POST', `/v2/accounts/${uuid}/tokens/`, {})).body;
  return { uuid: uuid as string, token: token as string };
};
const remove = (uuid: string) => app.call('DELETE', `/v2/accounts/${uuid}/`);
const jobOf = async (id: string) => (await app.call('GET', `/v3/jobs/${id}/`)).body;
/** The job waits a while before its last look; here it need not. */
const ended = (id: string) =>
  until(
    async () => {
      await app.deps.db.updateTable('jobs').set({ due_at: sql`now()` }).where('uuid', '=', id).execute();
      return jobOf(id);
    },
    ({ finished }) => finished !== null,
  );
const folders = ['media', 'audio', 'sounds', 'recordings', 'job-uploads', 'job-results'];
const fileOf = (folder: string, account: string) => path.join(app.deps.config.dataDir, folder, account, newId());
async function giveFiles(account: string): Promise<string[]> {
  const files = folders.map((folder) => fileOf(folder, account));
  for (const file of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'bytes');
  }
  return files;
}

describe('DELETE /v2/accounts/{uuid}/', { timeout: 1_800_000 }, () => {
  it('leaves no row in any table that has rows of accounts, no file, and all that others have', async () => {
    const { db } = app.deps;
    const [gone, stays] = [await makeTenant('Gone'), await makeTenant('Stays')];
    const bought = (await app.call('POST', '/v2/number/', { country_code: 'GB' }, { token: gone.token })).body.number;
    const files = await giveFiles(gone.uuid);
    const otherFiles = await giveFiles(stays.uuid);
    const tables = await fillEveryTable(db, gone.uuid);
    await fillEveryTable(db, stays.uuid);
    const filled = await countRows(db, gone.uuid);
    assert.deepEqual(
      tables.filter((table) => filled.get(table) === 0),
      [],
      'every table has a row before',
    );
    // Its job of no known kind is not to be begun.
    await app.call('POST', `/v2/accounts/${stays.uuid}/suspend/`);
    const ofOthers = await countRows(db, stays.uuid);

    const answer = await remove(gone.uuid);
    assert.deepEqual([answer.status, answer.body.type, answer.body.status], [202, 'accounts.delete', 'QUEUED']);
    assert.equal(new URL(String(answer.headers['location'])).pathname, `/v3/jobs/${answer.body.id}/`);
    const refused = await app.call('GET', '/v2/account/', undefined, { token: gone.token });
    assert.deepEqual([refused.status, refused.body.detail], [403, 'This account is being deleted.']);
    assert.equal((await app.call('GET', `/v2/accounts/${gone.uuid}/`)).body.status, 'DELETING');

    startWorking();
    const job = await ended(answer.body.id);
    assert.equal(job.status, 'SUCCEEDED', job.reason);
    assert.deepEqual([job.result.files, job.result.numbers], [files.length, 2]);
    assert.ok(job.result.rows >= tables.length - 1);
    assert.ok(job.progress.done >= tables.length);

    const left = await countRows(db, gone.uuid);
    assert.deepEqual(
      tables.filter((table) => left.get(table) !== 0),
      [],
    );
    assert.deepEqual(await countRows(db, stays.uuid), ofOthers);
    assert.deepEqual(files.filter(existsSync), []);
    assert.deepEqual(
      otherFiles.filter((file) => !existsSync(file)),
      [],
    );
    assert.equal((await app.call('GET', `/v2/accounts/${gone.uuid}/`)).status, 404);
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token: gone.token })).status, 401);
    await app.call('POST', `/v2/accounts/${stays.uuid}/resume/`);
    assert.equal((await app.call('GET', '/v2/account/', undefined, { token: stays.token })).status, 200);
    const pool = await db.selectFrom('number_pool').select('state').where('number', '=', bought).executeTakeFirst();
    assert.equal(pool?.state, 'COOLING');
    const named = await sql`select from accounts where name = 'Gone'`.execute(db);
    assert.equal(named.rows.length, 0);
  });

  it('every table that has rows of accounts has an index that begins with the account', async () => {
    const { rows } = await sql<{ table: string }>`
      select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
      where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition and attname = 'account_id'
        and not exists (
          select from pg_index where indrelid = pg_class.oid and indkey[0] = attnum and indpred is null)`.execute(
      app.deps.db,
    );
    assert.deepEqual(rows, []);
  });

  it('stopped in the middle, by an end of the process or its death, it goes on; asked for again it is the same job', async () => {
    const { db } = app.deps;
    const { uuid } = await makeTenant();
    await sql`
      insert into list_members (account_id, list, contact)
      select ${uuid}, gen_random_uuid(), gen_random_uuid() from generate_series(1, 30000)`.execute(db);
    const { id } = (await remove(uuid)).body;
    assert.equal((await remove(uuid)).body.id, id);
    // Somebody has a row in the middle in hand: the job comes so far, and is told to stop there.
    const held = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (db) => {
      await sql`
        select from list_members where account_id = ${uuid} and ctid = (
          select ctid from list_members where account_id = ${uuid} order by ctid offset 15000 limit 1)
        for update`.execute(db);
      await held.promise;
    });
    const first = startWorking();
    const count = async () => (await countRows(db, uuid)).get('list_members')!;
    await until(async () => (await count()) < 30_000);
    const stopped = first.stop();
    held.resolve();
    await Promise.all([holding, stopped]);
    assert.ok((await count()) > 0, 'some are left');
    // As a process leaves it that dies: nobody holds the lock of that worker.
    await db.updateTable('jobs').set({ claimed_by: 12_345 }).where('uuid', '=', id).execute();
    startWorking();
    const job = await ended(id);
    assert.deepEqual([job.status, await count()], ['SUCCEEDED', 0], job.reason);
    assert.equal(job.result.rows, 30_000 + 1);
  });

  it('what others write after the account is gone goes, too', async () => {
    const { db } = app.deps;
    const { uuid } = await makeTenant();
    const { id } = (await remove(uuid)).body;
    const working = startWorking();
    await until(async () => (await app.call('GET', `/v2/accounts/${uuid}/`)).status === 404);
    assert.equal((await jobOf(id)).finished, null);
    await working.stop();
    await sql`insert into tallies (account_id, subject, name, count) values (${uuid}, ${uuid}, 'late', 1)`.execute(db);
    startWorking();
    assert.equal((await ended(id)).status, 'SUCCEEDED');
    assert.equal((await countRows(db, uuid)).get('tallies'), 0);
  });

  it('409 for the account of the operator, 409 for changes of one that is being deleted, 403 for others', async () => {
    const own = await remove(app.accountId);
    assert.deepEqual([own.status, own.body.code], [409, 'operator_account']);
    const { uuid } = await makeTenant();
    assert.equal((await app.call('DELETE', `/v2/accounts/${uuid}/`, undefined, { token: app.otherToken })).status, 403);
    await remove(uuid);
    for (const [method, address, body] of [
      ['PATCH', '', { name: 'Kept' }],
      ['POST', 'resume/'],
      ['POST', 'suspend/'],
      ['POST', 'tokens/', {}],
    ] as const) {
      const answer = await app.call(method, `/v2/accounts/${uuid}/${address}`, body);
      assert.deepEqual([answer.status, answer.body.code], [409, 'account_deleting'], address);
    }
  });

  it('is no job that can be submitted', async () => {
    const answer = await app.call('POST', '/v3/jobs/', { type: 'accounts.delete', input: { account: app.accountId } });
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['type']]);
  });
});
