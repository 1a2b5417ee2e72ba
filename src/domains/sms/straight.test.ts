import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type CompiledQuery, sql } from 'kysely';
import type { SmsOutcome } from '../../carriers/port.sms.ts';
import { startTestApp, type TestApp } from '../../testing.ts';
import { sendSmsAll } from './send.ts';
import { type Stage, startStage, until } from './testing.ts';

describe('an SMS whose link is free', () => {
  let app: TestApp;
  let stage: Stage;
  let claimed: object;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    stage = await startStage(app);
    const { workerNumber } = app.deps.listener;
    claimed = { claimed_by: workerNumber, link: stage.link.uuid, attempts: 1, status: 'QUEUED', at_once: true };
  });
  after(async () => {
    await stage.stop();
    await app.close();
  });
  beforeEach(() => {
    stage.peer.answer = (_message, take) => take();
  });

  const stateOf = (uuid: string) =>
    app.deps.db
      .selectFrom('sms_states as state')
      .innerJoin('sms', 'sms.uuid', 'state.uuid')
      .select(['claimed_by', 'link', 'attempts', 'status'])
      // The moment of the statement that accepted it.
      .select(sql<boolean>`claimed_at is not distinct from sms.created`.as('at_once'))
      .where('state.account_id', '=', app.accountId)
      .where('state.uuid', '=', uuid)
      .executeTakeFirstOrThrow();
  const setTokens = (tokens: number) =>
    app.deps.db
      .updateTable('sms_links')
      .set({ rate_tokens: tokens, rate_at: new Date().toISOString() })
      .where('account_id', '=', app.accountId)
      .execute();
  const unclaimed = { claimed_by: null, link: null, attempts: 0, status: 'QUEUED', at_once: false };
  /** The other side answers when it is told to. */
  const holdAnswers = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
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

  test('is claimed as it is accepted, and ends like every other', async () => {
    const answer = holdAnswers();
    const uuid = await stage.send('Hello', { validity_seconds: 600 });
    assert.deepEqual(await stateOf(uuid), claimed);
    assert.equal((await app.call('DELETE', `/v2/send-sms/${uuid}/`)).status, 409);
    answer();
    await stage.becomes(uuid, 'SENT');
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.sent']);
    assert.equal(stage.peer.got.filter((one) => one.uuid === uuid).length, 1);
  });

  test('spends the rate of the link, and waits in the queue when that is used up', async () => {
    await setTokens(-1e9);
    const last = await stage.send('Nobody has told yet');
    await stage.becomes(last, 'SENT');
    const waits = await stage.send('Hello');
    assert.deepEqual(await stateOf(waits), unclaimed);
    await setTokens(1000);
    await stage.becomes(waits, 'SENT');
    // Seen again with the next that leaves, or as it fills.
    await until(
      async () => stateOf(await stage.send('Hello')),
      ({ at_once }) => at_once,
    );
  });

  test('does not pass those who waited before it', async () => {
    const answer = holdAnswers();
    await stage.setOpen(false);
    const first = await stage.send('First');
    assert.deepEqual(await stateOf(first), unclaimed);
    await stage.setOpen(true);
    const second = await stage.send('Second');
    answer();
    await Promise.all([first, second].map((uuid) => stage.becomes(uuid, 'SENT')));
    const order = stage.peer.got.map(({ uuid }) => uuid).filter((uuid) => uuid === first || uuid === second);
    assert.deepEqual(order, [first, second]);
  });

  test('that is planned waits for its time', async () => {
    const uuid = await stage.send('Later', { send_at: new Date(Date.now() + 3_600_000).toISOString() });
    assert.deepEqual(await stateOf(uuid), unclaimed);
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
          ? Reflect.get(target, name, target)
          : async (query: CompiledQuery) => {
              await target.executeQuery(query);
              if (query.sql.includes('sms.accept-claimed')) throw new Error('Connection terminated unexpectedly');
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

  test('is seen through when the process stops', async () => {
    const answer = holdAnswers();
    const uuids = await Promise.all(['One', 'Two', 'Three'].map((text) => stage.send(text)));
    await until(
      () => stateOf(uuids[2]!),
      ({ claimed_by }) => claimed_by !== null,
    );
    const stopped = stage.stop();
    answer();
    await stopped;
    assert.deepEqual(await Promise.all(uuids.map(async (uuid) => (await stateOf(uuid)).status)), [
      'SENT',
      'SENT',
      'SENT',
    ]);
    // Nobody delivers here any more: the queue is the way again.
    assert.deepEqual(await stateOf(await stage.send('Four')), unclaimed);
  });
});
