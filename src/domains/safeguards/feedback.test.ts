import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { earlier } from '../../../test/kit/postgres/earlier.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/account/safeguards/';
const range = '+447700900';
const conversion = { min_recipients: 4, min_percent: 50 };

beforeEach(async () => {
  const { db, caches, incidents } = app.deps;
  await incidents.write();
  for (const table of ['safeguard_passwords', 'safeguard_incidents', 'safeguards'] as const) {
    await db.deleteFrom(table).execute();
  }
  caches.forget('safeguards');
  assert.equal((await app.call('PATCH', url, { otp_conversion: conversion })).status, 200);
});

const sms = (to: string, more: object = { sensitive: true }, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', '/v2/send-sms/', { from: 'Parley', to, text: '482913', ...more }, options);
const message = (to: string) =>
  app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: to,
    type: 'TEMPLATE',
    sensitive: true,
    template: { template_name: 'login_code' },
  });
const used = (uuid: string, options?: Parameters<TestApp['call']>[3]) =>
  app.call('POST', `/v2/send-sms/${uuid}/feedback/`, { outcome: 'CONFIRMED' }, options);
/** Sends to these numbers of the range. */
const sendTo = async (lasts: string[], send = sms) => {
  const uuids: string[] = [];
  for (const last of lasts) {
    const { status, body } = await send(`${range}${last}`);
    assert.equal(status, 201, JSON.stringify(body));
    uuids.push(body.uuid);
  }
  return uuids;
};
const letTimePass = (minutes: number) =>
  sql`update safeguard_passwords set window_start = ${earlier(sql`window_start`, `${minutes} minutes`)}`.execute(
    app.deps.db,
  );
const held = async () => {
  await app.deps.incidents.write();
  return (await app.call('GET', '/v2/safeguard-incidents/?status=HELD')).body.results;
};
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const explain = async (to: string) =>
  (await app.call('POST', `${url}explain/`, { channel: 'SMS', sender: 'Parley', to, expect_feedback: true })).body;

describe('otp_conversion', () => {
  test('holds a range when too few of its passwords were used, once people had time to type them', async () => {
    const [first] = await sendTo(['001', '002', '002', '003', '004']);
    assert.equal((await used(first!)).status, 200);
    assert.equal((await explain(`${range}005`)).otp_conversion.recipients, 0, 'they may still be typing');
    await sendTo(['001', '002', '003', '004']);
    await letTimePass(10);
    const explained = await explain(`${range}005`);
    assert.deepEqual(explained.otp_conversion, { recipients: 4, used: 1 });
    assert.deepEqual([explained.allowed, explained.refusals[0].rule], [false, 'OTP_CONVERSION']);
    const refused = await sms(`${range}005`);
    assert.deepEqual(codeOf(refused), [403, 'destination_held']);
    assert.match(refused.body.detail, /\+447700900 are held for review: few of the one-time passwords/);
    const [incident] = await held();
    assert.deepEqual([incident.rule, incident.channel, incident.subject], ['OTP_CONVERSION', 'SMS', '447700900']);
    assert.deepEqual(codeOf(await sms(`${range}006`, {})), [403, 'destination_held'], 'the range is closed to all SMS');
    assert.equal((await message(`${range}005`)).status, 201, 'another channel is not');
    assert.equal((await sms('+447700901001')).status, 201, 'nor its neighbours');
    assert.equal((await sms(`${range}005`, undefined, { token: app.otherToken })).status, 201, 'nor another account');
    const events = (await app.call('GET', '/v2/events/?kind=safeguard.refused')).body.results;
    assert.equal(events[0].data.rule, 'OTP_CONVERSION');
    const review = (status: string) => app.call('POST', `/v2/safeguard-incidents/${incident.uuid}/review/`, { status });
    assert.deepEqual([(await review('RELEASED')).status, (await sms(`${range}006`)).status], [200, 201]);
    assert.deepEqual([(await review('BLOCKED')).status, (await sms(`${range}006`)).status], [200, 403]);
  });

  test('holds nothing while enough are used, which is reported once or often', async () => {
    await used((await sendTo(['100']))[0]!);
    const uuids = await sendTo(['001', '002', '003', '004']);
    for (const uuid of [uuids[0], uuids[0], uuids[1]]) assert.equal((await used(uuid!)).status, 200);
    await letTimePass(15);
    assert.deepEqual((await explain(`${range}005`)).otp_conversion, { recipients: 4, used: 2 });
    assert.equal((await sms(`${range}005`)).status, 201);
    const story = (await app.call('GET', `/v2/events/?subject=${uuids[0]}`)).body.results;
    assert.equal(story.filter(({ kind }: { kind: string }) => kind === 'sms.confirmed').length, 1);
    await letTimePass(60);
    assert.deepEqual((await explain(`${range}005`)).otp_conversion.recipients, 1, 'an hour later only the last counts');
  });

  test('waits for the first feedback, and leaves out what is no password or was refused by a cap', async () => {
    await sendTo(['001', '002', '003', '004']);
    await letTimePass(15);
    assert.equal((await explain(`${range}005`)).otp_conversion, null);
    const [first] = await sendTo(['005']);
    assert.equal((await app.call('GET', url)).body.feedback_since, null);
    await used(first!);
    assert.ok((await app.call('GET', url)).body.feedback_since);
    await sendTo(['010', '011'], (to) => sms(to, {}));
    await sendTo(['012', '013'], (to) => sms(to, { sensitive: true, expect_feedback: false }));
    await sendTo(['014'], (to) => sms(to, { expect_feedback: true }));
    const cap = { channel: 'SMS', per: 'ACCOUNT', window: 'DAY', measure: 'COUNT', max: 0 };
    await app.call('PATCH', url, { caps: [cap] });
    assert.deepEqual(codeOf(await sms(`${range}015`)), [403, 'sending_cap_reached']);
    await app.call('PATCH', url, { caps: [] });
    await letTimePass(15);
    assert.deepEqual((await explain(`${range}020`)).otp_conversion, { recipients: 1, used: 0 });
  });

  test('counts chat messages by themselves', async () => {
    const feedback = (uuid: string) =>
      app.call('POST', `/v2/chatapp/messages/${uuid}/feedback/`, { outcome: 'CONFIRMED' });
    const [first] = await sendTo(['100'], message);
    assert.deepEqual((await feedback(first!)).body, { uuid: first, outcome: 'CONFIRMED' });
    await sendTo(['001', '002', '003', '004'], message);
    await letTimePass(15);
    assert.deepEqual(codeOf(await message(`${range}005`)), [403, 'destination_held']);
    assert.equal((await sms(`${range}005`)).status, 201);
    const story = (await app.call('GET', `/v2/events/?subject=${first}`)).body.results;
    assert.ok(story.some(({ kind }: { kind: string }) => kind === 'message.confirmed'));
  });
});

describe('POST /v2/send-sms/{uuid}/feedback/', () => {
  test('400 for another outcome, 404 for an SMS of another tenant, which changes nothing', async () => {
    const [uuid] = await sendTo(['001']);
    const bad = await app.call('POST', `/v2/send-sms/${uuid}/feedback/`, { outcome: 'MAYBE' });
    assert.deepEqual([bad.status, Object.keys(bad.body)], [400, ['outcome']]);
    assert.equal((await used(uuid!, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('GET', url)).body.feedback_since, null);
  });

  test('needs the scope to send, and a bound token reports for its own number alone', async () => {
    const tokenOf = async (body: object) =>
      (await app.call('POST', '/v2/auth/tokens/', { name: 'shop', ...body })).body.token;
    const { uuid } = (await sms(`${range}001`, { from: '+447700900777', sensitive: true })).body;
    const reader = await tokenOf({ scopes: ['sms:read'] });
    assert.equal((await used(uuid, { token: reader })).status, 403);
    const resources = (number: string) => ({ scopes: ['sms:write'], resources: [number] });
    const other = await tokenOf(resources('+447700900778'));
    assert.notEqual((await used(uuid, { token: other })).status, 200);
    const own = await tokenOf(resources('+447700900777'));
    assert.equal((await used(uuid, { token: own })).status, 200);
  });
});
