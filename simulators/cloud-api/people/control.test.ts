import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ settings: { pairEveryMs: null } });
});
afterEach(() => stage.close());

const ana = '+34600111222';
const me = () => stage.simulator.person(ana);
/** The last inbound message as the webhook tells it, and who it introduces. */
async function told() {
  const { value } = (await stage.changes()).filter((change) => change.value.messages).at(-1)!;
  return { message: value.messages.at(-1), contacts: value.contacts };
}

describe('A person', () => {
  it('writes: number, id, moment, text and who they are', async () => {
    const { id } = me().behaves({ name: 'Ana', username: 'ana_x' }).writes('hola');
    const { message, contacts } = await told();
    const { userId } = me().person;
    const { timestamp, ...rest } = message;
    assert.match(timestamp, /^\d{10}$/);
    assert.deepEqual(rest, { from: '34600111222', from_user_id: userId, id, type: 'text', text: { body: 'hola' } });
    assert.deepEqual(contacts, [
      { profile: { name: 'Ana', username: 'ana_x' }, wa_id: '34600111222', user_id: userId },
    ]);
    assert.match(userId, /^ES\.\d+$/);
  });

  it('keeps the number hidden: it is left out, until the business uses it itself', async () => {
    me().behaves({ phoneHidden: true }).writes('hola');
    const { message, contacts } = await told();
    assert.equal('from' in message || 'wa_id' in contacts[0], false);
    assert.equal(message.from_user_id, me().person.userId);
    await stage.send({ to: undefined, recipient: me().person.userId, text: { body: 'hi' } });
    assert.equal('recipient_id' in (await stage.statuses())[0]!, false);
    await stage.send({ text: { body: 'hi' } });
    await stage.simulator.idle();
    me().writes('again');
    assert.equal((await told()).message.from, '34600111222');
  });

  it('sends every kind of file, which can be fetched', async () => {
    const bytes = Buffer.from('file');
    const kinds = {
      image: 'image/jpeg',
      video: 'video/mp4',
      audio: 'audio/ogg; codecs=opus',
      document: 'application/pdf',
      sticker: 'image/webp',
    } as const;
    for (const [kind, mimeType] of Object.entries(kinds)) {
      me().sends({ kind: kind as 'image', mimeType, bytes, ...(kind === 'document' && { filename: 'a.pdf' }) });
      const { message } = await told();
      assert.equal(message.type, kind);
      assert.equal(message[kind].mime_type, mimeType);
      const file = await fetch(message[kind].url, { headers: { authorization: `Bearer ${stage.simulator.token}` } });
      assert.equal(await file.text(), 'file');
      assert.equal((await stage.call('GET', message[kind].id)).body.mime_type, mimeType);
    }
  });

  it('shares places and cards, orders, reacts and takes it back', async () => {
    me().sharesLocation({ latitude: 40.4, longitude: -3.7 });
    assert.deepEqual((await told()).message.location, { latitude: 40.4, longitude: -3.7 });
    me().sharesContacts([{ name: { formatted_name: 'Bea' }, origin: 'other' }]);
    assert.equal((await told()).message.contacts[0].name.formatted_name, 'Bea');
    me().orders({ catalog_id: '1', product_items: [] });
    assert.equal((await told()).message.order.catalog_id, '1');
    const { body } = await stage.send({ text: { body: 'thanks' } });
    me().reacts('👍');
    assert.deepEqual((await told()).message.reaction, { message_id: body.messages[0].id, emoji: '👍' });
    me().reacts();
    assert.deepEqual((await told()).message.reaction, { message_id: body.messages[0].id });
  });

  it('forwards, quotes and comes from an advertisement', async () => {
    me().writes('a', { forwarded: true });
    assert.deepEqual((await told()).message.context, { forwarded: true });
    const { body } = await stage.send({ text: { body: 'hi' } });
    me().writes('b', { replyTo: body.messages[0].id });
    assert.deepEqual((await told()).message.context, { from: '34900111222', id: body.messages[0].id });
    const referral = { source_type: 'ad', source_id: '1', ctwa_clid: 'c' };
    me().writes('c', { referral });
    assert.deepEqual((await told()).message.referral, referral);
  });

  it('sends what the platform cannot show', async () => {
    me().sendsUnsupported('poll_creation');
    const { message } = await told();
    assert.equal(message.errors[0].code, 131051);
    assert.deepEqual(message.unsupported, { type: 'poll_creation' });
  });

  it('moves to another number or gets another id: told by a system message without contacts', async () => {
    const before = me().person.userId;
    const control = me();
    control.changesNumber('+34600111999');
    const { message, contacts } = await told();
    assert.equal(contacts, undefined);
    assert.equal(message.from, '34600111222');
    assert.equal(message.system.type, 'user_changed_number');
    assert.equal(message.system.wa_id, '34600111999');
    assert.equal(message.system.previous_user_id, before);
    assert.equal(stage.simulator.person('+34600111999').person.userId, message.system.user_id);
    control.changesUserId();
    const second = (await told()).message;
    assert.equal('from' in second, false);
    assert.equal(second.system.type, 'user_changed_user_id');
  });

  it('stops and resumes marketing, with the moment as a number', async () => {
    me().stopsMarketing();
    me().resumesMarketing();
    const values = (await stage.changes()).filter(({ field }) => field === 'user_preferences');
    const preferences = values.flatMap(({ value }) => value.user_preferences);
    assert.deepEqual(
      preferences.map(({ value }) => value),
      ['stop', 'resume'],
    );
    assert.equal(typeof preferences[0].timestamp, 'number');
  });

  it('who is blocked is not heard', async () => {
    const users = { messaging_product: 'whatsapp', block_users: [{ user: ana }] };
    const path = `${stage.number}/block_users`;
    assert.equal((await stage.call('POST', path, users)).body.error.code, 139100, 'only who wrote lately');
    me().writes('hi');
    assert.equal((await stage.call('POST', path, users)).status, 200);
    me().writes('unheard');
    assert.equal((await told()).message.text.body, 'hi');
  });
});

describe('A tap', () => {
  it('on a reply button and on a list row names both, and quotes the message', async () => {
    me().writes('hi');
    const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes!' } }];
    const asked = await stage.send({
      type: 'interactive',
      interactive: { type: 'button', body: { text: '?' }, action: { buttons } },
    });
    me().presses('Yes!');
    const { message } = await told();
    assert.deepEqual(message.interactive, { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes!' } });
    assert.equal(message.context.id, asked.body.messages[0].id);
    const sections = [{ rows: [{ id: 'r1', title: 'Row', description: 'x' }] }];
    await stage.send({
      type: 'interactive',
      interactive: { type: 'list', body: { text: '?' }, action: { button: 'Open', sections } },
    });
    me().presses('r1');
    assert.deepEqual((await told()).message.interactive.list_reply, { id: 'r1', title: 'Row', description: 'x' });
    assert.throws(() => me().presses('nothing'), /has no button "nothing"; it has: r1\/Row/);
  });

  it('on a template’s quick reply gives the payload that was sent, else the label', async () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'OK' },
      { type: 'QUICK_REPLY', text: 'No' },
    ];
    stage.simulator.addTemplate({
      name: 'ask',
      components: [
        { type: 'BODY', text: 'Coming?' },
        { type: 'BUTTONS', buttons },
      ],
    });
    const parameters = [{ type: 'payload', payload: 'ok:17' }];
    const components = [{ type: 'button', sub_type: 'quick_reply', index: '0', parameters }];
    await stage.send({ type: 'template', template: { name: 'ask', language: { code: 'en_US' }, components } });
    me().presses('OK');
    assert.deepEqual((await told()).message.button, { payload: 'ok:17', text: 'OK' });
    me().presses('No');
    assert.deepEqual((await told()).message.button, { payload: 'No', text: 'No' });
  });

  it('that completes a flow gives the answers as a string of JSON with the token', async () => {
    me().writes('hi');
    const flow_json = JSON.stringify({
      version: '7.0',
      screens: [{ id: 'A', terminal: true, layout: { type: 'SingleColumnLayout' } }],
    });
    const flow = { name: 'survey', categories: ['SURVEY'], flow_json, publish: true };
    const { id } = (await stage.call('POST', `${stage.account}/flows`, flow)).body;
    const parameters = { flow_message_version: '3', flow_id: id, flow_cta: 'Go', flow_token: 'tok "1"' };
    const sent = await stage.send({
      type: 'interactive',
      interactive: { type: 'flow', body: { text: '?' }, action: { name: 'flow', parameters } },
    });
    assert.equal(sent.status, 200);
    me().answersFlow({ stars: 5 });
    const reply = (await told()).message.interactive.nfm_reply;
    assert.deepEqual(JSON.parse(reply.response_json), { flow_token: 'tok "1"', stars: 5 });
  });
});
