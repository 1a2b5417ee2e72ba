import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
type Body = any;
const us = '+447700900001';
let people = 0;
const somebody = (ending = '0000'): string => `+4477${String(++people).padStart(4, '0')}${ending}`;

async function post(url: string, body: object, status = 201): Promise<Body> {
  const answer = await app.call('POST', url, body);
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}
const phone = async (number: string, query = ''): Promise<Body[]> =>
  (await app.call('GET', `/v2/sandbox/phones/${encodeURIComponent(number)}/?${query}`)).body.results;
const shown = (number: string, uuid: string, holds: (message: Body) => boolean = () => true): Promise<Body> =>
  until(async () => (await phone(number)).find((message) => message.uuid === uuid && holds(message)));

/** Sends a message and waits until it is on the phone. */
async function send(to: string, content: object): Promise<Body> {
  const { uuid } = await post('/v2/chatapp/messages/', { chatapp_number: us, to_chatapp_number: to, ...content });
  return shown(to, uuid);
}
const text = (body: string) => ({ type: 'TEXT', text: { body } });
const write = (from: string, content: object) => post('/v2/sandbox/chatapp/messages/', { from, to: us, ...content });

describe('GET /v2/sandbox/phones/:number/', () => {
  it('says what the phone has reported of each message', async () => {
    const [reads, ignores, fails] = [somebody(), somebody('9001'), somebody('9011')];
    const sent = { reads: await send(reads, text('1')), ignores: await send(ignores, text('2')) };
    const failed = await send(fails, text('3'));
    await shown(reads, sent.reads.uuid, ({ status }) => status === 'READ');
    await shown(ignores, sent.ignores.uuid, ({ status }) => status === 'DELIVERED');
    const { status_description } = await shown(fails, failed.uuid, ({ status }) => status === 'FAILED');
    assert.match(status_description, /24 hours/);
    const written = await write(reads, { text: { body: 'Yes' } });
    assert.equal((await shown(reads, written.uuid)).status, 'DELIVERED');
  });

  it('shows what is quoted, both ways, and reactions on the message they belong to', async () => {
    const person = somebody();
    const first = await send(person, text('First'));
    const answer = await write(person, { text: { body: 'Answer' }, context: { message_uuid: first.uuid } });
    const quoted = { message_uuid: first.uuid, direction: 'OUTBOUND', type: 'TEXT', text: 'First' };
    assert.deepEqual((await shown(person, answer.uuid)).context, quoted);
    const again = await send(person, { ...text('Again'), context: { message_uuid: answer.uuid } });
    assert.equal(again.context.text, 'Answer');
    assert.equal(first.context, null);

    const react = (emoji: string) => write(person, { reaction: { message_uuid: first.uuid, emoji } });
    await react('👍');
    await react('🎉');
    await send(person, { type: 'REACTION', reaction: { message_uuid: answer.uuid, emoji: '❤️' } });
    assert.deepEqual((await shown(person, first.uuid)).reactions, [{ direction: 'INBOUND', emoji: '🎉' }]);
    assert.deepEqual((await shown(person, answer.uuid)).reactions, [{ direction: 'OUTBOUND', emoji: '❤️' }]);
    await react('');
    assert.deepEqual((await shown(person, first.uuid)).reactions, []);
  });

  it('gives an uploaded file an address on this server', async () => {
    const person = somebody();
    const uuid = await upload();
    const address = `/v2/chatapp/template-media/${uuid}/content/`;
    const message = await send(person, { type: 'IMAGE', media: { media_uuid: uuid, caption: 'Look' } });
    assert.deepEqual([message.media.url, message.text], [address, 'Look']);
    assert.equal((await app.call('GET', message.media.url)).status, 200);
    const header = { type: 'image', image: { media_uuid: uuid } };
    const action = { buttons: [{ type: 'reply', id: 'a', title: 'A' }] };
    const interactive = { type: 'button', header, body: { text: 'Choose' }, action };
    assert.equal((await send(person, { type: 'INTERACTIVE', interactive })).header.image.url, address);
  });

  it('shows a template in its own words, filled in', async () => {
    const person = somebody();
    const components = [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['7'] } },
      {
        type: 'BODY',
        text: 'Dear {{1}}, what you ordered costs {{2}} in all.',
        example: { body_text: [['Ana', '£5']] },
      },
      { type: 'FOOTER', text: 'Parley Ltd' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Fine' },
          { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+447700900001' },
        ],
      },
    ];
    await template('order_sent', 'UTILITY', components);
    const parameter = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
    const message = await send(person, {
      type: 'TEMPLATE',
      template: {
        template_name: 'order_sent',
        language_code: 'en_GB',
        components: [
          { type: 'header', parameters: parameter('42') },
          { type: 'body', parameters: parameter('Bo', '£9') },
          { type: 'button', sub_type: 'url', index: 1, parameters: parameter('42') },
        ],
      },
    });
    const { header, footer, buttons } = message;
    assert.deepEqual(
      { header, text: message.text, footer },
      {
        header: { type: 'text', text: 'Order 42' },
        text: 'Dear Bo, what you ordered costs £9 in all.',
        footer: 'Parley Ltd',
      },
    );
    assert.deepEqual(buttons, [
      { type: 'quick_reply', title: 'Fine', id: '', value: '' },
      { type: 'url', title: 'Track', id: '', value: 'https://example.com/42' },
      { type: 'phone_number', title: 'Call', id: '', value: '+447700900001' },
    ]);
    const tapped = await write(person, { button: { id: 'Fine' } });
    assert.equal((await shown(person, tapped.uuid)).context.message_uuid, message.uuid);
  });

  it('says which form a button opens, and the form can be had', async () => {
    const person = somebody();
    const definition = { version: '7.3', screens: [{ id: 'START', title: 'Book', terminal: true, layout: {} }] };
    const made = await post('/v2/chatapp/flows/', {
      chatapp_number: us,
      name: 'Book a viewing',
      category: 'OTHER',
      definition,
    });
    const flow_id = await until(async () => (await get(`/v2/chatapp/flows/${made.uuid}/`)).flow_id);
    for (const named of [{ flow_id }, { flow_name: 'Book a viewing' }]) {
      const flow_action_payload = { screen: 'START', data: { city: 'Leeds' } };
      const parameters = { ...named, flow_cta: 'Book', flow_token: 't', flow_action_payload };
      const interactive = { type: 'flow', body: { text: 'Come and see' }, action: { parameters } };
      const { flow } = await send(person, { type: 'INTERACTIVE', interactive });
      const name = named.flow_name ?? '';
      assert.deepEqual(flow, { flow_id, name, flow_token: 't', screen: 'START', data: { city: 'Leeds' } });
    }
    const url = `/v2/sandbox/flows/${flow_id}/`;
    assert.deepEqual(await get(url), { flow_id, name: 'Book a viewing', definition });
    assert.equal((await app.call('GET', url, undefined, { token: app.otherToken })).status, 404);
  });

  it('is read backwards from its end, page by page', async () => {
    const person = somebody();
    for (const body of ['1', '2', '3']) await send(person, text(body));
    const url = `/v2/sandbox/phones/${person}/?ordering=-created&page_size=2`;
    const { results, next } = await get(url);
    const earlier = await get(new URL(next).pathname + new URL(next).search);
    assert.deepEqual(
      [...results, ...earlier.results].map((message: Body) => message.text),
      ['3', '2', '1'],
    );
  });
});

const get = async (url: string): Promise<Body> => (await app.call('GET', url)).body;

async function template(name: string, category: string, components: object[]): Promise<void> {
  const language_code = 'en_GB';
  const made = await post('/v2/chatapp/message-templates/', {
    chatapp_number: us,
    name,
    language_code,
    category,
    components,
  });
  await until(async () => (await get(`/v2/chatapp/message-templates/${made.uuid}/`)).status === 'APPROVED');
}

/** The smallest PNG there is. */
async function upload(): Promise<string> {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
  const form = [
    '--part\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
    Buffer.from(png, 'base64'),
    '\r\n--part--\r\n',
  ];
  const answer = await app.app.inject({
    method: 'POST',
    url: '/v2/chatapp/template-media/',
    headers: { authorization: `Token ${app.token}`, 'content-type': 'multipart/form-data; boundary=part' },
    payload: Buffer.concat(form.map((part) => Buffer.from(part as string))),
  });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().uuid;
}
