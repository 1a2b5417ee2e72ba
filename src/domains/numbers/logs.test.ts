import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { numberEvents } from './log-queries.ts';

const raw = '/v2/logs/raw-numbers/';
const billable = '/v2/logs/billable-numbers/';

let app: TestApp;
before(async () => {
  app = await startTestApp({ NUMBER_PRICES: '{"GB":0.8,"default":2}' });
});
after(() => app.close());

const get = async (url: string, token = app.token) => {
  const { status, body } = await app.call('GET', url, undefined, { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const csv = async (url: string): Promise<string[]> => {
  const { headers, body } = await app.call('GET', url, undefined, { headers: { accept: 'text/csv' } });
  assert.match(String(headers['content-type']), /^text\/csv/);
  return body.trimEnd().split('\r\n');
};
const buy = async (number: string) => assert.equal((await app.call('POST', '/v2/number/', { number })).status, 201);

describe(`GET ${raw}`, () => {
  const number = '+442079460800';
  before(async () => {
    await buy(number);
    await app.call('PATCH', `/v2/number/${number}/`, { tts: 'Hello', target_number: '+15551234567' });
    await app.call('DELETE', `/v2/number/${number}/`);
    await buy('+442079460801');
  });

  it('tells what happened to a number, newest first, also after it went', async () => {
    const { results, count } = await get(`${raw}?number=44(20)7946-0800`);
    assert.equal(count, 3);
    assert.deepEqual(
      results.map((log: { event: string }) => log.event),
      ['number.released', 'number.updated', 'number.assigned'],
    );
    const [, updated] = results;
    assert.deepEqual(Object.keys(updated), ['uuid', 'number', 'event', 'changed', 'data', 'created']);
    assert.deepEqual([updated.number, updated.changed], [number, ['target_number', 'features', 'tts']]);
  });

  it('is filtered by event and time, paged, to be had as CSV, and nobody else’s', async () => {
    const assigned = await get(`${raw}?event=number.assigned&ordering=created`);
    assert.deepEqual(
      assigned.results.map((log: { number: string }) => log.number),
      [number, '+442079460801'],
    );
    assert.equal((await get(`${raw}?created_before=${assigned.results[0].created}`)).count, 0);
    assert.equal((await get(`${raw}?page_size=1`)).results.length, 1);
    const [header, first] = await csv(`${raw}?number=${encodeURIComponent(number)}`);
    assert.equal(header, 'uuid,number,event,changed,data,created');
    assert.match(first!, /,\+442079460800,number\.released,\[\],/);
    assert.equal((await get(raw, app.otherToken)).count, 0);
    assert.equal((await app.call('GET', `${raw}?event=number.lost`)).status, 400);
  });

  it('tells that meta changed and nothing else; the number’s record and its webhook have what it is', async () => {
    const webhook = { name: 'shops', url: 'https://example.com/shops', events: ['number.assigned'] };
    assert.equal((await app.call('POST', '/v2/number/webhooks/', webhook)).status, 201);
    const [shop, moved] = [{ shop: 7, tills: [1, 2] }, { shop: 8 }];
    const other = { number: '+442079460802', meta: shop, webhooks: ['shops'] };
    const bought = await app.call('POST', '/v2/number/', other);
    assert.deepEqual([bought.status, bought.body.meta], [201, shop]);
    const { rows } = await sql<{ payload: string }>`
      select payload from webhook_deliveries where type = 'number.assigned'`.execute(app.deps.db);
    const told = rows.map(({ payload }) => JSON.parse(payload).data);
    assert.deepEqual(told, [bought.body], 'among it meta, issued_date and billing_anniversary');

    assert.equal((await app.call('PATCH', `/v2/number/${other.number}/`, { meta: shop })).status, 200);
    assert.equal((await app.call('PATCH', `/v2/number/${other.number}/`, { meta: moved })).status, 200);
    assert.deepEqual((await get(`/v2/number/${other.number}/`)).meta, moved);
    const { results } = await get(`${raw}?number=${encodeURIComponent(other.number)}&event=number.updated`);
    assert.deepEqual(
      results.map((log: { changed: string[] }) => log.changed),
      [['meta']],
      'the same once more is no change',
    );
    await app.call('DELETE', `/v2/number/${other.number}/`);
  });

  it('is read through an index, whatever the filter', async () => {
    await sql`insert into events (account_id, uuid, subject_type, subject, kind, data)
      select ${app.accountId}, uuidv7(), 'number', uuidv7(), 'number.updated', json_build_object('number', '+1' || n)
      from generate_series(1, 5000) n`.execute(app.deps.db);
    await sql`analyze events`.execute(app.deps.db);
    const planOf = async (filter: Parameters<typeof numberEvents>[2]) =>
      JSON.stringify(
        await numberEvents(app.deps.db, app.accountId, filter).orderBy('uuid', 'desc').limit(26).explain('json'),
      );
    assert.match(await planOf({ number: '+442079460800' }), /"Index Cond":"[^"]*data ->> 'number'/);
    assert.match(await planOf({ event: 'number.released' }), /"Index Cond":"[^"]*kind = /);
    assert.doesNotMatch(await planOf({}), /Seq Scan|"Node Type":"Sort"/);
  });
});

describe(`GET ${billable}`, () => {
  /** A number with a history, in days of the calendar. */
  async function had(number: string, issued: string, anniversary: string, released: string | null = null) {
    await buy(number);
    await sql`update numbers set issued_date = ${issued}::timestamptz, billing_anniversary = ${anniversary}::date,
      released_at = ${released}::timestamptz where number = ${number} and released_at is null`.execute(app.deps.db);
  }
  const periodsOf = async (query: string) =>
    (await get(`${billable}?${query}`)).results.map((row: Record<string, string>) => [
      row['period_start'],
      row['period_end'],
      row['days_active'],
      row['price'],
    ]);

  it('has a row per month of a number until it went, by the day of its anniversary, at the price of its country', async () => {
    await had('+442079460810', '2024-01-31T15:00:00Z', '2024-02-29', '2024-04-30T09:00:00Z');
    assert.deepEqual(await periodsOf('number=442079460810&ordering=issued_date'), [
      ['2024-01-31', '2024-02-28', 29, '0.80'],
      ['2024-02-29', '2024-03-28', 29, '0.80'],
      ['2024-03-29', '2024-04-28', 31, '0.80'],
      ['2024-04-29', '2024-05-28', 2, '0.80'],
    ]);
    await had('+12125550150', '2024-05-10T00:00:00Z', '2024-06-10', '2024-05-10T01:00:00Z');
    assert.deepEqual(await periodsOf('number=12125550150'), [['2024-05-10', '2024-06-09', 1, '2.00']]);
  });

  it('begins on the issued_date and goes on from the billing_anniversary of the number’s record, each for itself', async () => {
    const [issued, anniversary] = ['2024-03-05T23:30:00.000000Z', '2024-04-05'];
    const histories = [
      ['+442079460813', issued, anniversary],
      ['+442079460814', '2024-03-20T00:00:00.000000Z', anniversary],
      ['+442079460815', issued, '2024-03-12'],
    ] as const;
    for (const [number, issued_date, billing_anniversary] of histories) {
      await had(number, issued_date, billing_anniversary);
    }
    for (const [number, issued_date, billing_anniversary] of histories) {
      const record = await get(`/v2/number/${number}/`);
      assert.deepEqual([record.issued_date, record.billing_anniversary], [issued_date, billing_anniversary]);
      const { results } = await get(`${billable}?number=${encodeURIComponent(number)}&period_before=2024-04-01`);
      assert.ok(results.every((row: { issued_date: string }) => row.issued_date === issued_date));
    }
    const firstOf = async (number: string) =>
      (await periodsOf(`number=${number}&ordering=issued_date&period_before=2024-04-06`)).map(
        ([start, end, days]: unknown[]) => [start, end, days],
      );
    assert.deepEqual(await firstOf('442079460813'), [
      ['2024-03-05', '2024-04-04', 31],
      ['2024-04-05', '2024-05-04', 30],
    ]);
    assert.deepEqual(await firstOf('442079460814'), [
      ['2024-03-20', '2024-04-04', 16],
      ['2024-04-05', '2024-05-04', 30],
    ]);
    assert.deepEqual(await firstOf('442079460815'), [
      ['2024-03-05', '2024-03-11', 7],
      ['2024-03-12', '2024-04-11', 31],
    ]);
  });

  it('counts a number that the account still has up to today', async () => {
    await buy('+442079460811');
    const { results } = await get(`${billable}?number=442079460811`);
    const [row] = results;
    assert.deepEqual([results.length, row.days_active, row.released_date], [1, 1, null]);
    assert.deepEqual(Object.keys(row), [
      'number',
      'country',
      'issued_date',
      'released_date',
      'period_start',
      'period_end',
      'days_active',
      'price',
    ]);
  });

  it('is filtered by period, paged both ways without a gap, to be had as CSV, and nobody else’s', async () => {
    await had('+442079460812', '2020-01-01T00:00:00Z', '2020-02-01', '2021-12-31T00:00:00Z');
    const of = 'number=442079460812';
    assert.equal((await periodsOf(`${of}&period_after=2021-01-01&period_before=2021-04-01`)).length, 3);
    for (const ordering of ['issued_date', '-issued_date']) {
      const all = await get(`${billable}?ordering=${ordering}&page_size=200`);
      const seen: object[] = [];
      let pages = 0;
      let address: string | null = `${billable}?ordering=${ordering}&page_size=7`;
      let last = '';
      while (address) {
        const page = await get(address);
        assert.equal(page.count, all.count);
        seen.push(...page.results);
        pages++;
        last = page.previous;
        address = page.next && new URL(page.next).pathname + new URL(page.next).search;
      }
      assert.ok(pages > 4);
      assert.deepEqual(seen, all.results);
      const before = await get(new URL(last).pathname + new URL(last).search);
      assert.deepEqual(before.results, all.results.slice((pages - 2) * 7, (pages - 1) * 7));
    }
    assert.equal((await csv(`${billable}?${of}`)).length, 1 + 24);
    assert.equal((await get(billable, app.otherToken)).count, 0);
    assert.equal((await app.call('GET', `${billable}?cursor=bm90aGluZw`)).status, 404);
  });

  it('makes the months of a page only, however many there are', async () => {
    await sql`insert into numbers (account_id, uuid, digits, national, country, capabilities, carrier, target_number,
        features, webhooks, meta, tts, whisper_file, call_tracking, record_call_file, keep_number_file,
        voicemail_lite_file, capture_digits_file, keywords, words, issued_date, billing_anniversary, released_at)
      select ${app.accountId}, uuidv7(), '99' || n, n::text, 'GB', '{}', 'x', '', '{}', '{}', '{}', '', '', '', '', '', '', '', '{}',
        '{}', '2015-01-01', '2015-02-01', '2025-01-01' from generate_series(1, 3000) n`.execute(app.deps.db);
    const lines = await csv(`${billable}?period_before=2016-01-01`);
    assert.equal(new Set(lines).size, 1 + 3000 * 12);
    assert.equal((await get(`${billable}?page_size=200`)).results.length, 200);
  });
});
