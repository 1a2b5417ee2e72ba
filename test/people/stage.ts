import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeInbox } from '../../src/domains/inbound/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

export const person = '+447700900123';
export const digits = person.slice(1);
/** As people write it in an account of Great Britain. */
export const spellings = [
  person,
  '00447700900123',
  '07700900123',
  '+44 (0)7700 900123',
  '447700900123',
  '07700 900 123',
];
export const sender = '+447700900001';

/** Gives an account something of every kind about a person; answers the call that has a recording, and its file. */
export async function giveEverything(app: TestApp, accountId: string, token: string, number = person) {
  const post = async (url: string, body: object) => {
    const answer = await app.call('POST', url, body, { token });
    assert.ok(answer.status < 300, `${url} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const list = (await post('/v2/lists/', { name: `Buyers ${newId()}` })).uuid;
  await post('/v2/contacts/', { phone_number: number, name: 'Ana', lists: [list], attributes: { town: 'Bath' } });
  const template = { template_name: 'welcome' };
  await post('/v2/chatapp/messages/', {
    chatapp_number: sender,
    to_chatapp_number: number,
    type: 'TEMPLATE',
    template,
  });
  const { uuid: sms } = await post('/v2/send-sms/', { from: 'Parley', to: number, text: 'Your code is 1234' });
  const intro = await post('/v2/chatapp/chat-intros/', {
    chatapp_number: sender,
    reference_id: `REF-${newId().slice(-8)}`,
    expected_message_template: `I want ${newId()}`,
    reply_message_template: 'Thank you',
  });
  const from = { number, userId: null };
  const text = (await app.call('GET', `/v2/chatapp/chat-intros/${intro.uuid}/`, undefined, { token })).body
    .expected_message_template;
  const message = { kind: 'message', sender: { number: sender }, from, name: 'Ana of the chat', type: 'TEXT' } as const;
  await makeInbox(app.deps).receive(accountId, 'sandbox', [
    { ...message, id: newId(), content: { text: { body: text } }, context: {}, at: new Date() },
  ]);
  await post('/v2/chatapp/leads/', { chatapp_number: sender, phone_number: number, name: 'Ana of the lead' });
  const call = await post('/v2/voice/calls/', { from: '+442079460000', to: number, tts: 'Hello Ana' });
  await until(
    async () => (await app.call('GET', `/v2/voice/calls/${call.uuid}/`, undefined, { token })).body.status,
    (status) => status === 'ENDED',
  );
  const file = path.join(app.deps.config.dataDir, 'recordings', accountId, call.uuid);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'RIFF');
  await app.deps.db.updateTable('calls').set({ recording_seconds: 9 }).where('uuid', '=', call.uuid).execute();
  await until(
    async () => (await app.call('GET', '/v2/account/ledger/', undefined, { token })).body,
    ({ accepted, final, sms }) => final.read === accepted && sms.final.delivered === sms.accepted,
  );
  await post('/v2/opt-outs/', { phone_number: number, text: 'Asked on the phone' });
  return { call: call.uuid as string, file, list, sms: sms as string };
}
