import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type CompiledQuery, sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import type { SmsOutcome } from '../../../carriers/ports/sms.ts';
import { recoverAbandoned } from '../deliver/recover.ts';
import { findFastPath } from './fast-path.ts';
import { sendSmsAll } from './send.ts';

describe('an SMS whose link is free', () => {
  let app: TestApp;
  let stage: Stage;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = await startStage(app);
  });
  const held: (() => void)[] = [];
  after(async () => {
    for (const answer of held) answer();
    await stage.stop();
    await app.close();
  });
  beforeEach(() => {
    stage.peer.answer = (_message, take) => take();
  });

  /** Where it is: in the hand of a worker, or in the queue. */
  const placeOf = async (uuid: string): Promise<'in hand' | 'in the queue' | 'claimed' | 'through'> => {
    const { rows } = await sql<{ status: string; claimed_by: number | null }>`
      select status, claimed_by from sms_states where account_id = ${app.accountId} and uuid = ${uuid}`.execute(
      app.deps.db,
    );
    if (!rows[0]) {
      const { rows: hands } = await sql<{ worker: number }>`
        select worker from sms_in_hand where account_id = ${app.accountId} and sms @> array[${uuid}::uuid]`.execute(
        app.deps.db,
      );
      assert.deepEqual(hands, [{ worker: app.deps.listener.workerNumber }]);
      return 'in hand';
    }
    if (rows[0].status !== 'QUEUED') return 'through';
    return rows[0].claimed_by === null ? 'in the queue' : 'claimed';
  };
  /** How many wait, by the list, the ledger and the insights. */
  const queued = async () => {
    const get = async (url: string) => (await app.call('GET', url)).body;
    const { results, count } = await get('/v2/sms-records/?status=QUEUED');
    const { pending, unaccounted } = (await get('/v2/account/ledger/')).sms;
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const insights = await get(`/v2/insights/?from=${yesterday}`);
    return {
      listed: results.map((sms: { uuid: string }) => sms.uuid),
      counted: count,
      pending: pending.queued,
      lost: unaccounted,
      seen: insights.sms.QUEUED,
    };
  };
  /** As if another process had been the one that accepted what is in hand now, and were dead. */
  const disown = () =>
    app.deps.db.updateTable('sms_in_hand').set({ worker: 424242, created: sql`now() - interval '1 minute'` }).execute();
  const setTokens = (tokens: number) =>
    app.deps.db
      .updateTable('sms_links')
      .set({ rate_tokens: tokens, rate_at: new Date().toISOString() })
      .where('account_id', '=', app.accountId)
      .execute();
  /** The other side answers when it is told to. */
  const delayAnswers = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    stage.peer.answer = async (_message, take): Promise<SmsOutcome> => {
      await promise;
      return take();
    };
    return resolve;
  };

  test('leaves also if two are the first at the same moment', async () => {
    const request = { from: 'Parley', to: '+447700900123', text: 'First' };
    const results = await Promise.all([1, 2].map(() => sendSmsAll(app.deps, [{ accountId: app.accountId, request }])));
    for (const [result] of results) {
      assert.ok(result?.status === 'fulfilled');
      await stage.becomes(result.value.uuid, 'SENT');
    }
  });

  test('is in hand as it is accepted, is QUEUED for everybody who looks, and ends like every other', async () => {
    const answer = delayAnswers();
    const uuid = await stage.send('Hello', { validity_seconds: 600 });
    assert.equal(await placeOf(uuid), 'in hand');
    const { status, status_description, created, modified } = await stage.record(uuid);
    assert.deepEqual([status, status_description, modified], ['QUEUED', '', created]);
    assert.deepEqual(await queued(), { listed: [uuid], counted: 1, pending: 1, lost: 0, seen: 1 });
    assert.equal((await app.call('DELETE', `/v2/send-sms/${uuid}/`)).status, 409);
    answer();
    await stage.becomes(uuid, 'SENT');
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.sent']);
    assert.equal(stage.peer.got.filter((one) => one.uuid === uuid).length, 1);
    assert.deepEqual(await queued(), { listed: [], counted: 0, pending: 0, lost: 0, seen: 0 });
  });

  test('waits for its receipt if its process died', async () => {
    const answer = delayAnswers();
    const uuid = await stage.send('Hello', { callback_url: 'https://example.com/', validity_seconds: 600 });
    await disown();
    const { status, status_description } = await until(
      () => stage.record(uuid),
      (record) => record.status_description !== '',
    );
    assert.deepEqual(
      [status, status_description],
      ['QUEUED', 'The hand-over was interrupted. It waits for its receipt.'],
    );
    const state = await app.deps.db.selectFrom('sms_states').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    assert.equal(state!.callback_url, 'https://example.com/');
    assert.ok(Math.abs(Date.parse(state!.expires_at!) - Date.now() - 600_000) < 60_000, state!.expires_at!);
    assert.deepEqual(await queued(), { listed: [uuid], counted: 1, pending: 1, lost: 0, seen: 1 });
    // It was only taken for dead: what it did counts all the same.
    answer();
    await stage.becomes(uuid, 'SENT');
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.unknown', 'sms.sent']);
    assert.equal(stage.peer.got.filter((one) => one.uuid === uuid).length, 1);
  });

  test('spends the rate of the link, and waits in the queue when that is used up', async () => {
    await setTokens(-1e9);
    const last = await stage.send('Nobody has told yet');
    await stage.becomes(last, 'SENT');
    const waits = await stage.send('Hello');
    assert.equal(await placeOf(waits), 'in the queue');
    await setTokens(1000);
    await stage.becomes(waits, 'SENT');
    // Seen again with the next that leaves, or as it fills.
    const answer = delayAnswers();
    const uuids: string[] = [];
    await until(
      async () => {
        uuids.push(await stage.send('Hello'));
        return placeOf(uuids.at(-1)!);
      },
      (place) => place === 'in hand',
    );
    answer();
    // Also because a link that is closed next, while one is being taken, would allow nothing for a second.
    await Promise.all(uuids.map((uuid) => stage.becomes(uuid, 'SENT')));
  });

  test('does not pass those who waited before it', async () => {
    const answer = delayAnswers();
    await stage.setOpen(false);
    const first = await stage.send('First');
    assert.equal(await placeOf(first), 'in the queue');
    await stage.setOpen(true);
    const second = await stage.send('Second');
    answer();
    await Promise.all([first, second].map((uuid) => stage.becomes(uuid, 'SENT')));
    const order = stage.peer.got.map(({ uuid }) => uuid).filter((uuid) => uuid === first || uuid === second);
    assert.deepEqual(order, [first, second]);
  });

  test('that is planned waits for its time', async () => {
    const uuid = await stage.send('Later', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    assert.equal(await placeOf(uuid), 'in the queue');
  });

  test('and goes down before it could leave puts it into the queue', async () => {
    let refused = 0;
    stage.peer.answer = (_message, take) =>
      ++refused === 1 ? { kind: 'retry', parts: [], description: 'The link is down.', afterMs: 10 } : take();
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'SENT');
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.postponed', 'sms.sent']);
  });

  test('is accepted although its connection broke with the commit, and leaves all the same', async () => {
    const { db } = app.deps;
    const broken = new Proxy(db, {
      get: (target, name) =>
        name !== 'executeQuery'
          ? boundTo(target, Reflect.get(target, name, target))
          : async (query: CompiledQuery) => {
              const result = await target.executeQuery(query);
              if (query.sql.includes('sms_in_hand')) throw new Error('Connection terminated unexpectedly');
              return result;
            },
    });
    const request = { from: 'Parley', to: '+447700900123', text: 'In doubt' };
    const sending = sendSmsAll({ ...app.deps, db: broken }, [{ accountId: app.accountId, request }]);
    await assert.rejects(sending, /Connection terminated/);
    await until(
      () => stage.peer.got.map(({ text }) => text),
      (texts) => texts.includes('In doubt'),
    );
  });

  test('does not leave again where a standby takes over that still has it in hand', async () => {
    const { db } = app.deps;
    const answer = delayAnswers();
    const uuid = await stage.send('Hello');
    assert.equal(await placeOf(uuid), 'in hand');
    await sql`create table standby as select * from sms_in_hand where sms @> array[${uuid}::uuid]`.execute(db);
    answer();
    await stage.becomes(uuid, 'SENT');
    const path = findFastPath(app.deps)!;
    await path.sweep();
    const { rows: left } = await sql`select from sms_in_hand where sms @> array[${uuid}::uuid]`.execute(db);
    assert.equal(left.length, 0);
    await sql`delete from sms_parts where sms = ${uuid}`.execute(db);
    await sql`delete from sms_states where uuid = ${uuid}`.execute(db);
    await sql`update standby set created = now() - interval '1 minute'`.execute(db);
    await sql`insert into sms_in_hand select * from standby`.execute(db);
    await sql`drop table standby`.execute(db);
    await recoverAbandoned(app.deps, { inHand: [], unsent: [] }, path.known());
    await stage.becomes(uuid, 'SENT');
    assert.equal(stage.peer.got.filter((one) => one.uuid === uuid).length, 1);
  });

  test('is seen through when the process stops', async () => {
    const answer = delayAnswers();
    const uuids = await Promise.all(['One', 'Two', 'Three'].map((text) => stage.send(text)));
    assert.equal(await placeOf(uuids[2]!), 'in hand');
    const stopped = stage.stop();
    answer();
    await stopped;
    assert.deepEqual(await Promise.all(uuids.map(placeOf)), ['through', 'through', 'through']);
    assert.deepEqual(await app.deps.db.selectFrom('sms_in_hand').selectAll().execute(), [], 'nothing is left in hand');
    // Nobody delivers here any more: the queue is the way again.
    assert.equal(await placeOf(await stage.send('Four')), 'in the queue');
  });
});

/** A method that works on the object itself, whoever stands in front of it. */
const boundTo = (target: object, value: unknown): unknown => (typeof value === 'function' ? value.bind(target) : value);
