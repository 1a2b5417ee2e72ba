import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { newId } from '../../platform/ids.ts';
import { digestBefore, nextDigest } from './digest.ts';
import { lookOnce } from './watch.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  const webhook = await app.call('POST', '/v2/chatapp/webhooks/', { url: 'https://example.com/h', events: ['*'] });
  assert.equal(webhook.status, 201);
});
after(() => app.close());

const url = '/v2/insights-config/';
const put = async (body: object) => {
  const answer = await app.call('PUT', url, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const business = '+442079461000';
const chat = async (from: string, body: string): Promise<string> =>
  (await app.call('POST', '/v2/sandbox/chatapp/messages/', { from, to: business, text: { body } })).body.uuid;
const answer = async (to: string): Promise<void> => {
  const request = { chatapp_number: business, to_chatapp_number: to, type: 'TEXT', text: { body: 'Here I am.' } };
  const { status, body } = await app.call('POST', '/v2/chatapp/messages/', request);
  assert.equal(status, 201, JSON.stringify(body));
};
/** Looks as if so many minutes had passed. */
const lookAfter = async (minutes: number): Promise<void> => {
  const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
  while (await lookOnce({ ...app.deps, clock }));
};
const announced = async (type: string): Promise<Record<string, unknown>[]> => {
  const rows = await app.deps.db.selectFrom('webhook_deliveries').select('payload').where('type', '=', type).execute();
  return rows.map(({ payload }) => JSON.parse(payload).data);
};
const story = async (subject: string, kind: string) =>
  (await app.call('GET', `/v2/events/?subject=${subject}&kind=${kind}`)).body.results;

describe(url, () => {
  test('nobody watches until somebody asks; PUT sets all, PATCH what it names, each account its own', async () => {
    const nothing = {
      missed_call_window_minutes: null,
      reply_time_target_minutes: null,
      keyword_groups: [],
      business_hours: null,
      digest: { enabled: false, hour: 8 },
    };
    assert.deepEqual((await app.call('GET', url)).body, { ...nothing, modified: null });
    const set = await put({ reply_time_target_minutes: 30, digest: { enabled: true } });
    assert.deepEqual(set, {
      ...nothing,
      reply_time_target_minutes: 30,
      digest: { enabled: true, hour: 8 },
      modified: set.modified,
    });
    const patched = (await app.call('PATCH', url, { digest: { hour: 17 }, missed_call_window_minutes: 5 })).body;
    assert.deepEqual([patched.digest, patched.reply_time_target_minutes], [{ enabled: true, hour: 17 }, 30]);
    assert.deepEqual((await app.call('GET', url)).body, patched);
    assert.equal((await app.call('GET', url, undefined, { token: app.otherToken })).body.modified, null);
    assert.deepEqual((await put({})).digest, nothing.digest);
  });

  test('400 names what is wrong', async () => {
    const wrong = async (body: object) => Object.keys((await app.call('PATCH', url, body)).body);
    assert.deepEqual(await wrong({ reply_time_target_minutes: 0 }), ['reply_time_target_minutes']);
    assert.deepEqual(await wrong({ keyword_groups: [{ name: 'x', keywords: [] }] }), ['keyword_groups']);
    assert.deepEqual(await wrong({ digest: { hour: 24 } }), ['digest']);
    assert.deepEqual(await wrong({ business_hours: { monday: [] } }), ['business_hours']);
  });
});

describe('somebody who wrote', () => {
  beforeEach(() => put({ reply_time_target_minutes: 30 }));
  const slow = async (person: string) =>
    (await announced('insight.slow_reply'))
      .filter(({ from }) => from === person.slice(1))
      .map(({ message }) => message);

  test('and was not answered in time is told of once, by the first message that waits', async () => {
    const person = '+447700900501';
    const first = await chat(person, 'Hello?');
    await chat(person, 'Anybody?');
    await lookAfter(29);
    assert.deepEqual(await slow(person), []);
    await lookAfter(31);
    await lookAfter(31);
    assert.deepEqual(await slow(person), [first]);
    assert.equal((await story(first, 'insight.slow_reply')).length, 1);
  });

  test('and was answered is not; what they write after the answer counts anew', async () => {
    const [quick, again] = ['+447700900502', '+447700900503'];
    await chat(quick, 'Hello?');
    await answer(quick);
    await chat(again, 'Hello?');
    await answer(again);
    const second = await chat(again, 'And then?');
    await lookAfter(31);
    await lookAfter(31);
    assert.deepEqual([await slow(quick), await slow(again)], [[], [second]]);
  });

  test('by SMS is watched too; STOP asks for no answer', async () => {
    const sms = async (from: string, text: string) =>
      (await app.call('POST', '/v2/sandbox/sms/', { from, to: business, text })).body.uuid;
    const written = await sms('+447700900504', 'Hi');
    await sms('+447700900505', 'STOP');
    const watches = await app.deps.db.selectFrom('reply_watches').select(['channel', 'message']).execute();
    assert.deepEqual(watches, [{ channel: 'SMS', message: written }]);
    await lookAfter(31);
    const found = (await announced('insight.slow_reply')).filter(({ channel }) => channel === 'SMS');
    assert.deepEqual(
      found.map(({ sms }) => sms),
      [written],
    );
  });

  test('outside business hours has time until they open', async () => {
    const today = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date()).toLowerCase();
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const tomorrow = days[(days.indexOf(today) + 1) % 7]!;
    await put({ reply_time_target_minutes: 30, business_hours: { [tomorrow]: [{ start: '10:00', end: '11:00' }] } });
    await chat('+447700900506', 'Hello?');
    const [watch] = await app.deps.db.selectFrom('reply_watches').select('due_at').execute();
    assert.match(watch!.due_at, /T10:30:00/);
    await app.deps.db.deleteFrom('reply_watches').execute();
  });
});

test('a keyword of a group is noted on the message and told', async () => {
  await put({
    keyword_groups: [
      { name: 'Complaints', keywords: ['refund', 'not happy'] },
      { name: 'Other', keywords: ['x'] },
    ],
  });
  const uuid = await chat('+447700900507', 'I am NOT happy, refund me');
  const [event] = await story(uuid, 'insight.keyword');
  assert.deepEqual(event.data, { group: 'Complaints', keywords: ['refund', 'not happy'] });
  const [told] = (await announced('insight.keyword')).filter(({ message }) => message === uuid);
  assert.deepEqual([told!['group'], told!['from'], told!['number']], ['Complaints', '+447700900507', business]);
});

describe('a missed call', () => {
  /** A call that is over, as the voice room leaves it; which ones it notes as missed, its own tests say. */
  const callOf = async (caller: string, result: string, direction = 'INBOUND'): Promise<string> => {
    const uuid = newId();
    const [from, to] = direction === 'INBOUND' ? [caller, business] : [business, caller];
    await sql`
      insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number, from_digits,
        to_digits, status, result)
      values (${app.accountId}, ${uuid}, ${direction}, 'sandbox', ${business}, ${business.slice(1)}, ${from}, ${to},
        ${from.replace('+', '')}, ${to.replace('+', '')}, 'ENDED', ${result})`.execute(app.deps.db);
    if (direction === 'INBOUND' && result !== 'ANSWERED')
      await sql`insert into missed_calls (account_id, call) values (${app.accountId}, ${uuid})`.execute(app.deps.db);
    return uuid;
  };
  const forgotten = async () => (await announced('insight.missed_call')).map(({ call }) => call);

  test('that nobody returned within the window is told once; a returned one, and an answered one, are not', async () => {
    await put({ missed_call_window_minutes: 60 });
    const missed = await callOf('+447700900601', 'MISSED');
    await callOf('+447700900601', 'ABANDONED');
    await callOf('+447700900602', 'VOICEMAIL');
    await callOf('+447700900603', 'BUSY');
    await callOf('+447700900604', 'ANSWERED');
    await lookAfter(0);
    await callOf('+447700900602', 'MISSED', 'OUTBOUND');
    await callOf('+447700900603', 'ANSWERED');
    await lookAfter(58);
    assert.deepEqual(await forgotten(), []);
    await lookAfter(61);
    await lookAfter(61);
    assert.deepEqual(await forgotten(), [missed]);
    assert.equal((await story(missed, 'insight.missed_call')).length, 1);
    await app.deps.db.deleteFrom('calls').execute();
  });
});

describe('figures', () => {
  test('GET /v2/insights/series/ tells the same, piece by piece; days and hours are as long as they are', async () => {
    const series = async (query: string) => (await app.call('GET', `/v2/insights/series/?${query}`)).body.results;
    const whole = (await app.call('GET', '/v2/insights/')).body;
    const today = whole.from.slice(0, 10);
    const hours = await series(`by=hour&from=${today}&to=${today}`);
    const [day] = await series(`from=${today}&to=${today}`);
    assert.deepEqual(day, whole);
    const sum = (of: (piece: typeof whole) => number) =>
      hours.reduce((total: number, piece: typeof whole) => total + of(piece), 0);
    assert.equal(
      sum(({ leads }) => leads),
      whole.leads,
    );
    assert.equal(
      sum(({ messages }) => messages.RECEIVED),
      whole.messages.RECEIVED,
    );
    assert.deepEqual([hours[0].from, hours.at(-1).to], [whole.from, whole.to]);
    const { body: account } = await app.call('GET', '/v2/account/');
    await app.call('PATCH', '/v2/account/', { time_zone: 'Europe/London' });
    // In London the clocks go forward on the 29th of March 2026, and back on the 25th of October.
    assert.equal((await series('by=hour&from=2026-03-29&to=2026-03-29')).length, 23);
    assert.equal((await series('by=hour&from=2026-10-25&to=2026-10-25')).length, 25);
    const days = await series('from=2026-10-24&to=2026-10-26');
    assert.deepEqual(
      days.map(({ from }: { from: string }) => from.slice(0, 13)),
      ['2026-10-23T23', '2026-10-24T23', '2026-10-26T00'],
    );
    await app.call('PATCH', '/v2/account/', { time_zone: account.time_zone });
    assert.equal((await app.call('GET', '/v2/insights/series/?by=hour&from=2026-01-01&to=2026-01-31')).status, 400);
  });

  test('GET /v2/insights/ tells what began today, to each account its own', async () => {
    const before = (await app.call('GET', '/v2/insights/')).body;
    await chat('+447700900508', 'Hello');
    await answer('+447700900508');
    await app.call('POST', '/v2/chatapp/leads/', { chatapp_number: business, phone_number: '+447700900509' });
    const after = (await app.call('GET', '/v2/insights/')).body;
    const grown = (path: (figures: typeof after) => number) => path(after) - path(before);
    assert.deepEqual(
      [
        grown(({ messages }) => messages.RECEIVED),
        grown(({ messages }) => messages.QUEUED),
        grown(({ leads }) => leads),
      ],
      [1, 1, 1],
    );
    const today = after.from.slice(0, 10);
    const same = await app.call('GET', `/v2/insights/?from=${today}&to=${today}`);
    assert.deepEqual(same.body, after);
    assert.equal((await app.call('GET', '/v2/insights/?from=2026-01-01&to=2026-01-31')).body.leads, 0);
    const other = (await app.call('GET', '/v2/insights/', undefined, { token: app.otherToken })).body;
    assert.deepEqual([other.leads, other.messages.RECEIVED], [0, 0]);
    for (const query of [
      'from=2026-02-01&to=2026-01-01',
      'from=2026-01-01&to=2026-02-01',
      'from=0001-01-01&to=0001-01-01',
    ]) {
      assert.equal((await app.call('GET', `/v2/insights/?${query}`)).status, 400, query);
    }
  });

  test('the digest of a day is sent once, at its hour', async () => {
    await put({ digest: { enabled: true, hour: 8 } });
    const [{ digest_due_at: due } = assert.fail()] = await app.deps.db
      .selectFrom('insights_configs')
      .select('digest_due_at')
      .where('account_id', '=', app.accountId)
      .execute();
    const minutes = Math.ceil((Date.parse(due!) - Date.now()) / 60_000);
    await lookAfter(minutes - 2);
    assert.deepEqual(await announced('insight.digest'), []);
    await lookAfter(minutes);
    await lookAfter(minutes + 10);
    const [digest, ...more] = await announced('insight.digest');
    assert.deepEqual([digest!['to'], more], [due, []]);
    assert.equal(Date.parse(due!) - Date.parse(digest!['from'] as string), 24 * 3_600_000);
    await lookAfter(minutes + 24 * 60);
    assert.equal((await announced('insight.digest')).length, 2);
  });

  test('an hour is the hour of the zone, on every day of the year', () => {
    const next = (now: string, hour: number) => nextDigest(new Date(now), hour, 'Europe/London').toISOString();
    assert.equal(next('2026-07-01T06:59:30Z', 8), '2026-07-01T07:00:00.000Z');
    assert.equal(next('2026-07-01T07:00:00Z', 8), '2026-07-02T07:00:00.000Z');
    assert.equal(next('2026-10-24T08:00:00Z', 8), '2026-10-25T08:00:00.000Z');
    const before = (due: string) => digestBefore(new Date(due), 8, 'Europe/London').toISOString();
    assert.equal(before('2026-10-25T08:00:00Z'), '2026-10-24T07:00:00.000Z', 'a day of 25 hours');
    assert.equal(before('2026-03-29T07:00:00Z'), '2026-03-28T08:00:00.000Z', 'a day of 23 hours');
  });
});
