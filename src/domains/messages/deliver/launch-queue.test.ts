import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import type { InboundMessage } from '../../../carriers/ports/inbox.ts';
import { ApiError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { readTallies } from '../../tallies/index.ts';
import {
  cancelLaunch,
  type MessageCreate,
  pauseLaunch,
  receiveMessages,
  resumeLaunch,
  sendMessages,
} from '../index.ts';
import { claimBatch } from './deliver-batch.ts';
import { postpone } from './move.ts';
import type { Sender } from './queue.ts';

// No worker runs: the tests take from the queue themselves.
describe('The queue of a launch', () => {
  let app: TestApp;
  let sender: Sender;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    const { body } = await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: from });
    sender = { account_id: app.accountId, uuid: body.uuid, carrier: 'sandbox' };
  });
  after(() => app.close());

  const from = '+447700900001';
  const template = (to: string): MessageCreate => ({
    chatapp_number: from,
    to_chatapp_number: to,
    type: 'TEMPLATE',
    template: { template_name: 'hello' },
  });
  const send = async (requests: MessageCreate[], campaignLog: string): Promise<string[]> => {
    const messages = requests.map((request) => ({ accountId: app.accountId, request, campaignLog }));
    const results = await sendMessages(app.deps, messages);
    return results.map((result) => (result.status === 'fulfilled' ? result.value.uuid : ''));
  };
  /** Takes what may leave now: the sender's rate never stands in the way. */
  const claim = async (): Promise<string[]> => {
    await sql`update chatapp_accounts set rate_tokens = messages_per_second, rate_at = now()`.execute(app.deps.db);
    return ((await claimBatch(app.deps, sender, 1))?.claimed ?? []).map(({ uuid }) => uuid);
  };
  const comesBack = (uuid: string, dueAt: Date | null = new Date(0)) =>
    postpone(app.deps, sender, [{ uuid, dueAt, giveUpAt: dueAt, description: 'Try again.' }], [1]);
  const status = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body.status;
  const clear = () =>
    sql`update message_states set status = 'CANCELLED', claimed_by = null where status = 'QUEUED'`.execute(app.deps.db);

  it('leaves after what is sent for itself, however much earlier it came', async () => {
    const [campaign] = await send([template('+447700910001')], newId());
    const { body } = await app.call('POST', '/v2/chatapp/messages/', template('+447700910002'));
    await sql`update chatapp_accounts set rate_tokens = 1, rate_at = now(), messages_per_second = 1`.execute(
      app.deps.db,
    );
    assert.deepEqual(
      (await claimBatch(app.deps, sender, 1))?.claimed.map(({ uuid }) => uuid),
      [body.uuid],
    );
    await sql`update chatapp_accounts set messages_per_second = 80`.execute(app.deps.db);
    assert.deepEqual(await claim(), [campaign]);
    await clear();
  });

  it('paused while one is being handed over: put off, it does not leave before it is resumed, which gives it its time back', async () => {
    const launch = newId();
    const [uuid] = await send([template('+447700920001')], launch);
    assert.deepEqual(await claim(), [uuid]);
    await pauseLaunch(app.deps.db, app.accountId, launch);
    await comesBack(uuid!);
    assert.deepEqual(await claim(), []);
    assert.equal(await status(uuid!), 'QUEUED');
    await resumeLaunch(app.deps.db, app.accountId, launch);
    const again = await claimBatch(app.deps, sender, 1);
    assert.deepEqual(
      again?.claimed.map((claimed) => [claimed.uuid, claimed.give_up_at]),
      [[uuid, null]],
    );
    await clear();
  });

  it('paused: a scheduled one keeps its moment', async () => {
    const launch = newId();
    const send_at = new Date(Date.now() + 86_400_000).toISOString();
    const [uuid] = await send([{ ...template('+447700920002'), send_at }], launch);
    await pauseLaunch(app.deps.db, app.accountId, launch);
    await resumeLaunch(app.deps.db, app.accountId, launch);
    assert.deepEqual(await claim(), []);
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 86_460 });
    assert.deepEqual(await until(claim, (claimed) => claimed.length > 0), [uuid]);
    await clear();
  });

  it('one whose answer never came is neither sent again by a release nor cancelled', async () => {
    const launch = newId();
    const [uuid] = await send([template('+447700920003')], launch);
    await claim();
    await comesBack(uuid!, null);
    await pauseLaunch(app.deps.db, app.accountId, launch);
    await resumeLaunch(app.deps.db, app.accountId, launch);
    assert.deepEqual(await claim(), []);
    await cancelLaunch(app.deps, app.accountId, launch);
    assert.equal(await status(uuid!), 'QUEUED');
    await clear();
  });

  it('cancelled while one is being handed over: put off, it is cancelled instead of sent again', async () => {
    const launch = newId();
    const [first, second] = await send([template('+447700930001'), template('+447700930002')], launch);
    assert.deepEqual(await claim(), [first, second]);
    await cancelLaunch(app.deps, app.accountId, launch);
    assert.deepEqual([await status(first!), await status(second!)], ['QUEUED', 'QUEUED']);
    await comesBack(first!);
    await comesBack(second!, null);
    assert.deepEqual([await status(first!), await status(second!)], ['CANCELLED', 'QUEUED']);
    assert.deepEqual(await claim(), []);
    await clear();
  });

  it('2,500 are cancelled at once, and counted', async () => {
    const launch = newId();
    const uuids = await send(
      Array.from({ length: 2500 }, (_, index) => template(`+4477${String(index).padStart(8, '0')}`)),
      launch,
    );
    assert.equal(new Set(uuids).size, 2500);
    await cancelLaunch(app.deps, app.accountId, launch);
    const tallies = await readTallies(app.deps.db, app.accountId, [launch]);
    assert.deepEqual(Object.fromEntries(tallies.get(launch)!), { cancelled: 2500, queued: -2500 });
    const url = `/v2/chatapp/messages/?campaign_log=${launch}`;
    assert.equal((await app.call('GET', `${url}&status=CANCELLED`)).body.count, 2500);
    assert.deepEqual(await claim(), []);
  });

  it('nobody who opted out gets an answer from a campaign, even if they wrote since', async () => {
    const phone_number = '+447700940001';
    await app.call('POST', '/v2/opt-outs/', { phone_number });
    await sql`update opt_outs set answer_until = 'infinity'`.execute(app.deps.db);
    const request: MessageCreate = {
      chatapp_number: from,
      to_chatapp_number: phone_number,
      type: 'TEXT',
      text: { body: 'Hello' },
    };
    const message = { accountId: app.accountId, request };
    const [answer, campaign] = await sendMessages(app.deps, [message, { ...message, campaignLog: newId() }]);
    assert.equal(answer?.status, 'fulfilled');
    assert.ok(campaign?.status === 'rejected' && campaign.reason instanceof ApiError);
    assert.equal(campaign.reason.code, 'recipient_opted_out');
  });

  it('a message may be given the id that something names it by', async () => {
    const uuid = newId();
    const [result] = await sendMessages(app.deps, [
      { accountId: app.accountId, request: template('+447700950001'), uuid },
    ]);
    assert.ok(result?.status === 'fulfilled');
    assert.equal(result.value.uuid, uuid);
    assert.equal(await status(uuid), 'QUEUED');
  });

  it('an answer is listed with the launch that it answers', async () => {
    const campaignLog = newId();
    const message: InboundMessage = {
      kind: 'message',
      sender: { uuid: sender.uuid },
      id: 'wamid.1',
      from: { number: '+447700960001', userId: null },
      name: 'Ana',
      type: 'TEXT',
      content: { text: { body: 'Yes please' } },
      context: {},
      at: new Date(),
    };
    const known = { uuid: sender.uuid, chatapp_number: from, digits: '447700900001' };
    const received = await receiveMessages(app.deps, app.accountId, [
      { sender: known, message, campaignLog },
      { sender: known, message: { ...message, id: 'wamid.2' } },
    ]);
    assert.deepEqual(
      received.map((one) => one.campaignLog),
      [campaignLog, undefined],
    );
    const { body } = await app.call('GET', `/v2/chatapp/messages/?campaign_log=${campaignLog}`);
    assert.deepEqual(
      body.results.map((row: { uuid: string; direction: string }) => [row.uuid, row.direction]),
      [[received[0]!.row.uuid, 'INBOUND']],
    );
  });
});
