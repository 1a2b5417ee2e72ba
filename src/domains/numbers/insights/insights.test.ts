import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { countTraffic, type TrafficRow } from './traffic.ts';

const own = '442079460700';

let app: TestApp;
before(async () => {
  app = await startTestApp();
  assert.equal((await app.call('POST', '/v2/number/', { number: own })).status, 201);
});
after(() => app.close());

const happen = (...rows: (Partial<TrafficRow> & Pick<TrafficRow, 'kind' | 'at'>)[]) =>
  countTraffic(
    app.deps.db,
    rows.map((row) => ({ accountId: app.accountId, digits: own, ...row })),
  );
const insightsOf = async (query: string, token = app.token) => {
  const { status, body } = await app.call('GET', `/v2/number/${query}`, undefined, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe('number insights', () => {
  it('tell of any number what it says by itself', async () => {
    const { known, traffic, number } = await insightsOf('insights/?number=%2B44 20 7946 0701');
    assert.equal(number, '+442079460701');
    assert.deepEqual(known, {
      valid: true,
      possible: true,
      country: 'GB',
      calling_code: '44',
      national: '020 7946 0701',
      international: '+44 20 7946 0701',
      type: 'FIXED_LINE',
      time_zones: ['Europe/London'],
      is_own: false,
    });
    assert.equal(traffic, null);
    const of = async (digits: string) => (await insightsOf(`${digits}/insights/`)).known;
    const german = await of('491711234567');
    assert.deepEqual([german.type, german.time_zones], ['MOBILE', ['Europe/Berlin']]);
    const american = await of('12125550100');
    assert.deepEqual([american.country, american.time_zones], ['US', []], 'it has several zones');
    const freephone = await of('80012345678');
    assert.deepEqual([freephone.country, freephone.type, freephone.calling_code], [null, 'TOLL_FREE', '800']);
    const nothing = await of('999123456');
    assert.deepEqual([nothing.valid, nothing.possible, nothing.type, nothing.national], [false, false, 'UNKNOWN', '']);
  });

  it('count the traffic of an own number by day and hour, each caller once', async () => {
    const at = (text: string) => new Date(`${text}Z`);
    await happen(
      { kind: 'CALL_ANSWERED', at: at('2026-03-01T09:10:00'), seconds: 90, caller: '447700900001' },
      { kind: 'CALL_ANSWERED', at: at('2026-03-01T09:50:00'), seconds: 30, caller: '447700900002' },
      { kind: 'CALL_MISSED', at: at('2026-03-03T09:59:59'), caller: '447700900001' },
      { kind: 'CALL_OTHER', at: at('2026-03-03T10:00:00') },
      { kind: 'SMS_IN', at: at('2026-03-03T23:00:00') },
      { kind: 'SMS_OUT', at: at('2026-03-03T00:00:00') },
    );
    await happen(
      { kind: 'SMS_OUT', at: at('2026-03-03T00:30:00') },
      { kind: 'SMS_OUT', at: at('2026-04-01T00:00:00') },
    );
    const { traffic, from, to } = await insightsOf(`${own}/insights/?from=2026-03-01&to=2026-03-04`);
    assert.deepEqual([from, to], ['2026-03-01', '2026-03-04']);
    const { by_day, by_hour, ...whole } = traffic;
    assert.deepEqual(whole, { calls: 4, answered: 2, missed: 1, minutes: 2, sms_in: 1, sms_out: 2, unique_callers: 2 });
    const none = { calls: 0, answered: 0, missed: 0, minutes: 0, sms_in: 0, sms_out: 0 };
    assert.deepEqual(by_day, [
      { date: '2026-03-01', ...none, calls: 2, answered: 2, minutes: 2 },
      { date: '2026-03-02', ...none },
      { date: '2026-03-03', ...none, calls: 2, missed: 1, sms_in: 1, sms_out: 2 },
      { date: '2026-03-04', ...none },
    ]);
    assert.equal(by_hour.length, 24);
    assert.deepEqual(by_hour[9], { hour: 9, ...none, calls: 3, answered: 2, missed: 1, minutes: 2 });
    assert.deepEqual([by_hour[0].sms_out, by_hour[10].calls, by_hour[23].sms_in], [2, 1, 1]);
  });

  it('count what many sessions add at once', async () => {
    const at = new Date('2026-05-01T12:00:00Z');
    const calls = Array.from({ length: 40 }, (_, n) => [
      { kind: 'CALL_ANSWERED' as const, at, seconds: 6, caller: `4477009${n % 7}` },
      { kind: 'SMS_OUT' as const, at },
    ]);
    await Promise.all(calls.map((rows) => happen(...rows)));
    const { traffic } = await insightsOf(`${own}/insights/?from=2026-05-01&to=2026-05-01`);
    assert.deepEqual([traffic.calls, traffic.minutes, traffic.sms_out, traffic.unique_callers], [40, 4, 40, 7]);
  });

  it('show the traffic to its owner only, of the last 30 days where nothing else is asked', async () => {
    await happen({ kind: 'SMS_IN', at: new Date() });
    const mine = await insightsOf(`insights/?number=${own}`);
    assert.deepEqual([mine.known.is_own, mine.traffic.sms_in, mine.traffic.by_day.length], [true, 1, 30]);
    assert.equal(mine.to, new Date().toISOString().slice(0, 10));
    const theirs = await insightsOf(`insights/?number=${own}`, app.otherToken);
    assert.deepEqual([theirs.known.is_own, theirs.traffic, theirs.known.country], [false, null, 'GB']);
  });

  it('400 for a span that is none or too long, and for what is no number; 404 for such a path', async () => {
    for (const [query, field] of [
      ['from=2026-03-02&to=2026-03-01', 'to'],
      ['from=2020-01-01&to=2026-01-01', 'from'],
      ['from=yesterday', 'from'],
    ] as const) {
      const answer = await app.call('GET', `/v2/number/${own}/insights/?${query}`);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]], query);
    }
    assert.equal((await insightsOf(`${own}/insights/?to=0001-01-03`)).traffic.by_day.length, 3);
    assert.deepEqual((await app.call('GET', '/v2/number/insights/')).body, { number: ['This field is required.'] });
    assert.equal((await app.call('GET', '/v2/number/insights/?number=mum')).status, 400);
    assert.equal((await app.call('GET', '/v2/number/mum/insights/')).status, 404);
  });
});
