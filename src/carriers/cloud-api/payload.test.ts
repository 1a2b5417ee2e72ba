import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Connected, startConnected } from '../../../test/kit/cloud-api/connector.ts';
import { newId } from '../../platform/ids.ts';
import type { OutboundMessage } from '../ports/chat.ts';

let platform: Connected;
before(async () => {
  platform = await startConnected();
});
after(() => platform.close());

/** What the platform got for a message that it took, without the envelope that all have in common. */
async function sent(message: Partial<OutboundMessage>): Promise<object> {
  const uuid = newId();
  const outcome = await platform.send({ uuid, ...message });
  assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome));
  const { messaging_product, recipient_type, biz_opaque_callback_data, ...rest } = platform.payloads().at(-1);
  assert.deepEqual(
    { messaging_product, recipient_type, biz_opaque_callback_data },
    { messaging_product: 'whatsapp', recipient_type: 'individual', biz_opaque_callback_data: uuid },
  );
  return rest;
}

/** The same for what goes to the usual phone: only the content. */
async function content(type: string, data: object, more: Partial<OutboundMessage> = {}): Promise<unknown> {
  const { to, type: name, ...rest } = (await sent({ type, content: { ...data }, ...more })) as Record<string, unknown>;
  assert.deepEqual({ to, name }, { to: '+34600111222', name: type.toLowerCase() });
  assert.deepEqual(Object.keys(rest), [type.toLowerCase()]);
  return rest[type.toLowerCase()];
}

async function upload(mimeType: string, start: string): Promise<string> {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', mimeType);
  form.set('file', new Blob([Buffer.from(start, 'latin1')], { type: mimeType }), 'file');
  const url = `${platform.simulator.url}/v26.0/${platform.simulator.numberId}/media`;
  const headers = { authorization: `Bearer ${platform.simulator.token}` };
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { id: string }).id;
}
const png = '\x89PNG\r\n\x1a\n';

describe('The payload of a message', () => {
  it('goes to a phone with its plus, whatever the notation', async () => {
    const { to } = (await sent({ toNumber: '34 (600) 111-222' })) as { to: string };
    assert.equal(to, '+34600111222');
  });

  it('goes to a person who hides their phone by their id', async () => {
    const toNumber = platform.simulator.person('+34600111777').person.userId;
    assert.deepEqual(await sent({ toNumber }), { recipient: toNumber, type: 'text', text: { body: 'hola' } });
  });

  it('text', async () => {
    const text = { body: 'see https://x.example', preview_url: true };
    assert.deepEqual(await content('TEXT', { text }), text);
  });

  for (const type of ['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER']) {
    it(`${type.toLowerCase()} by address`, async () => {
      const address = 'https://x.example/1';
      for (const media of [{ url: address }, { link: address }]) {
        assert.deepEqual(await content(type, { media }), { link: address });
      }
    });
  }

  it('image by file, with its caption', async () => {
    const [media_uuid, id] = [newId(), await upload('image/png', png)];
    const carrierIds = new Map([[media_uuid, id]]);
    const media = { media_uuid: media_uuid.toUpperCase(), caption: 'A' };
    assert.deepEqual(await content('IMAGE', { media }, { carrierIds }), { id, caption: 'A' });
  });

  it('document with its name; a file that is not one has none, a voice no caption', async () => {
    const media = { url: 'https://x.example/1', caption: 'A', filename: 'a.pdf' };
    const link = media.url;
    assert.deepEqual(await content('DOCUMENT', { media }), { link, caption: 'A', filename: 'a.pdf' });
    assert.deepEqual(await content('VIDEO', { media }), { link, caption: 'A' });
    assert.deepEqual(await content('AUDIO', { media }), { link });
  });

  it('an empty caption is left out', async () => {
    assert.deepEqual(await content('IMAGE', { media: { url: 'https://x.example/1', caption: '' } }), {
      link: 'https://x.example/1',
    });
  });

  it('location, without empty words', async () => {
    const location = { latitude: 0, longitude: -3.7, name: 'Office', address: '' };
    assert.deepEqual(await content('LOCATION', { location }), { latitude: 0, longitude: -3.7, name: 'Office' });
  });

  it('contacts, without empty words', async () => {
    const name = { formatted_name: 'Ana Sol', first_name: 'Ana' };
    const phones = [{ phone: '+34600111222', type: 'HOME' }];
    const contacts = [{ name: { ...name, last_name: '' }, phones, emails: [], org: { company: '' } }];
    assert.deepEqual(await content('CONTACTS', { contacts }), [{ name, phones }]);
  });

  it('contacts with every part of a name', async () => {
    const parts = { first_name: 'Ana', middle_name: 'María', last_name: 'Sol', prefix: 'Dr', suffix: 'PhD' };
    const name = { formatted_name: 'Dr Ana María Sol PhD', ...parts };
    const contacts = [{ name, phones: [{ phone: '+34600111222', wa_id: '34600111222' }] }];
    assert.deepEqual(await content('CONTACTS', { contacts }), contacts);
  });

  it('a reaction, and taking it back, by the id that the platform gave the message', async () => {
    const first = await platform.send({});
    const message_id = first.kind === 'accepted' ? first.carrierMessageId : '';
    const message_uuid = newId();
    const carrierIds = new Map([[message_uuid, message_id]]);
    for (const emoji of ['👍', '']) {
      const more = { carrierIds, quotes: message_uuid };
      const reaction = { message_uuid, emoji };
      assert.deepEqual(await content('REACTION', { reaction }, more), { message_id, emoji });
    }
  });

  it('a quote by the id that the platform gave the message, none for one it does not know', async () => {
    const first = await platform.send({});
    const message_id = first.kind === 'accepted' ? first.carrierMessageId : '';
    const quotes = newId();
    const carrierIds = new Map([[quotes, message_id]]);
    const plain = { to: '+34600111222', type: 'text', text: { body: 'hola' } };
    assert.deepEqual(await sent({ quotes, carrierIds }), { ...plain, context: { message_id } });
    assert.deepEqual(await sent({ quotes }), plain);
  });

  it('is not sent at all when it names a message or a file that the platform does not know', async () => {
    const before = platform.simulator.received.length;
    const reaction = { message_uuid: newId(), emoji: '👍' };
    assert.deepEqual(await platform.send({ type: 'REACTION', content: { reaction } }), {
      kind: 'rejected',
      code: 'reaction_target_unknown',
      description: 'The message reacted to is not known to the platform.',
    });
    assert.deepEqual(await platform.send({ type: 'IMAGE', content: { media: { media_uuid: newId() } } }), {
      kind: 'rejected',
      code: 'media_unknown',
      description: 'The file is not known to the platform.',
    });
    assert.equal((await platform.send({ type: 'FAX' })).kind, 'rejected');
    assert.equal((await platform.send({ type: 'TEMPLATE', content: {} })).kind, 'rejected');
    assert.equal(platform.simulator.received.length, before);
  });
});
