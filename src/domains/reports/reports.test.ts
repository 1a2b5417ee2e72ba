import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { makeIdSource } from '../../platform/ids.ts';
import { addDays, todayIn } from './days.ts';
import { keepUp, tasks } from './gather.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const today = () => todayIn('UTC', new Date());
const daysAgo = (days: number) => addDays(today(), -days);

const report = async (query: string, token?: string) => {
  const answer = await app.call('GET', `/v2/reports/?${query}`, undefined, token ? { token } : {});
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

interface NewCall {
  day: string;
  hour?: string;
  result?: string;
  number?: string;
  target?: string;
  source?: string;
  direction?: string;
}
async function addCalls(calls: NewCall[]): Promise<void> {
  for (const { day, hour = '10', result = 'ANSWERED', number = '442079460001', ...rest } of calls) {
    const at = new Date(`${day}T${hour}:30:00Z`);
    await sql`
      insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number, from_digits, status,
        result, target, call_tracking, talk_seconds, created)
      values (${app.accountId}, ${makeIdSource(() => at.getTime())()}, ${rest.direction ?? 'INBOUND'}, 'sandbox', ${number}, ${number},
        '1', '2', '1', 'ENDED', ${result}, ${rest.target ?? ''}, ${rest.source ?? ''}, 60, ${at.toISOString()})`.execute(
      app.deps.db,
    );
  }
}

/** As if no report had been asked for before. */
async function forget(): Promise<void> {
  await sql`delete from report_days`.execute(app.deps.db);
  await sql`delete from report_counts`.execute(app.deps.db);
}

/** How many the list of a figure has. */
const listed = async ({ path, query }: { path: string; query: Record<string, string> }, more = {}) =>
  (await app.call('GET', `${path}?${new URLSearchParams({ ...query, ...more })}`)).body.count;

describe('GET /v2/reports/', () => {
  before(() =>
    addCalls([
      { day: daysAgo(400), source: 'Radio' },
      { day: daysAgo(40), source: 'Radio', target: '+447700900700' },
      { day: daysAgo(40), source: 'Web', result: 'MISSED', hour: '17' },
      { day: daysAgo(5), source: 'Web', number: '442079460002', direction: 'OUTBOUND' },
      { day: daysAgo(1), source: 'Web', result: 'MISSED', target: '+447700900700' },
    ]),
  );

  test('by month, week or day: every piece of any span, its total and its list', async () => {
    for (const group_by of ['day', 'week', 'month']) {
      const body = await report(`metric=calls&group_by=${group_by}&from=${daysAgo(420)}&to=${today()}`);
      assert.equal(body.complete, true);
      assert.deepEqual([body.total.count, body.total.counts.ANSWERED, body.total.counts.MISSED], [5, 3, 2]);
      assert.equal(body.total.talk_seconds, 300);
      assert.equal(body.rows.length, { day: 421, week: body.rows.length, month: body.rows.length }[group_by]);
      const filled = body.rows.filter(({ count }: { count: number }) => count > 0);
      for (const { count, counts, list } of filled) {
        assert.equal(await listed(list), count);
        assert.equal(await listed(list, { [list.status_filter]: 'MISSED' }), counts.MISSED);
      }
      assert.equal(await listed(body.total.list), 5);
      assert.equal(
        filled.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
        5,
      );
    }
  });

  test('by agent, number and source: what each has, what belongs to none, and the list of each', async () => {
    const agent = await app.call('POST', '/v2/agent-configs/', { name: 'Ana', numbers: ['+447700900700'] });
    const span = `metric=calls&from=${daysAgo(420)}&to=${today()}`;
    const by = async (group_by: string) => {
      const body = await report(`${span}&group_by=${group_by}`);
      for (const { count, list } of body.rows) assert.equal(await listed(list), count, group_by);
      return body;
    };
    const rowsOf = ({ rows }: { rows: { label: string; count: number }[] }) =>
      rows.map((row) => [row.label, row.count]);
    const agents = await by('agent');
    assert.deepEqual([rowsOf(agents), agents.rows[0].key, agents.rest.count], [[['Ana', 2]], agent.body.uuid, 3]);
    const sources = await by('source');
    assert.deepEqual(
      [rowsOf(sources), sources.rest.count],
      [
        [
          ['Web', 3],
          ['Radio', 2],
        ],
        0,
      ],
    );
    const numbers = await by('number');
    assert.deepEqual(rowsOf(numbers), [
      ['+442079460001', 4],
      ['+442079460002', 1],
    ]);
    const first = await report(`${span}&group_by=source&limit=1`);
    assert.deepEqual([rowsOf(first), first.rest.count, first.rest.talk_seconds], [[['Web', 3]], 2, 120]);
    const inbound = await report(`${span}&group_by=number&direction=INBOUND`);
    assert.deepEqual([rowsOf(inbound), await listed(inbound.total.list)], [[['+442079460001', 4]], 4]);
  });

  test('by the hour, by the hour of the day and by weekday', async () => {
    const hours = await report(`metric=calls&group_by=hour&from=${daysAgo(40)}&to=${daysAgo(39)}`);
    const filled = hours.rows.filter(({ count }: { count: number }) => count > 0);
    assert.deepEqual(
      filled.map(({ key }: { key: string }) => key),
      [`${daysAgo(40)}T10:00`, `${daysAgo(40)}T17:00`],
    );
    assert.equal(hours.rows.length, 48);
    assert.equal(await listed(filled[1].list), 1);
    const ofDay = await report(`metric=calls&group_by=hour_of_day&from=${daysAgo(420)}&to=${today()}`);
    assert.deepEqual([ofDay.rows.length, ofDay.rows[10].count, ofDay.rows[17].count], [24, 4, 1]);
    const weekdays = await report(`metric=calls&group_by=weekday&from=${daysAgo(420)}`);
    assert.deepEqual([weekdays.rows.length, weekdays.total.count], [7, 5]);
  });

  test('beside the days before, or the same days a year before', async () => {
    const previous = await report(`metric=calls&group_by=day&from=${daysAgo(6)}&to=${today()}&compare=previous`);
    assert.deepEqual(previous.compared_with, { from: daysAgo(13), to: daysAgo(7) });
    assert.deepEqual([previous.total.count, previous.total.previous.count], [2, 0]);
    assert.equal(previous.rows[1].previous.count, 0);
    const [from, to] = [daysAgo(40), daysAgo(30)];
    const year = await report(`metric=calls&group_by=source&from=${from}&to=${to}&compare=year`);
    const before = (day: string) => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
    assert.deepEqual(year.compared_with, { from: before(from), to: before(to) });
    const back = await report(`metric=calls&group_by=day&from=${daysAgo(5)}&to=${daysAgo(5)}&compare=previous`);
    assert.deepEqual([back.rows[0].count, back.rows[0].previous.count], [1, 0]);
  });

  test('a day that is kept is not counted again until its figures may have changed; today is always counted', async () => {
    const count = async (day: string) => (await report(`metric=calls&from=${day}&to=${day}`)).total.count;
    const [old, recent] = [daysAgo(400), daysAgo(5)];
    assert.deepEqual([await count(old), await count(recent), await count(today())], [1, 1, 0]);
    await addCalls([{ day: old }, { day: recent }, { day: today(), hour: '00' }]);
    assert.deepEqual([await count(old), await count(recent), await count(today())], [1, 1, 1]);
    const later = { ...app.deps, clock: { now: () => new Date(Date.now() + 11 * 60_000) } };
    await keepUp(later, app.accountId, { metric: 'calls', span: { from: old, to: today() }, timeZone: 'UTC' }, 60_000);
    assert.deepEqual([await count(old), await count(recent)], [1, 2]);
  });

  test('days whose rows retention has removed keep their figures', async () => {
    const span = `metric=calls&group_by=month&from=${daysAgo(420)}&to=${today()}`;
    const before = (await report(span)).total.count;
    await sql`delete from calls where created < ${daysAgo(300)}::timestamptz`.execute(app.deps.db);
    await sql`update report_days set counted_at = '2020-01-01'`.execute(app.deps.db);
    assert.equal((await report(span)).total.count, before);
  });

  test('what a request has no time for is counted by a task; the answer says so', async () => {
    await forget();
    const span = { from: daysAgo(45), to: daysAgo(3) };
    const isWhole = await keepUp(app.deps, app.accountId, { metric: 'calls', span, timeZone: 'UTC' }, -1);
    assert.equal(isWhole, false);
    const kept = () => sql`select from report_days`.execute(app.deps.db).then(({ rows }) => rows.length);
    assert.equal(await kept(), 0);
    const { rows } = await sql<{ data: object }>`select data from pgboss.job where name = 'reports.count'`.execute(
      app.deps.db,
    );
    await tasks[0]!.handler(
      app.deps,
      rows.map(({ data }) => data),
    );
    assert.ok((await kept()) > 30);
  });

  test('messages, SMS, intros and leads, each with its statuses and its list', async () => {
    const business = '+442079461000';
    const written = { from: '+447700900508', to: business, text: { body: 'Hello' } };
    await app.call('POST', '/v2/sandbox/chatapp/messages/', written);
    await app.call('POST', '/v2/chatapp/leads/', {
      chatapp_number: business,
      phone_number: '+447700900509',
      source: 'Listing 1',
    });
    const sms = { from: 'Parley', to: '+447700900510', text: 'Hi' };
    assert.equal((await app.call('POST', '/v2/send-sms/', sms)).status, 201);
    const messages = await report('metric=messages&group_by=number');
    assert.deepEqual([messages.rows[0].label, messages.rows[0].counts.RECEIVED], [business, 1]);
    const texts = await report('metric=sms&group_by=number');
    assert.deepEqual([texts.rows[0].label, texts.total.segments], ['parley', 1]);
    const leads = await report('metric=leads&group_by=source');
    assert.deepEqual([leads.rows[0].label, leads.rows[0].counts.NEW], ['Listing 1', 1]);
    for (const body of [messages, texts, leads]) assert.equal(await listed(body.rows[0].list), 1, body.metric);
    for (const metric of ['intros', 'campaigns']) {
      const none = await report(`metric=${metric}&group_by=${metric.slice(0, -1)}`);
      assert.deepEqual([none.total.count, none.rows, await listed(none.total.list)], [0, [], 0]);
    }
  });

  test('GET /v2/reports/summary/ › the totals of all metrics, each as its report has it', async () => {
    const span = `from=${daysAgo(420)}&to=${today()}&compare=previous`;
    const { body, status } = await app.call('GET', `/v2/reports/summary/?${span}`);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.metrics), ['calls', 'messages', 'sms', 'intros', 'leads', 'campaigns']);
    for (const [metric, total] of Object.entries(body.metrics)) {
      assert.deepEqual(total, (await report(`metric=${metric}&${span}`)).total);
    }
    assert.deepEqual(body.compared_with, { from: daysAgo(841), to: daysAgo(421) });
    assert.equal((await app.call('GET', '/v2/reports/summary/?from=2026-02-01&to=2026-01-01')).status, 400);
  });

  test('as a file: one column for each status', async () => {
    const url = `/v2/reports/?metric=calls&group_by=source&from=${daysAgo(420)}&compare=previous`;
    const { body, headers } = await app.call('GET', url, undefined, { headers: { accept: 'text/csv' } });
    assert.match(String(headers['content-type']), /^text\/csv/);
    const [head, first] = body.split('\r\n');
    assert.equal(
      head,
      'key,label,from,to,count,ANSWERED,MISSED,ABANDONED,BUSY,VOICEMAIL,REJECTED,FAILED,talk_seconds,previous_count',
    );
    assert.match(first, /^Web,Web,,,\d+,/);
  });

  test('another account sees nothing of it', async () => {
    const body = await report(`metric=calls&group_by=source&from=${daysAgo(420)}`, app.otherToken);
    assert.deepEqual([body.total.count, body.rows], [0, []]);
  });

  test('days are those of the time zone of the account, and are counted anew when that changes', async () => {
    const day = daysAgo(20);
    await forget();
    await addCalls([{ day, hour: '23' }]);
    const count = async () => (await report(`metric=calls&from=${day}&to=${day}`)).total.count;
    assert.equal(await count(), 1);
    await app.call('PATCH', '/v2/account/', { time_zone: 'Asia/Kolkata' });
    assert.equal(await count(), 0);
    await app.call('PATCH', '/v2/account/', { time_zone: 'UTC' });
    assert.equal(await count(), 1);
  });

  test('400 names what is wrong', async () => {
    const wrong = async (query: string) => {
      const { status, body } = await app.call('GET', `/v2/reports/?${query}`);
      assert.equal(status, 400, query);
      return Object.keys(body);
    };
    assert.deepEqual(await wrong('group_by=day'), ['metric']);
    assert.deepEqual(await wrong('metric=faxes'), ['metric']);
    assert.deepEqual(await wrong('metric=sms&group_by=agent'), ['group_by']);
    assert.deepEqual(await wrong('metric=sms&direction=INBOUND'), ['direction']);
    assert.deepEqual(await wrong('metric=sms&from=2026-02-01&to=2026-01-01'), ['from']);
    assert.deepEqual(await wrong('metric=sms&from=1990-01-01&to=2026-01-01'), ['from']);
    assert.deepEqual(await wrong('metric=sms&group_by=hour&from=2026-01-01&to=2026-03-01'), ['from']);
    assert.deepEqual(await wrong('metric=sms&from=0001-01-01&to=0001-01-02'), ['from']);
    assert.deepEqual(await wrong('metric=sms&compare=tomorrow'), ['compare']);
    assert.deepEqual(await wrong('metric=sms&limit=0'), ['limit']);
  });
});
