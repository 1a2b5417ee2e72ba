import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

/** The sandbox fails what is sent there. */
const failing = '+447700909010';
const reached = '+447700900123';
const sender = '+447700900001';

describe('Sending again what failed', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const post = (place: string, body: object, token = app.token) => app.call('POST', place, body, { token });
  const endsAs = (place: string, status: string) =>
    until(
      `${place} is ${status}`,
      async () => (await app.call('GET', place)).body,
      (one) => one.status === status,
    );
  const codesOf = (errors: { uuid: string; code: string }[]) => errors.map(({ uuid, code }) => [uuid, code]);

  const ways = [
    {
      title: 'POST /v2/chatapp/messages/resend/',
      place: '/v2/chatapp/messages/',
      field: 'messages',
      notFailed: 'message_not_failed',
      channel: 'CHATAPP',
      bodyTo: (to: string) => ({
        chatapp_number: sender,
        to_chatapp_number: to,
        type: 'TEMPLATE',
        template: { template_name: 'welcome' },
        meta_data: { order: 7 },
      }),
      contentOf: ({ message_data, meta_data, to_chatapp_number }: Record<string, unknown>) => [
        message_data,
        meta_data,
        to_chatapp_number,
      ],
    },
    {
      title: 'POST /v2/send-sms/resend/',
      place: '/v2/send-sms/',
      field: 'sms',
      notFailed: 'sms_not_failed',
      channel: 'SMS',
      bodyTo: (to: string) => ({ from: 'Parley', to, text: 'Hello', meta_data: { order: 7 } }),
      contentOf: ({ text, meta_data, to }: Record<string, unknown>) => [text, meta_data, to],
    },
  ];

  for (const { title, place, field, notFailed, channel, bodyTo, contentOf } of ways) {
    const send = async (to: string, more: object = {}): Promise<string> => {
      const { status, body } = await post(place, { ...bodyTo(to), ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body.uuid;
    };
    const resend = async (uuids: string[], token = app.token) => {
      const { status, body } = await post(`${place}resend/`, { [field]: uuids }, token);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };

    it(`${title} › sends what failed as a new one, once, and says why it leaves others`, async () => {
      const [failed, good, secret] = [
        await send(failing),
        await send(reached),
        await send(failing, { sensitive: true }),
      ];
      await endsAs(`${place}${failed}/`, 'FAILED');
      await endsAs(`${place}${secret}/`, 'FAILED');
      await until('the good one has arrived', async () =>
        ['DELIVERED', 'READ'].includes((await app.call('GET', `${place}${good}/`)).body.status),
      );
      const unknown = newId();
      assert.deepEqual(codesOf((await resend([failed], app.otherToken)).errors), [[failed, 'not_found']]);
      // At the same time, and again: one is sent.
      const [one, two] = await Promise.all([
        resend([failed, good, secret, unknown, failed.toUpperCase()]),
        resend([failed]),
      ]);
      assert.equal(one.done + two.done, 1);
      const [sent] = [...one.resent, ...two.resent];
      assert.equal(sent.uuid, failed);
      assert.deepEqual(codesOf(one.errors).slice(-3), [
        [good, notFailed],
        [secret, 'content_not_kept'],
        [unknown, 'not_found'],
      ]);
      assert.deepEqual(codesOf((await resend([failed])).errors), [[failed, 'already_resent']]);
      const [before, now] = [
        (await app.call('GET', `${place}${failed}/`)).body,
        (await app.call('GET', `${place}${sent.sent_as}/`)).body,
      ];
      assert.deepEqual(contentOf(now), contentOf(before));
      assert.equal(before.status, 'FAILED');
      assert.equal(before.resent_as, sent.sent_as);
      assert.equal(now.resent_as, undefined);
      const { results } = (await app.call('GET', `/v2/events/?subject=${failed}`)).body;
      const told = results.find(({ kind }: { kind: string }) => kind.endsWith('.resent'));
      assert.deepEqual(told.data, { sent_as: sent.sent_as });
      // The timeline may be gone before the message is.
      await sql`delete from events where subject = ${failed}`.execute(app.deps.db);
      assert.deepEqual(codesOf((await resend([failed])).errors), [[failed, 'already_resent']]);
      // What fails again can be sent again.
      await endsAs(`${place}${sent.sent_as}/`, 'FAILED');
      assert.equal((await resend([sent.sent_as])).done, 1);
    });

    it(`${title} › checks each like anything that is sent: who opted out meanwhile gets nothing`, async () => {
      const other = '+447700919010';
      const failed = await send(other);
      await endsAs(`${place}${failed}/`, 'FAILED');
      assert.equal((await post('/v2/opt-outs/', { phone_number: other, channel })).status, 201);
      const { done, errors } = await resend([failed]);
      assert.deepEqual([done, codesOf(errors)], [0, [[failed, 'recipient_opted_out']]]);
    });

    it(`${title} › 400 for none, too many, and what is no id`, async () => {
      for (const uuids of [[], Array.from({ length: 1001 }, newId), ['x'], 'x', undefined]) {
        const answer = await post(`${place}resend/`, { [field]: uuids });
        assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]]);
      }
    });
  }
});
