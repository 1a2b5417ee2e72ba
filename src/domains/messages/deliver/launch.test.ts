import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { addTallies, readTallies } from '../../tallies/index.ts';
import { cancelLaunch, lastEnded, pauseLaunch, resumeLaunch, sendMessages } from '../index.ts';

describe('Messages of a launch', () => {
  let app: TestApp;
  let sender: string;
  before(async () => {
    app = await startTestApp();
    sender = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: from })).body.uuid;
  });
  after(() => app.close());

  const from = '+447700900001';
  const request = (to: string) => ({
    chatapp_number: from,
    to_chatapp_number: to,
    type: 'TEMPLATE' as const,
    template: { template_name: 'hello' },
  });
  /** As a campaign does it: sent and counted in one transaction, and paused in it where the test needs to be first. */
  const launch = async (numbers: string[], { isPaused = false } = {}) => {
    const { accountId } = app;
    const campaignLog = newId();
    const uuids = await app.deps.db.transaction().execute(async (db) => {
      const messages = numbers.map((to) => ({ accountId, request: request(to), campaignLog }));
      const results = await sendMessages({ ...app.deps, db }, messages);
      if (isPaused) await pauseLaunch(db, accountId, campaignLog);
      await addTallies(db, [{ accountId, subject: campaignLog, name: 'queued', count: numbers.length }]);
      return results.map((result) => (result.status === 'fulfilled' ? result.value.uuid : ''));
    });
    return { campaignLog, uuids };
  };
  const message = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;
  const post = (path: string) => app.call('POST', path);
  const queue = async () => (await app.call('GET', `/v2/chatapp/accounts/${sender}/queue/`)).body;
  /** Lets hours pass once the message has left, until it is one of these. */
  const becomes = (uuid: string, ...statuses: string[]): Promise<string> =>
    until(
      async () => {
        const { status } = await message(uuid);
        const isDue = !statuses.includes(status) && status !== 'QUEUED';
        if (isDue) await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3600 });
        return status;
      },
      (status) => statuses.includes(status),
    );
  const tallies = async (campaignLog: string) => {
    const all = (await readTallies(app.deps.db, app.accountId, [campaignLog])).get(campaignLog)!;
    return Object.fromEntries([...all].filter(([, count]) => count !== 0).sort());
  };

  it('are counted once each where they stand, whatever became of them', async () => {
    const endings = ['9000', '9001', '9002', '9010', '9011', '9022'];
    const numbers = [...endings.map((ending) => `+44770091${ending}`), '+447700915555', '+447700915556'];
    const { campaignLog, uuids } = await launch(numbers, { isPaused: true });
    assert.deepEqual(await tallies(campaignLog), { queued: 8 });
    await app.call('POST', '/v2/opt-outs/', { phone_number: numbers[6] });
    assert.equal((await post(`/v2/chatapp/messages/${uuids[7]}/cancel/`)).status, 200);
    assert.deepEqual(await tallies(campaignLog), { cancelled: 1, queued: 7 });
    await resumeLaunch(app.deps.db, app.accountId, campaignLog);
    const ends = ['READ', 'DELIVERED', 'SENT', 'FAILED', 'FAILED', 'READ', 'FAILED', 'CANCELLED'];
    for (const [place, uuid] of uuids.entries()) assert.equal(await becomes(uuid, ends[place]!), ends[place]);
    assert.deepEqual(await tallies(campaignLog), {
      cancelled: 1,
      delivered: 1,
      failed: 2,
      opted_out: 1,
      read: 2,
      sent: 1,
    });
  });

  it('messages of no launch are counted nowhere', async () => {
    const { body } = await app.call('POST', '/v2/chatapp/messages/', request('+447700909010'));
    assert.equal(await becomes(body.uuid, 'FAILED'), 'FAILED');
    const counted = await app.deps.db
      .selectFrom('tallies')
      .select('subject')
      .where('subject', '=', body.uuid)
      .execute();
    assert.deepEqual(counted, []);
  });

  it('are listed by their launch, for its owner', async () => {
    const { campaignLog, uuids } = await launch(['+447700920001', '+447700920002']);
    const url = `/v2/chatapp/messages/?ordering=created&campaign_log=${campaignLog}`;
    const { body } = await app.call('GET', url);
    assert.deepEqual(
      body.results.map((row: { uuid: string }) => row.uuid),
      uuids,
    );
    assert.equal((await app.call('GET', url, undefined, { token: app.otherToken })).body.count, 0);
  });

  it('paused: they stay queued while the rest of their sender leaves, until they are resumed', async () => {
    const one = await launch(['+447700930001', '+447700930002'], { isPaused: true });
    const other = await launch(['+447700930003']);
    await becomes(other.uuids[0]!, 'READ');
    const own = (await app.call('POST', '/v2/chatapp/messages/', request('+447700930004'))).body.uuid;
    await becomes(own, 'READ');
    for (const uuid of one.uuids) assert.equal((await message(uuid)).status, 'QUEUED');
    assert.deepEqual([(await queue()).depth, (await queue()).oldest], [0, null]);
    // Neither another launch nor another account lets them go.
    await resumeLaunch(app.deps.db, app.accountId, other.campaignLog);
    await resumeLaunch(app.deps.db, newId(), one.campaignLog);
    assert.equal((await post(`/v2/chatapp/messages/${one.uuids[0]}/cancel/`)).body.status, 'CANCELLED');
    await resumeLaunch(app.deps.db, app.accountId, one.campaignLog);
    assert.equal(await becomes(one.uuids[1]!, 'READ'), 'READ');
    assert.deepEqual(await tallies(one.campaignLog), { cancelled: 1, read: 1 });
  });

  it('paused, with a paused sender as well: they leave when both are over', async () => {
    const { campaignLog, uuids } = await launch(['+447700940001'], { isPaused: true });
    await post(`/v2/chatapp/accounts/${sender}/pause/`);
    await resumeLaunch(app.deps.db, app.accountId, campaignLog);
    assert.equal((await queue()).depth, 1);
    await pauseLaunch(app.deps.db, app.accountId, campaignLog);
    await post(`/v2/chatapp/accounts/${sender}/resume/`);
    const own = (await app.call('POST', '/v2/chatapp/messages/', request('+447700940002'))).body.uuid;
    await becomes(own, 'READ');
    assert.equal((await message(uuids[0]!)).status, 'QUEUED');
    await resumeLaunch(app.deps.db, app.accountId, campaignLog);
    assert.equal(await becomes(uuids[0]!, 'READ'), 'READ');
  });

  it('cancelled: all that still wait, paused or not, and nobody else’s', async () => {
    const { campaignLog, uuids } = await launch(['+447700950001', '+447700950002'], { isPaused: true });
    const { uuids: others, campaignLog: other } = await launch(['+447700950003'], { isPaused: true });
    await cancelLaunch(app.deps, newId(), campaignLog);
    assert.deepEqual(await tallies(campaignLog), { queued: 2 });
    await cancelLaunch(app.deps, app.accountId, campaignLog);
    await cancelLaunch(app.deps, app.accountId, campaignLog);
    for (const uuid of uuids) {
      const { status, status_description } = await message(uuid);
      assert.deepEqual([status, status_description], ['CANCELLED', 'Its campaign was cancelled.']);
    }
    assert.deepEqual(await tallies(campaignLog), { cancelled: 2 });
    assert.equal((await message(others[0]!)).status, 'QUEUED');
    await cancelLaunch(app.deps, app.accountId, other);
    assert.equal((await app.call('GET', '/v2/account/ledger/')).body.unaccounted, 0);
  });

  it('lastEnded answers the newest that are not queued, newest first, with why they failed', async () => {
    const { campaignLog, uuids } = await launch(['+447700969010', '+447700969002', '+447700969010']);
    const { db } = app.deps;
    for (const uuid of uuids) await becomes(uuid, 'FAILED', 'SENT');
    const ended = await lastEnded(db, app.accountId, campaignLog, { most: 25 });
    const reason = 'The number does not use the chat app. (code 131026)';
    assert.deepEqual(ended, [
      { uuid: uuids[2], status: 'FAILED', status_description: reason, failure_code: '131026' },
      { uuid: uuids[1], status: 'SENT', status_description: '', failure_code: null },
      { uuid: uuids[0], status: 'FAILED', status_description: reason, failure_code: '131026' },
    ]);
    const newest = await lastEnded(db, app.accountId, campaignLog, { most: 1 });
    assert.deepEqual(newest, ended.slice(0, 1));
    assert.deepEqual(await lastEnded(db, app.accountId, campaignLog, { after: uuids[1]!, most: 25 }), newest);
    assert.deepEqual(await lastEnded(db, newId(), campaignLog, { most: 25 }), []);
  });
});
