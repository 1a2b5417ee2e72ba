import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { earlier } from '../../../../test/kit/postgres/earlier.ts';
import { newId } from '../../../platform/ids.ts';
import { applyPairRate, purgePairRatesAnyAccount } from './pair-rate.ts';
import type { Claimed, Sender } from './queue.ts';

const platformRate = { everyMs: 6_000, burst: 45 };

const claimed = (to: string, count: number): Claimed[] =>
  Array.from({ length: count }, () => ({
    uuid: newId(),
    type: 'TEXT',
    from_digits: '34900111222',
    to_digits: to,
    message_data: {},
    context_data: {},
    chat_intro: null,
    campaign_log: null,
    attempts: 1,
    give_up_at: null,
  }));

describe('The rate to one person', () => {
  let app: TestApp;
  let sender: Sender;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    sender = { account_id: app.accountId, uuid: newId(), carrier: 'cloud-api' };
  });
  after(() => app.close());

  /** How many of these may leave now. */
  const leaving = async (to: string, count: number, rate = platformRate): Promise<number> => {
    const waiting = await applyPairRate(app.deps.db, sender, claimed(to, count), rate);
    return count - waiting.size;
  };
  const pass = (digits: string, seconds: number) =>
    sql`update pair_rates set at = ${earlier(sql`at`, `${seconds} seconds`)} where digits = ${digits}`.execute(
      app.deps.db,
    );

  it('lets a burst of 45 go at once, the first ones, and gives each of the others its turn', async () => {
    const messages = claimed('34600000001', 48);
    const waiting = await applyPairRate(app.deps.db, sender, messages, platformRate);
    assert.deepEqual(
      messages.map((message) => waiting.get(message) ?? 0),
      [...Array<number>(45).fill(0), 6_000, 12_000, 18_000],
    );
  });

  it('then lets one go every six seconds', async () => {
    const to = '34600000002';
    assert.equal(await leaving(to, 45), 45);
    for (let round = 0; round < 5; round++) {
      assert.equal(await leaving(to, 3), 0);
      await pass('34600000002', 6);
      assert.equal(await leaving(to, 3), 1);
    }
  });

  it('fills up again to one burst and no more', async () => {
    const to = '34600000003';
    assert.equal(await leaving(to, 45), 45);
    await pass('34600000003', 86400);
    assert.equal(await leaving(to, 200), 45);
  });

  it('is kept for each person, however their number is written, and for each sender', async () => {
    const people = [...claimed('34600000004', 60), ...claimed('34600000005', 30)];
    const waiting = await applyPairRate(app.deps.db, sender, people, platformRate);
    assert.deepEqual(
      people.flatMap((message, index) => (waiting.has(message) ? [index] : [])),
      Array.from({ length: 15 }, (_, index) => 45 + index),
    );
    const other = { ...sender, uuid: newId() };
    assert.equal((await applyPairRate(app.deps.db, other, claimed('34600000004', 45), platformRate)).size, 0);
  });

  it('two workers at once together let go what one may', async () => {
    // An hour for each: what is earned while the test runs does not count.
    const rate = { everyMs: 3_600_000, burst: 45 };
    const people = ['34600000006', '34600000007', '34600000008'];
    const gone = new Map(people.map((to) => [to, 0]));
    const worker = async (order: string[]): Promise<void> => {
      for (let batch = 0; batch < 20; batch++) {
        const messages = order.flatMap((to) => claimed(to, 7));
        const waiting = await applyPairRate(app.deps.db, sender, messages, rate);
        for (const message of messages) {
          const { to_digits: to } = message;
          if (!waiting.has(message)) gone.set(to, gone.get(to)! + 1);
        }
      }
    };
    await Promise.all([worker(people), worker(people.toReversed())]);
    assert.deepEqual([...gone.values()], [45, 45, 45]);
  });

  it('forgets people who were not written to for an hour, and nobody else', async () => {
    await leaving('34600000009', 45);
    await leaving('34600000010', 45);
    await pass('34600000009', 3601);
    await purgePairRatesAnyAccount(app.deps.db);
    const known = await app.deps.db.selectFrom('pair_rates').select('digits').execute();
    const digits = new Set(known.map((row) => row.digits));
    assert.deepEqual([digits.has('34600000009'), digits.has('34600000010')], [false, true]);
    assert.equal(await leaving('34600000009', 45), 45);
  });
});
