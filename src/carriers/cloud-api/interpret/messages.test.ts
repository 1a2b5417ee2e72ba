import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../../../../simulators/cloud-api/testing.ts';
import type { InboundEvent, InboundMessage } from '../../ports/inbox.ts';
import { interpret } from './interpret.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage({ settings: { pairEveryMs: null } });
});
afterEach(() => stage.close());

const ana = '+34600111222';
const me = () => stage.simulator.person(ana);

async function events(): Promise<InboundEvent[]> {
  await stage.simulator.idle();
  return stage.bodies.flatMap((body) => interpret(Buffer.from(body)));
}
/** What was written last. */
async function last(): Promise<InboundMessage> {
  const messages = (await events()).filter((event) => event.kind === 'message');
  return messages.at(-1)!;
}

describe('A webhook with a message', () => {
  it('tells the number it came to, who wrote, what they call themselves, what and when', async () => {
    const { id } = me().behaves({ name: 'Ana 😀' }).writes('¿hola/qué @tal?');
    const { at, ...message } = await last();
    assert.deepEqual(message, {
      kind: 'message',
      sender: { numberId: stage.number },
      id,
      from: { number: ana, userId: me().person.userId },
      name: 'Ana 😀',
      type: 'TEXT',
      content: { text: { body: '¿hola/qué @tal?' } },
      context: {},
    });
    assert.ok(Math.abs(at.getTime() - Date.now()) < 3_600_000);
    assert.equal(at.getMilliseconds(), 0);
  });

  it('of somebody who hides their number has the platform’s id, and the name all the same', async () => {
    me().behaves({ phoneHidden: true, name: 'Bea' }).writes('hola');
    const { from, name } = await last();
    assert.deepEqual(from, { number: null, userId: me().person.userId });
    assert.equal(name, 'Bea');
  });

  it('has the id of a file, and its description without the link', async () => {
    const bytes = Buffer.from('file');
    const sha256 = createHash('sha256').update(bytes).digest('base64');
    const cases = [
      { kind: 'image', mimeType: 'image/jpeg', more: { caption: 'Look' } },
      { kind: 'video', mimeType: 'video/mp4', more: {} },
      { kind: 'audio', mimeType: 'audio/ogg; codecs=opus', more: { voice: true } },
      { kind: 'document', mimeType: 'application/pdf', more: { filename: 'a.pdf', caption: 'Read' } },
      { kind: 'sticker', mimeType: 'image/webp', more: { animated: false } },
    ] as const;
    for (const { kind, mimeType, more } of cases) {
      me().sends({ kind, mimeType, bytes, ...more });
      const { type, content, mediaId } = await last();
      assert.equal(type, kind.toUpperCase());
      assert.deepEqual(content, { media: { mime_type: mimeType, sha256, ...more } });
      assert.ok(stage.simulator.world.media.has(mediaId!));
    }
  });

  it('has places, cards and orders as they came', async () => {
    const location = { latitude: 40.4, longitude: -3.7, name: 'Sol' };
    me().sharesLocation(location);
    assert.deepEqual(await last().then(({ type, content }) => [type, content]), ['LOCATION', { location }]);
    const contacts = [{ name: { formatted_name: 'Bea' }, phones: [{ phone: '+34 600' }], origin: 'other' }];
    me().sharesContacts(contacts);
    assert.deepEqual(await last().then(({ type, content }) => [type, content]), ['CONTACTS', { contacts }]);
    const order = { catalog_id: '1', product_items: [{ product_retailer_id: 'a', quantity: 2, item_price: 1.5 }] };
    me().orders(order);
    assert.deepEqual(await last().then(({ type, content }) => [type, content]), ['ORDER', { order }]);
  });

  it('names what is reacted to; taken back is an empty emoji', async () => {
    me().writes('hi');
    const { body } = await stage.send({ text: { body: 'thanks' } });
    for (const emoji of ['👍', undefined]) {
      me().reacts(emoji);
      const { type, content, quotes } = await last();
      assert.equal(type, 'REACTION');
      assert.deepEqual(content, { reaction: { emoji: emoji ?? '' } });
      assert.deepEqual(quotes, { carrierId: body.messages[0].id });
    }
  });

  it('names what is answered, that it was forwarded, and where the person came from', async () => {
    me().writes('hi');
    const { body } = await stage.send({ text: { body: 'hi' } });
    me().writes('b', { replyTo: body.messages[0].id });
    assert.deepEqual(await last().then(({ quotes, context }) => [quotes, context]), [
      { carrierId: body.messages[0].id },
      {},
    ]);
    me().writes('c', { forwarded: true });
    assert.deepEqual((await last()).context, { forwarded: true });
    me().writes('d', { frequentlyForwarded: true });
    assert.deepEqual((await last()).context, { frequently_forwarded: true });
    const referredProduct = { catalog_id: '1', product_retailer_id: 'x' };
    me().writes('e', { referredProduct });
    assert.deepEqual((await last()).context, { referred_product: referredProduct });
    assert.equal((await last()).quotes, undefined);
    const referral = { source_type: 'ad', source_id: '1', ctwa_clid: 'c', welcome_message: { text: 'Hi' } };
    me().writes('f', { referral });
    assert.deepEqual((await last()).context, { referral });
  });

  it('keeps what the platform cannot show, and what we do not know', async () => {
    me().sendsUnsupported('poll_creation');
    const { type, content } = await last();
    assert.equal(type, 'UNSUPPORTED');
    const unsupported = content.unsupported as { type: string; errors: { code: number }[] };
    assert.equal(unsupported.type, 'poll_creation');
    assert.equal(unsupported.errors[0]!.code, 131051);
    me().sendsRaw('hologram', { angle: 3 });
    assert.deepEqual((await last()).content, { unsupported: { type: 'hologram', hologram: { angle: 3 } } });
    me().sendsRaw('constructor', { a: 1 });
    assert.equal((await last()).type, 'UNSUPPORTED');
    me().sendsRaw('interactive', { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } });
    assert.equal((await last()).type, 'UNSUPPORTED');
    me().sendsRaw('image', { mime_type: 'image/jpeg' });
    assert.equal((await last()).type, 'UNSUPPORTED', 'a file without an id cannot be fetched');
  });

  it('of the platform itself is a SYSTEM message, unless it says that somebody goes by another name', async () => {
    const system = { type: 'customer_identity_changed', body: 'Security code changed', identity: 'x' };
    me().sendsRaw('system', system);
    assert.deepEqual(await last().then(({ type, content }) => [type, content]), ['SYSTEM', { system }]);
  });
});

describe('A tap', () => {
  const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes!' } }];
  const asks = { type: 'button', body: { text: '?' }, action: { buttons } };

  it('on a button or a row is an INTERACTIVE reply that quotes the message', async () => {
    me().writes('hi');
    const asked = await stage.send({ type: 'interactive', interactive: asks });
    me().presses('yes');
    const { type, content, quotes } = await last();
    assert.equal(type, 'INTERACTIVE');
    assert.deepEqual(content, {
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes!' } },
    });
    assert.deepEqual(quotes, { carrierId: asked.body.messages[0].id });
    const sections = [{ rows: [{ id: 'r1', title: 'Row', description: 'x' }] }];
    const list = { type: 'list', body: { text: '?' }, action: { button: 'Open', sections } };
    await stage.send({ type: 'interactive', interactive: list });
    me().presses('r1');
    assert.deepEqual((await last()).content, {
      interactive: { type: 'list_reply', list_reply: { id: 'r1', title: 'Row', description: 'x' } },
    });
  });

  it('on a template’s quick reply is a button reply like any other', async () => {
    stage.simulator.addTemplate({
      name: 'ask',
      components: [
        { type: 'BODY', text: 'Coming?' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'OK' }] },
      ],
    });
    const parameters = [{ type: 'payload', payload: 'ok:17' }];
    const components = [{ type: 'button', sub_type: 'quick_reply', index: '0', parameters }];
    await stage.send({ type: 'template', template: { name: 'ask', language: { code: 'en_US' }, components } });
    me().presses('OK');
    const { type, content } = await last();
    assert.equal(type, 'INTERACTIVE');
    assert.deepEqual(content, {
      interactive: { type: 'button_reply', button_reply: { id: 'ok:17', title: 'OK' } },
    });
  });

  it('that completes a flow gives the answers and, apart from them, the token', async () => {
    me().writes('hi');
    const screens = [{ id: 'A', terminal: true, layout: { type: 'SingleColumnLayout' } }];
    const flow_json = JSON.stringify({ version: '7.0', screens });
    const flow = { name: 'survey', categories: ['SURVEY'], flow_json, publish: true };
    const { id } = (await stage.call('POST', `${stage.account}/flows`, flow)).body;
    const parameters = { flow_message_version: '3', flow_id: id, flow_cta: 'Go', flow_token: 'tok "1"' };
    const interactive = { type: 'flow', body: { text: '?' }, action: { name: 'flow', parameters } };
    assert.equal((await stage.send({ type: 'interactive', interactive })).status, 200);
    me().answersFlow({ stars: 5, name: 'Zoë' });
    const { type, content } = await last();
    assert.equal(type, 'INTERACTIVE');
    const nfm_reply = { name: 'flow', body: 'Sent', flow_token: 'tok "1"', answers: { stars: 5, name: 'Zoë' } };
    assert.deepEqual(content, { interactive: { type: 'nfm_reply', nfm_reply } });
  });

  it('whose answers are not JSON keeps them as they are', async () => {
    for (const response_json of ['{"a":', '[1]', 'null']) {
      me().sendsRaw('interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } });
      const nfm_reply = { name: 'flow', body: 'Sent', flow_token: '', answers: {}, response_json };
      assert.deepEqual((await last()).content, { interactive: { type: 'nfm_reply', nfm_reply } });
    }
  });
});

describe('A webhook about a person', () => {
  it('tells the old and the new number and id', async () => {
    const person = me();
    const before = person.person.userId;
    person.changesNumber('+34600111999');
    const moved = (await events()).at(-1)!;
    assert.ok(moved.kind === 'person');
    assert.deepEqual(moved.before, { number: ana, userId: before });
    assert.deepEqual(moved.after, { number: '+34600111999', userId: person.person.userId });
    const second = person.person.userId;
    person.changesUserId();
    const renamed = (await events()).at(-1)!;
    assert.ok(renamed.kind === 'person');
    assert.deepEqual(renamed.before, { number: null, userId: second });
    assert.deepEqual(renamed.after, { number: null, userId: person.person.userId });
    assert.deepEqual(renamed.sender, { numberId: stage.number });
  });

  it('tells the older way of changing numbers, too', async () => {
    me().sendsRaw('system', { type: 'customer_changed_number', body: 'x', new_wa_id: '34600111999', customer: 'y' });
    const moved = (await events()).at(-1)!;
    assert.ok(moved.kind === 'person');
    assert.deepEqual([moved.before.number, moved.after.number], [ana, '+34600111999']);
  });

  it('tells whether they want marketing', async () => {
    me().stopsMarketing();
    me().resumesMarketing();
    const preferences = (await events()).filter((event) => event.kind === 'preference');
    assert.deepEqual(
      preferences.map(({ wantsMarketing, from }) => [wantsMarketing, from.number]),
      [
        [false, ana],
        [true, ana],
      ],
    );
    assert.match(preferences[0]!.text, /stop marketing/);
    assert.ok(Math.abs(preferences[0]!.at.getTime() - Date.now()) < 3_600_000);
  });
});
