import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

describe('A message that names another', () => {
  let app: TestApp;
  let uuid: string;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    uuid = (await send({})).body.uuid;
  });
  after(() => app.close());

  const send = (request: object, options?: Parameters<TestApp['call']>[3]) =>
    app.call(
      'POST',
      '/v2/chatapp/messages/',
      { ...numbers, type: 'TEXT', text: { body: 'Hello' }, ...request },
      options,
    );
  const numbers = { chatapp_number: '+44 7700 900001', to_chatapp_number: '+44 7700 901234' };
  const reaction = (message_uuid: string, emoji = '👍') => ({ type: 'REACTION', reaction: { message_uuid, emoji } });
  const unknown = '01890000-0000-7000-8000-000000000000';
  const notFound = { message_uuid: ['Not found.'] };
  const elsewhere = { message_uuid: ['This message is of another conversation.'] };

  it('201 when it is of the same conversation, however the numbers and the id are written', async () => {
    const other = { chatapp_number: '447700900001', to_chatapp_number: '+44 (7700) 901-234' };
    assert.equal((await send({ ...other, ...reaction(uuid.toUpperCase()) })).status, 201);
    assert.equal((await send({ ...other, context: { message_uuid: uuid } })).status, 201);
  });

  it('the message that is answered is kept and returned as context_data', async () => {
    const context = { message_uuid: uuid };
    const { body } = await send({ context });
    assert.deepEqual(body.context_data, context);
    assert.deepEqual((await app.call('GET', `/v2/chatapp/messages/${body.uuid}/`)).body.context_data, context);
  });

  it('400 when there is no such message, or it is another account’s', async () => {
    const unknownReaction = await send(reaction(unknown));
    assert.deepEqual([unknownReaction.status, unknownReaction.body], [400, { reaction: notFound }]);
    assert.deepEqual((await send({ context: { message_uuid: unknown } })).body, { context: notFound });
    assert.deepEqual((await send(reaction(uuid), { token: app.otherToken })).body, { reaction: notFound });
    assert.deepEqual((await send({ context: { message_uuid: 'x' } })).body, {
      context: { message_uuid: ['Must be a valid UUID.'] },
    });
  });

  it('400 when it went to another person or from another number', async () => {
    const toAnother = { to_chatapp_number: '+447700909999' };
    assert.deepEqual((await send({ ...reaction(uuid), ...toAnother })).body, { reaction: elsewhere });
    const fromAnother = { chatapp_number: '+447700900002', context: { message_uuid: uuid } };
    assert.deepEqual((await send(fromAnother)).body, { context: elsewhere });
  });

  it('400 for a reaction to a reaction, and for one with a context', async () => {
    const first = await send(reaction(uuid));
    assert.deepEqual((await send(reaction(first.body.uuid))).body, {
      reaction: { message_uuid: ['A reaction cannot be reacted to.'] },
    });
    assert.deepEqual((await send({ ...reaction(uuid), context: { message_uuid: uuid } })).body, {
      context: ['A reaction takes no context.'],
    });
  });

  it('what is refused leaves no trace, and does not stop those sent with it', async () => {
    const strange = { chatapp_number: '+447700955555' };
    const answers = await Promise.all([send({}), send({ ...strange, ...reaction(unknown) }), send(reaction(uuid))]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 400, 201],
    );
    const senders = app.deps.db.selectFrom('chatapp_accounts').select('digits').where('digits', '=', '447700955555');
    assert.deepEqual(await senders.execute(), []);
  });

  const good = ['👍', '❤️', '❤', '👍🏽', '👩‍💻', '❤️‍🔥', '🇪🇸', '1️⃣', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '👨‍👩‍👧‍👦', '🧑🏽‍🤝‍🧑🏻', ''];
  const bad = ['a', '1', '👍👍', '🇪', '👍a', ':)', '\u200d', '🏽🏽'];
  it('a reaction is one emoji or nothing', async () => {
    for (const emoji of good) assert.equal((await send(reaction(uuid, emoji))).status, 201, emoji);
    for (const emoji of bad) {
      assert.deepEqual(
        (await send(reaction(uuid, emoji))).body,
        { reaction: { emoji: ['Enter one emoji, or nothing to take the reaction back.'] } },
        emoji,
      );
    }
  });
});
