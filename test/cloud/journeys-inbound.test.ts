// Everything a person can do, from the platform's webhook to the API and to whoever listens.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../kit/until.ts';
import { type Listener, listenTo } from './hooks.ts';
import { type InboundRow, inboundRows, inboundTemplates, publicUrl } from './inbound-rows.ts';
import { openWindows } from './outbound-props.ts';
import { type CloudStage, latestFirst, startCloudStage } from './stage.ts';

const phoneOf = (row: InboundRow): string => `+3460000${String(2000 + inboundRows.indexOf(row))}`;
const reversing = '+34600003000';
const inboundOf = async (phone: string) => {
  const query = `direction=INBOUND&ordering=created&from=${encodeURIComponent(phone)}`;
  return (await stage.app.call('GET', `/v2/chatapp/messages/?${query}`)).body.results;
};

let stage: CloudStage;
let webhook: Listener;
before(async () => {
  stage = await startCloudStage({}, { WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL: publicUrl });
  webhook = await listenTo(stage.app, ['chatapp.message.received', 'chatapp.flow.answered']);
  for (const template of inboundTemplates) stage.simulator.addTemplate(template);
  await stage.app.call('POST', '/v2/chatapp/message-templates/sync/', {});
  await until('the templates are known', async () => {
    const { body } = await stage.app.call('GET', '/v2/chatapp/message-templates/?status=APPROVED');
    return body.count === inboundTemplates.length || undefined;
  });
  await openWindows(stage, [...inboundRows.filter(({ sent }) => sent).map(phoneOf), reversing]);
});
after(async () => {
  await stage.close();
  await webhook.close();
});

for (const row of inboundRows) {
  describe(row.title, () => {
    let answered = '';
    // biome-ignore lint/suspicious/noExplicitAny: of every shape, asserted below
    let message: any;

    test('is shown by the API as the person sent it', async () => {
      const phone = phoneOf(row);
      if (row.sent) {
        const { status, body } = await stage.send({ to_chatapp_number: phone, ...row.sent });
        assert.equal(status, 201, JSON.stringify(body));
        answered = body['uuid']!;
        await stage.reaches(answered, 'READ');
      }
      const before = (await inboundOf(phone)).length;
      row.act(stage.simulator.person(phone));
      message = await until(`${row.title} is there`, async () => (await inboundOf(phone))[before]);
      const { uuid, created, modified, ...rest } = message;
      assert.deepEqual(rest, {
        type: row.type,
        status: 'RECEIVED',
        status_description: '',
        chatapp_number: stage.number,
        direction: 'INBOUND',
        from_chatapp_number: phone,
        to_chatapp_number: stage.number,
        message_data: row.data({ uuid, answered }),
        meta_data: {},
        context_data: row.quotes ? { message_uuid: answered } : {},
      });
      assert.equal(created, modified);
    });

    test('is told of, signed', async () => {
      const flow = row.title === 'flow answer';
      const told = await until(`${row.title} is told of`, async () => {
        const told = webhook.about(message.uuid);
        return told.length === (flow ? 2 : 1) ? told : undefined;
      });
      const received = told.find(({ type }) => type === 'chatapp.message.received')!;
      assert.deepEqual(received.data, message);
      if (!flow) return;
      const { flow_token, answers } = message.message_data.interactive.nfm_reply;
      const answeredFlow = told.find(({ type }) => type === 'chatapp.flow.answered')!;
      assert.deepEqual(answeredFlow.data, { flow_token, answers, message });
    });

    if (!row.file) return;
    test('comes with its file, byte for byte', async () => {
      const { pathname } = new URL(message.message_data.media.url);
      const download = (token: string) =>
        fetch(new URL(pathname, stage.webhookUrl), { headers: { authorization: `Token ${token}` } });
      const answer = await until('the file is fetched', async () => {
        const answer = await download(stage.app.token);
        return answer.status === 503 ? undefined : answer;
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), message.message_data.media.mime_type);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), row.file);
      assert.equal((await download(stage.app.otherToken)).status, 404);
    });
  });
}

test('statuses that come in the wrong order are all in the log, and the last one counts', async () => {
  const { webhooks, world } = stage.simulator;
  webhooks.hold();
  const { body } = await stage.send({ to_chatapp_number: reversing, type: 'TEXT', text: { body: 'Hello' } });
  await stage.reaches(body['uuid']!, 'SENT');
  const sent = [...world.messages.values()].find(
    ({ payload }) => payload['biz_opaque_callback_data'] === body['uuid'],
  )!;
  await until('the platform has said everything', async () => sent.statuses.length === 3);
  webhooks.release(latestFirst);
  await stage.reaches(body['uuid']!, 'READ');
  const log = await until('all statuses are read', async () => {
    const log = await stage.app.call('GET', `/v2/chatapp/messages/${body['uuid']}/status-logs/`);
    return log.body.results.length === 5 ? log : undefined;
  });
  assert.deepEqual(
    log.body.results.map((step: { status: string; applied: boolean }) => [step.status, step.applied]),
    [
      ['QUEUED', true],
      ['SENT', true],
      ['READ', true],
      ['DELIVERED', false],
      ['SENT', false],
    ],
  );
  assert.equal((await stage.app.call('GET', `/v2/chatapp/messages/${body['uuid']}/`)).body.status, 'READ');
});
