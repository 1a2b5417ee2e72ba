import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { runDue } from '../reports/index.ts';
import { serveResult } from './files.ts';
import { findJob } from './queries.ts';
import { startJobs } from './running/run.ts';
import { acceptJob } from './submit.ts';

const dayMs = 86_400_000;
const dayBefore = (moment: string, days: number) =>
  new Date(Date.parse(moment) - days * dayMs).toISOString().slice(0, 10);

let app: TestApp;
let jobs: { stop(): Promise<void> };
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  await app.call('POST', '/v2/webhooks/', { url: 'https://example.com/h', events: ['report.ready'] });
  jobs = startJobs(app.deps);
});
after(async () => {
  await jobs.stop();
  await app.close();
});

const url = '/v2/report-schedules/';
const weekly = {
  name: 'Leads by source',
  metric: 'leads',
  group_by: 'source',
  every: 'week',
  weekday: 'tuesday',
  hour: 7,
};
const create = async (body: object = weekly) => {
  const answer = await app.call('POST', url, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const runsOf = async (uuid: string) => (await app.call('GET', `${url}${uuid}/runs/`)).body.results;
const announced = async () => {
  const rows = await app.deps.db
    .selectFrom('webhook_deliveries')
    .select('payload')
    .where('type', '=', 'report.ready')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload).data);
};
/** Looks as if it were another moment. */
const lookAt = async (moment: string) => {
  const clock = { now: () => new Date(moment) };
  while (await runDue({ ...app.deps, clock }, acceptJob));
};

describe(url, () => {
  test('is made, shown, changed and deleted, by its own account alone', async () => {
    const made = await create();
    assert.deepEqual([made.compare, made.days, made.direction, made.enabled], ['previous', null, null, true]);
    assert.equal(new Date(made.next_run).getUTCDay(), 2);
    assert.deepEqual((await app.call('GET', `${url}${made.uuid}/`)).body, made);
    const off = (await app.call('PATCH', `${url}${made.uuid}/`, { enabled: false, hour: 9 })).body;
    assert.deepEqual([off.next_run, off.hour, off.enabled], [null, 9, false]);
    const on = (await app.call('PATCH', `${url}${made.uuid}/`, { enabled: true })).body;
    assert.match(on.next_run, /T09:00:00/);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      const { status } = await app.call(method, `${url}${made.uuid}/`, body, { token: app.otherToken });
      assert.equal(status, 404, method);
    }
    assert.equal((await app.call('DELETE', `${url}${made.uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `${url}${made.uuid}/runs/`)).status, 404);
  });

  test('400 names what is wrong', async () => {
    const wrong = async (change: object) => {
      const { status, body } = await app.call('POST', url, { ...weekly, ...change });
      assert.equal(status, 400, JSON.stringify(change));
      return Object.keys(body);
    };
    assert.deepEqual(await wrong({ metric: 'faxes' }), ['metric']);
    assert.deepEqual(await wrong({ group_by: 'number' }), ['group_by']);
    assert.deepEqual(await wrong({ direction: 'INBOUND' }), ['direction']);
    assert.deepEqual(await wrong({ hour: 24 }), ['hour']);
    assert.deepEqual(await wrong({ days: 0 }), ['days']);
    assert.deepEqual(await wrong({ group_by: 'hour', days: 60 }), ['days']);
    assert.deepEqual(await wrong({ every: 'year' }), ['every']);
  });

  test('a report that is due is made once, by however many processes, and its file is announced and downloaded', async () => {
    const { uuid, next_run } = await create();
    await lookAt(new Date(Date.parse(next_run) - 1000).toISOString());
    assert.deepEqual(await runsOf(uuid), []);
    await Promise.all([lookAt(next_run), lookAt(next_run), lookAt(next_run)]);
    const [run, ...more] = await until(
      () => runsOf(uuid),
      ([first]) => first?.ready,
    );
    assert.deepEqual(more, []);
    assert.deepEqual([run.from, run.to], [dayBefore(next_run, 7), dayBefore(next_run, 1)]);
    const next = (await app.call('GET', `${url}${uuid}/`)).body.next_run;
    assert.equal(Date.parse(next) - Date.parse(next_run), 7 * dayMs);
    const told = (await announced()).filter(({ schedule }) => schedule === uuid);
    assert.deepEqual(
      told.map(({ uuid, name, rows, file_url }) => [uuid, name, rows, file_url]),
      [[run.uuid, 'Leads by source', 0, run.file_url]],
    );
    const file = await app.call('GET', new URL(run.file_url).pathname);
    assert.match(file.body, /^key,label,from,to,count,NEW,OPEN,WON,LOST,previous_count\r\n$/);
    // Whoever is told may come before the job is called successful.
    const job = (await findJob(app.deps.db, app.accountId, run.uuid))!;
    assert.equal((await serveResult(app.deps, app.accountId, { ...job, status: 'RUNNING' })).status, 200);
    await assert.rejects(serveResult(app.deps, app.accountId, { ...job, status: 'CANCELLED' }), { status: 404 });
    const other = await app.call('GET', new URL(run.file_url).pathname, undefined, { token: app.otherToken });
    assert.equal(other.status, 404);
  });

  test('one that is due while its account is suspended waits', async () => {
    const { uuid, next_run } = await create();
    const standing = (status: string) =>
      app.deps.db.updateTable('accounts').set({ status }).where('uuid', '=', app.accountId).execute();
    await standing('SUSPENDED');
    await lookAt(next_run);
    await standing('ACTIVE');
    assert.deepEqual(await runsOf(uuid), []);
    await lookAt(next_run);
    assert.equal((await runsOf(uuid)).length, 1);
  });

  test('is made at once when it is asked for; the next one stays where it is', async () => {
    const { uuid, next_run } = await create({ name: 'Days', metric: 'calls', every: 'day', days: 3 });
    const { status, body } = await app.call('POST', `${url}${uuid}/run/`);
    assert.deepEqual([status, body.to], [201, dayBefore(new Date().toISOString(), 1)]);
    await until(
      () => runsOf(uuid),
      ([first]) => first?.rows === 3,
    );
    assert.equal((await app.call('GET', `${url}${uuid}/`)).body.next_run, next_run);
  });
});

describe('POST /v3/jobs/ reports.export', () => {
  test('makes the file of any report; what cannot be asked is refused at once', async () => {
    const input = { metric: 'calls', group_by: 'day', from: '2026-01-01', to: '2026-01-10' };
    const { status, body } = await app.call('POST', '/v3/jobs/', { type: 'reports.export', input });
    assert.equal(status, 202, JSON.stringify(body));
    const job = await until(
      async () => (await app.call('GET', `/v3/jobs/${body.id}/`)).body,
      ({ status }) => status === 'SUCCEEDED',
    );
    assert.deepEqual(job.result, { rows: 10 });
    const refused = await app.call('POST', '/v3/jobs/', {
      type: 'reports.export',
      input: { metric: 'sms', group_by: 'agent' },
    });
    assert.deepEqual([refused.status, Object.keys(refused.body.input)], [400, ['group_by']]);
  });
});
