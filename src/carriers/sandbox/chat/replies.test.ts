import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { inTransaction } from '../../../platform/db/connect/pool.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
  await app.call('POST', '/v2/sandbox/clock/', { speed: 50 });
});
after(() => app.close());

const us = '+447700900001';
interface Shown {
  uuid: string;
  type: string;
  direction: string;
  text: string;
}
const phone = async (number: string, token = app.token): Promise<Shown[]> =>
  (await app.call('GET', `/v2/sandbox/phones/${number}/?page_size=200`, undefined, { token })).body.results;
const inbound = (shown: Shown[]) => shown.filter(({ direction }) => direction === 'INBOUND');
const message = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;

async function send(to: string, content: object, token = app.token): Promise<string> {
  const request = { chatapp_number: us, to_chatapp_number: to, ...content };
  const { status, body } = await app.call('POST', '/v2/chatapp/messages/', request, { token });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

/** Sends, and waits for what the person answers. */
async function replyTo(to: string, content: object) {
  const before = inbound(await phone(to)).length;
  const uuid = await send(to, content);
  return { uuid, reply: await message((await awaitReply(to, before)).uuid) };
}

const awaitReply = (to: string, before: number, token = app.token): Promise<Shown> =>
  until(`a reply of ${to}`, async () => inbound(await phone(to, token))[before]);

/** Waits until the sandbox is done with a message. */
const untilDone = (uuid: string) =>
  until(
    () =>
      sql<{ due_at: string | null }>`select due_at from sandbox_messages where message = ${uuid}`.execute(app.deps.db),
    ({ rows }) => rows.length > 0 && rows.every(({ due_at }) => due_at === null),
  );

const text = (body: string) => ({ type: 'TEXT', text: { body } });
const interactive = (type: string, action: object) => ({
  type: 'INTERACTIVE',
  interactive: { type, body: { text: 'Choose' }, action },
});
const template = (...components: object[]) => ({ type: 'TEMPLATE', template: { template_name: 'offer', components } });

describe('a person in the sandbox', () => {
  test('9030 writes STOP, and is out', async () => {
    const { uuid, reply } = await replyTo('+447700909030', text('Hello'));
    assert.deepEqual([reply.type, reply.message_data], ['TEXT', { text: { body: 'STOP' } }]);
    assert.equal((await message(uuid)).status, 'READ');
    const next = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: us,
      to_chatapp_number: '+447700909030',
      ...text('Are you there?'),
    });
    assert.deepEqual([next.status, next.body.code], [400, 'recipient_opted_out']);
  });

  test('9031 presses the first button, row or quick reply', async () => {
    const button = interactive('button', { buttons: [{ type: 'reply', id: 'a', title: 'A' }] });
    const rows = [{ id: 'b', title: 'B', description: 'Second' }];
    const list = interactive('list', { button: 'Open', sections: [{ rows }] });
    const payload = { type: 'payload', payload: 'c' };
    const quick = template({ type: 'button', sub_type: 'quick_reply', index: 0, parameters: [payload] });
    const replies: [object, object][] = [
      [button, { type: 'button_reply', button_reply: { id: 'a', title: 'A' } }],
      [list, { type: 'list_reply', list_reply: { id: 'b', title: 'B', description: 'Second' } }],
      [quick, { type: 'button_reply', button_reply: { id: 'c', title: 'Button 1' } }],
    ];
    for (const [content, interactive] of replies) {
      const { uuid, reply } = await replyTo('+447700909031', content);
      assert.deepEqual([reply.type, reply.message_data], ['INTERACTIVE', { interactive }]);
      assert.deepEqual(reply.context_data, { message_uuid: uuid });
    }
  });

  test('9032 fills in the flow, under its token, with what it started with', async () => {
    const parameters = { flow_id: '1', flow_cta: 'Start', flow_token: 't1' };
    const payload = { screen: 'FIRST', data: { city: 'Leeds' } };
    const action = { type: 'action', action: { flow_token: 't2', flow_action_data: { size: 4 } } };
    const replies: [object, string, object][] = [
      [interactive('flow', { parameters }), 't1', { answer: 'Yes' }],
      [interactive('flow', { parameters: { ...parameters, flow_action_payload: payload } }), 't1', { city: 'Leeds' }],
      [template({ type: 'button', sub_type: 'flow', index: 0, parameters: [action] }), 't2', { size: 4 }],
    ];
    for (const [content, flow_token, answers] of replies) {
      const { uuid, reply } = await replyTo('+447700909032', content);
      const nfm_reply = { name: 'flow', body: 'Sent', flow_token, answers };
      assert.deepEqual(reply.message_data, { interactive: { type: 'nfm_reply', nfm_reply } });
      assert.deepEqual(reply.context_data, { message_uuid: uuid });
    }
  });

  test('9033 writes START', async () => {
    const { reply } = await replyTo('+447700909033', text('Hello'));
    assert.deepEqual(reply.message_data, { text: { body: 'START' } });
  });

  test('9034 reacts with 👍, but not to a reaction', async () => {
    const { uuid, reply } = await replyTo('+447700909034', text('Hello'));
    assert.deepEqual(reply.message_data, { reaction: { message_uuid: uuid, emoji: '👍' } });
    const reaction = { message_uuid: uuid, emoji: '👋' };
    await untilDone(await send('+447700909034', { type: 'REACTION', reaction }));
    assert.equal(inbound(await phone('+447700909034')).length, 1);
  });

  test('9035 writes back what it reads', async () => {
    const { reply } = await replyTo('+447700909035', text('Hello, hello'));
    assert.deepEqual(reply.message_data, { text: { body: 'Hello, hello' } });
  });

  test('nobody presses, fills in or writes back what is not there', async () => {
    const sticker = { type: 'STICKER', media: { url: 'https://files.example/1.webp' } };
    for (const ending of ['9031', '9032', '9035']) {
      const to = `+44771090${ending}`;
      await untilDone(await send(to, sticker));
      assert.deepEqual(inbound(await phone(to)), []);
    }
  });
});

test('a reply that a crash repeats is one reply', async () => {
  const to = '+447710909035';
  const { uuid } = await replyTo(to, text('Once'));
  await untilDone(uuid);
  const { db } = app.deps;
  await sql`update sandbox_messages set step = 2, due_at = now() where message = ${uuid}`.execute(db);
  await untilDone(uuid);
  assert.equal(inbound(await phone(to)).length, 1);
  assert.equal((await app.call('GET', `/v2/chatapp/messages/?from=${encodeURIComponent(to)}`)).body.count, 1);
});

test('a reply that cannot be brought in holds up nobody else, and comes when it can', async () => {
  const { db } = app.deps;
  const token = app.otherToken;
  await app.call('POST', '/v2/sandbox/clock/', { speed: 50 }, { token });
  const decide = (how: string) =>
    sql`create or replace function decide() returns trigger language plpgsql as ${sql.lit(`begin ${how}; end`)}`.execute(
      db,
    );
  await decide(`raise exception 'full'`);
  // It waits for whoever is writing, and may be the one to give way.
  await inTransaction(db, (db) =>
    sql`create trigger decide before insert on messages for each row
      when (new.direction = 'INBOUND' and new.account_id <> ${sql.lit(app.accountId)}) execute function decide()`.execute(
      db,
    ),
  );
  const to = '+447720909035';
  const stuck = await send(to, text('Stuck'), token);
  await untilLastStep(stuck);
  await replyTo(to, text('Free'));
  assert.deepEqual(inbound(await phone(to, token)), []);
  // To drop the trigger would lock out everybody.
  await decide('return new');
  assert.equal((await awaitReply(to, 0, token)).text, 'Stuck');
});

/** Waits until only the reply is to come. */
const untilLastStep = (uuid: string) =>
  until(
    () => sql<{ step: number }>`select step from sandbox_messages where message = ${uuid}`.execute(app.deps.db),
    ({ rows }) => rows.some(({ step }) => step === 2),
  );
