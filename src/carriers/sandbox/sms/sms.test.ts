import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { newId } from '../../../platform/ids.ts';
import { segmentText } from '../../../platform/sms-text/index.ts';
import type { OutboundSms, SmsLink } from '../../ports/sms.ts';
import { smsBehaviourOf, smsBehaviours, usualForSms } from './behaviours.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
  await app.call('POST', '/v2/sandbox/clock/', { speed: 50 });
});
after(() => app.close());

const us = '+447700900001';
const send = async (to: string, text = 'Hello', more: object = {}): Promise<string> => {
  const { status, body } = await app.call('POST', '/v2/send-sms/', { from: us, to, text, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
};
const record = async (uuid: string) => (await app.call('GET', `/v2/send-sms/${uuid}/`)).body;
const phone = async (number: string, token = app.token): Promise<TestAnswer['body'][]> =>
  (await app.call('GET', `/v2/sandbox/phones/${number}/?page_size=200`, undefined, { token })).body.results;
const ends = (uuid: string, status: string) =>
  until(`${uuid} becomes ${status}`, async () => {
    const sms = await record(uuid);
    return sms.status === status && sms;
  });

describe('an SMS in the sandbox', () => {
  test('to any number is delivered, and shown on the phone once', async () => {
    const to = '+447711100001';
    const uuid = await send(to, 'Hello @ €5');
    await ends(uuid, 'DELIVERED');
    const [shown, ...others] = await phone(to);
    assert.deepEqual(others, []);
    const { direction, chatapp_number, type, text } = shown;
    assert.deepEqual([shown.uuid, direction, chatapp_number, type, text], [uuid, 'OUTBOUND', us, 'SMS', 'Hello @ €5']);
    assert.deepEqual(await phone(to, app.otherToken), []);
  });

  test('of many parts is one message, delivered when all parts are', async () => {
    const to = '+447711100002';
    const uuid = await send(to, 'x'.repeat(1000));
    assert.equal((await ends(uuid, 'DELIVERED')).segments, 7);
    assert.deepEqual(
      (await phone(to)).map(({ text }) => text.length),
      [1000],
    );
  });

  const failures = {
    '9010': /ESME_RINVDSTADR/,
    '9011': /UNDELIV/,
    '9012': /EXPIRED/,
    '9013': /REJECTD/,
    '9014': /DELETED/,
  };
  for (const [ending, reason] of Object.entries(failures)) {
    test(`${ending} fails with ${reason.source}`, async () => {
      const { status_description } = await ends(await send(`+44770090${ending}`), 'FAILED');
      assert.match(status_description, reason);
    });
  }

  test('9002 stays SENT, 9020 is delivered late', async () => {
    const [silent, late] = [await send('+447700909002'), await send('+447700909020')];
    await ends(silent, 'SENT');
    await ends(late, 'SENT');
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3700 });
    await ends(late, 'DELIVERED');
    assert.equal((await record(silent)).status, 'SENT');
  });

  test('9020 fails when its validity is over by then', async () => {
    const uuid = await send('+447711909020', 'Hello', { validity_seconds: 600 });
    await ends(uuid, 'SENT');
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3700 });
    assert.match((await ends(uuid, 'FAILED')).status_description, /EXPIRED/);
  });

  for (const [ending, what] of Object.entries({
    '9021': 'whose receipts come twice',
    '9022': 'whose receipts come out of order',
    '9040': 'whose answer is slow',
    '9041': 'that is throttled twice',
    '9042': 'whose answer is lost',
  })) {
    test(`${ending}, ${what}, is delivered once`, async () => {
      const to = `+44771290${ending}`;
      await ends(await send(to), 'DELIVERED');
      assert.equal((await phone(to)).length, 1);
    });
  }

  test('9043 stays unknown and 9044 is put off; neither reaches the phone', async () => {
    const uuids = [await send('+447700909043'), await send('+447700909044')];
    for (const uuid of uuids) {
      await until('it was tried', async () => (await record(uuid)).status_description !== '');
      assert.equal((await record(uuid)).status, 'QUEUED');
    }
    assert.deepEqual([await phone('+447700909043'), await phone('+447700909044')], [[], []]);
    // It would be tried again and again, and meet the faults that others set.
    await until('it is taken back', async () => (await app.call('DELETE', `/v2/send-sms/${uuids[1]}/`)).status === 204);
  });

  test('9035 writes back what it reads; 9030 writes STOP, and is out', async () => {
    await send('+447700909035', 'Ping');
    const reply = await until('the reply', async () => (await phone('+447700909035'))[1]);
    assert.deepEqual([reply.direction, reply.type, reply.text], ['INBOUND', 'SMS', 'Ping']);
    const inbound = (await app.call('GET', `/v2/sms-records/?direction=INBOUND&from=%2B447700909035`)).body;
    assert.deepEqual([inbound.count, inbound.results[0].uuid], [1, reply.uuid]);

    await send('+447700909030');
    await until('STOP', async () => (await phone('+447700909030')).some(({ text }) => text === 'STOP'));
    const again = { from: us, to: '+447700909030', text: 'Are you there?' };
    const next = await app.call('POST', '/v2/send-sms/', again);
    assert.deepEqual([next.status, next.body.code], [400, 'recipient_opted_out']);
  });

  test('faults happen to SMS too', async () => {
    await app.call('POST', '/v2/sandbox/faults/', { carrier: 'sandbox', kind: 'reject' });
    assert.match((await ends(await send('+447711100003'), 'FAILED')).status_description, /ESME_RINVDSTADR/);
    await app.call('POST', '/v2/sandbox/faults/', { carrier: 'sandbox', kind: 'unknown_taken' });
    await ends(await send('+447711100004'), 'DELIVERED');
    await app.call('POST', '/v2/sandbox/faults/', { carrier: 'sandbox', kind: 'break' });
    const uuid = await send('+447711100005');
    // It is tried again before long, and then nothing but its timeline tells.
    const steps = `/v2/events/?subject=${uuid}&kind=sms.postponed`;
    await until('it was put off', async () => (await app.call('GET', steps)).body.count > 0);
  });
});

describe('POST /v2/sandbox/sms/', () => {
  const url = '/v2/sandbox/sms/';
  test('201 with the inbound SMS, which stands on the phone and among the records', async () => {
    const sms = { from: '+447711200001', to: us, text: 'Žluťoučký kůň 🐎' };
    const { status, body } = await app.call('POST', url, sms);
    assert.deepEqual([status, body.status, body.direction, body.text], [201, 'RECEIVED', 'INBOUND', sms.text]);
    assert.deepEqual([body.from, body.to, body.encoding], [sms.from, sms.to, 'UCS2']);
    assert.deepEqual((await record(body.uuid)).uuid, body.uuid);
    const shown = await phone(sms.from);
    assert.deepEqual(
      shown.map(({ uuid, direction, type, text }) => [uuid, direction, type, text]),
      [[body.uuid, 'INBOUND', 'SMS', sms.text]],
    );
  });

  test('the same request twice with a key is one SMS', async () => {
    const sms = { from: '+447711200002', to: us, text: 'Once' };
    const headers = { 'idempotency-key': 'one sms' };
    const first = await app.call('POST', url, sms, { headers });
    assert.deepEqual((await app.call('POST', url, sms, { headers })).body, first.body);
    assert.equal((await phone(sms.from)).length, 1);
  });

  test('400 for what is no number, and for nothing said', async () => {
    const { status, body } = await app.call('POST', url, { from: 'mum', to: 'dad', text: '' });
    assert.deepEqual([status, Object.keys(body).toSorted()], [400, ['from', 'text', 'to']]);
  });

  test('an SMS cannot be quoted or reacted to in a chat', async () => {
    const { body } = await app.call('POST', url, { from: '+447711200003', to: us, text: 'Hello' });
    const reaction = { message_uuid: body.uuid, emoji: '👍' };
    const answer = await app.call('POST', '/v2/sandbox/chatapp/messages/', { from: '+447711200003', to: us, reaction });
    assert.equal(answer.status, 400);
  });
});

test('what the sandbox took is found again, part by part', async () => {
  const { sms } = app.deps.carriers.get('sandbox', 'sms');
  const link: SmsLink = {
    accountId: app.accountId,
    uuid: newId(),
    name: 'sandbox',
    carrier: 'sandbox',
    messagesPerSecond: 100,
    settings: {},
  };
  const make = (to: string): OutboundSms => ({
    accountId: app.accountId,
    uuid: newId(),
    from: us,
    to,
    ...segmentText('x'.repeat(400)),
    partsTaken: new Set([2]),
    expiresAt: null,
    attempt: 1,
  });
  const messages = [make('+447700909002'), make('+447700909043')];
  const [taken, lost] = await sms!.send(link, messages);
  const found = await sms!.find(
    app.accountId,
    messages.map(({ uuid }) => uuid),
  );
  assert.deepEqual([taken?.kind, taken?.parts.map(({ part }) => part)], ['accepted', [1, 3]]);
  assert.deepEqual(found.get(messages[0]!.uuid), taken?.parts);
  assert.deepEqual([lost?.kind, found.get(messages[1]!.uuid)], ['unknown', []]);
  const { state, sent, failed, lastError } = sms!.report(link);
  assert.deepEqual([state, sent, failed, lastError], ['UP', 1, 1, 'The answer never came.']);
});

test('a number is usual unless it ends in 90NN with a row in the table of SMS', () => {
  assert.equal(smsBehaviourOf('+44 7700 900 123'), usualForSms);
  assert.equal(smsBehaviourOf('+44 7700 909 031'), usualForSms);
  assert.equal(smsBehaviourOf('+44 (7700) 909-010'), smsBehaviours.get(10));
});
