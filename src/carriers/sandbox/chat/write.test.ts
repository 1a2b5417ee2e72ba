import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const url = '/v2/sandbox/chatapp/messages/';
const us = '+447700900001';
let people = 0;
/** Somebody who has not written or got anything yet. */
const somebody = (): string => `+4477007${String(++people).padStart(5, '0')}`;

const write = (from: string, content: object, options = {}) =>
  app.call('POST', url, { from, to: us, ...content }, options);
const phone = async (number: string, token = app.token) =>
  (await app.call('GET', `/v2/sandbox/phones/${number}/`, undefined, { token })).body.results;

/** Sends a message and waits until it is on the phone. */
async function send(to: string, content: object): Promise<string> {
  const sent = await app.call('POST', '/v2/chatapp/messages/', {
    chatapp_number: us,
    to_chatapp_number: to,
    ...content,
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  await until(
    () => phone(to),
    (shown) => shown.some(({ uuid }: { uuid: string }) => uuid === sent.body.uuid),
  );
  return sent.body.uuid;
}

const text = (body: string) => ({ type: 'TEXT', text: { body } });
const interactive = (type: string, action: object) => ({
  type: 'INTERACTIVE',
  interactive: { type, body: { text: 'Choose' }, action },
});
const buttons = (...ids: string[]) =>
  interactive('button', { buttons: ids.map((id) => ({ type: 'reply', id, title: `Button ${id}` })) });
const flow = (parameters: object) =>
  interactive('flow', { parameters: { flow_id: '1', flow_cta: 'Start', ...parameters } });

describe(`POST ${url}`, () => {
  test('201 with the inbound message; the number written to need not be registered', async () => {
    const from = somebody();
    const to = '+44 7700 912999';
    const { status, body } = await app.call('POST', url, { from, to, name: 'Ana', text: { body: 'Hello' } });
    assert.equal(status, 201, JSON.stringify(body));
    const { direction, type, message_data, from_chatapp_number, chatapp_number } = body;
    assert.deepEqual(
      { direction, type, message_data, from_chatapp_number, chatapp_number, status: body.status },
      {
        direction: 'INBOUND',
        type: 'TEXT',
        message_data: { text: { body: 'Hello' } },
        from_chatapp_number: from,
        chatapp_number: to,
        status: 'RECEIVED',
      },
    );
    assert.deepEqual((await app.call('GET', `/v2/chatapp/messages/${body.uuid}/`)).body, body);
  });

  const url1 = 'https://files.example/1.pdf';
  const plain: [string, object, string, object, object][] = [
    ['a button', { button: { id: 'a', title: 'A' } }, 'INTERACTIVE', tapped('button_reply', 'a', 'A'), { text: 'A' }],
    [
      'a row of a list',
      { list: { id: 'b', title: 'B' } },
      'INTERACTIVE',
      tapped('list_reply', 'b', 'B'),
      { text: 'B' },
    ],
    ['a flow', { flow: { answers: { size: 4 } } }, 'INTERACTIVE', filled('unused', { size: 4 }), { text: 'Sent' }],
    [
      'a flow of elsewhere',
      { flow: { answers: {}, flow_token: 't9' } },
      'INTERACTIVE',
      filled('t9', {}),
      { text: 'Sent' },
    ],
    [
      'a file',
      { media: { type: 'DOCUMENT', url: url1, filename: 'a.pdf', caption: 'Mine' } },
      'DOCUMENT',
      { media: { url: url1, filename: 'a.pdf', caption: 'Mine' } },
      { media: { url: url1, filename: 'a.pdf' }, text: 'Mine' },
    ],
    [
      'a place',
      { location: { latitude: 1.5, longitude: 2, name: 'Here' } },
      'LOCATION',
      { location: { latitude: 1.5, longitude: 2, name: 'Here' } },
      { location: { latitude: 1.5, longitude: 2, name: 'Here' }, text: 'Here' },
    ],
  ];
  for (const [title, content, type, data, view] of plain) {
    test(`201 for ${title}, and the phone shows it`, async () => {
      const from = somebody();
      const { status, body } = await write(from, content);
      assert.deepEqual([status, body.type, body.message_data], [201, type, data]);
      const [{ created, ...shown }] = await phone(from);
      assert.ok(created);
      assert.deepEqual(shown, {
        uuid: body.uuid,
        direction: 'INBOUND',
        chatapp_number: us,
        type,
        ...{ header: null, text: '', footer: '', buttons: [], list: null, media: null, location: null, contacts: [] },
        ...{ reaction: null, offer_ends: null, cards: [] },
        ...{ status: 'DELIVERED', status_description: '', context: null, reactions: [], flow: null },
        ...view,
      });
    });
  }

  test('a person without a number writes by their id, and their phone is found by it', async () => {
    const from = `GB.${people}Ana`;
    assert.equal((await write(from, { text: { body: 'Guess who' } })).body.from_chatapp_number, from);
    assert.deepEqual(textsOf(await phone(from)), ['Guess who']);
  });

  test('the phone shows both directions in their order, and another account’s phone stays empty', async () => {
    const person = somebody();
    await write(person, { text: { body: 'one' } });
    await send(person, text('two'));
    await write(person.replace('+', ''), { text: { body: 'three' } });
    const shown = await phone(person);
    assert.deepEqual(textsOf(shown), ['one', 'two', 'three']);
    assert.deepEqual(
      shown.map((message: { direction: string }) => message.direction),
      ['INBOUND', 'OUTBOUND', 'INBOUND'],
    );
    assert.deepEqual(await phone(person, app.otherToken), []);
  });

  test('with an Idempotency-Key it is written once, on the phone as in the inbox', async () => {
    const person = somebody();
    const again = () => write(person, { text: { body: 'once' } }, { headers: { 'idempotency-key': `once ${person}` } });
    const first = await again();
    assert.deepEqual((await again()).body, first.body);
    const listed = await app.call('GET', `/v2/chatapp/messages/?from=${encodeURIComponent(person)}`);
    assert.deepEqual([listed.body.count, textsOf(await phone(person))], [1, ['once']]);
  });

  test('a time of one’s own: what is written carries the sandbox’s clock', async () => {
    // Whether the person may be written to is counted from there; it must not be the past after a step forward.
    const token = app.otherToken;
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 86_400 * 3 }, { token });
    await write(somebody(), { text: { body: 'later' } }, { token });
    const { last_inbound_at } = await app.deps.db
      .selectFrom('chat_people')
      .select('last_inbound_at')
      .where('account_id', '!=', app.accountId)
      .executeTakeFirstOrThrow();
    assert.ok(Date.parse(last_inbound_at) > Date.now() + 86_400_000 * 2);
  });
});

describe('what an answer answers', () => {
  const answered = (body: { context_data: { message_uuid?: string } }) => body.context_data.message_uuid;

  test('a tap finds the latest message that has the button, and its words', async () => {
    const person = somebody();
    const older = await send(person, buttons('yes', 'no'));
    const newer = await send(person, buttons('yes'));
    await send(person, text('No buttons here'));
    const yes = await write(person, { button: { id: 'yes' } });
    assert.deepEqual([answered(yes.body), yes.body.message_data], [newer, tapped('button_reply', 'yes', 'Button yes')]);
    assert.equal(answered((await write(person, { button: { id: 'no', title: 'No' } })).body), older);
    const named = await write(person, { button: { id: 'yes' }, context: { message_uuid: older } });
    assert.equal(answered(named.body), older);
    assert.equal(answered((await write(person, { button: { id: 'maybe', title: 'Maybe' } })).body), undefined);
  });

  test('a tap is not looked for in the messages of another number', async () => {
    const person = somebody();
    await send(person, { ...buttons('yes'), chatapp_number: '+447700900777' });
    assert.equal(answered((await write(person, { button: { id: 'yes', title: 'Yes' } })).body), undefined);
  });

  test('a row of a list and a quick reply of a template are found too', async () => {
    const person = somebody();
    const rows = [{ id: 'small', title: 'Small', description: 'For one' }];
    const list = await send(person, interactive('list', { button: 'Open', sections: [{ rows }] }));
    const components = [
      { type: 'button', sub_type: 'quick_reply', index: 0, parameters: [{ type: 'payload', payload: 'order:1' }] },
    ];
    const template = await send(person, { type: 'TEMPLATE', template: { template_name: 'offer', components } });
    const small = await write(person, { list: { id: 'small' } });
    assert.equal(answered(small.body), list);
    assert.deepEqual(small.body.message_data.interactive.list_reply, rows[0]);
    assert.equal(answered((await write(person, { button: { id: 'order:1' } })).body), template);
  });

  test('a flow is answered under the token of the flow that was sent', async () => {
    const person = somebody();
    const first = await send(person, flow({ flow_token: 'first' }));
    const second = await send(person, flow({ flow_token: 'second' }));
    const latest = await write(person, { flow: { answers: { a: 1 } } });
    assert.deepEqual([answered(latest.body), latest.body.message_data], [second, filled('second', { a: 1 })]);
    const named = await write(person, { flow: { answers: {} }, context: { message_uuid: first } });
    assert.deepEqual([answered(named.body), named.body.message_data], [first, filled('first', {})]);
  });

  test('a reaction names the message, here and on the phone', async () => {
    const person = somebody();
    const message_uuid = await send(person, text('Done'));
    const reaction = { message_uuid, emoji: '🎉' };
    const { status, body } = await write(person, { reaction });
    assert.deepEqual([status, body.type, body.message_data], [201, 'REACTION', { reaction }]);
    assert.deepEqual((await phone(person)).at(-1).reaction, reaction);
  });
});

describe(`POST ${url} › 400`, () => {
  const refused = async (from: string, content: object, errors: object) => {
    const { status, body } = await write(from, content);
    assert.deepEqual([status, body], [400, errors]);
  };

  test('without a content, and with two', async () => {
    const errors = { non_field_errors: ['Give one of text, button, list, flow, media, location, reaction.'] };
    await refused(somebody(), {}, errors);
    await refused(somebody(), { text: { body: 'a' }, button: { id: 'b', title: 'B' } }, errors);
  });

  test('for a message that is not on the phone, is of another conversation or account, or is a reaction', async () => {
    const [person, other] = [somebody(), somebody()];
    const theirs = await send(other, text('For somebody else'));
    const gone = { message_uuid: ['There is no such message on this phone.'] };
    await refused(person, { text: { body: 'a' }, context: { message_uuid: theirs } }, { context: gone });
    await refused(person, { reaction: { message_uuid: theirs, emoji: '👍' } }, { reaction: gone });
    const stranger = await write(
      other,
      { text: { body: 'a' }, context: { message_uuid: theirs } },
      { token: app.otherToken },
    );
    assert.deepEqual([stranger.status, stranger.body], [400, { context: gone }]);

    const elsewhere = await send(person, { ...text('From another number'), chatapp_number: '+447700900777' });
    await refused(
      person,
      { text: { body: 'a' }, context: { message_uuid: elsewhere } },
      { context: { message_uuid: ['This message is of another conversation.'] } },
    );
    const mine = await send(person, text('For you'));
    const reacted = await write(person, { reaction: { message_uuid: mine, emoji: '👍' } });
    await refused(
      person,
      { reaction: { message_uuid: reacted.body.uuid, emoji: '👍' } },
      { reaction: { message_uuid: ['A reaction cannot be reacted to.'] } },
    );
  });

  test('for numbers and kinds of file that are none', async () => {
    await refused('mum', { text: { body: 'a' } }, { from: ['Enter a valid phone number.'] });
    const media = { type: 'SONG', url: 'https://files.example/1' };
    await refused(somebody(), { media }, { media: { type: ['"SONG" is not a valid choice.'] } });
  });
});

const textsOf = (shown: { text: string }[]): string[] => shown.map(({ text }) => text);

function tapped(type: string, id: string, title: string) {
  return { interactive: { type, [type]: { id, title } } };
}

function filled(flow_token: string, answers: object) {
  const nfm_reply = { name: 'flow', body: 'Sent', flow_token, answers };
  return { interactive: { type: 'nfm_reply', nfm_reply } };
}
