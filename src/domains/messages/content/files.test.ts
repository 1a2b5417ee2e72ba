import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import type { Claimed } from '../deliver/queue.ts';
import { findCarrierFiles } from './files.ts';

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

describe('An uploaded file in the header of a message', () => {
  let app: TestApp;
  let image: string;
  let document: string;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
    [image, document] = [await upload(jpeg), await upload(pdf)];
  });
  after(() => app.close());

  async function upload(file: Buffer): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(file)]), 'file');
    const request = new Response(form);
    const contentType = request.headers.get('content-type')!;
    const answer = await app.app.inject({
      method: 'POST',
      url: '/v2/chatapp/template-media/',
      headers: { authorization: `Token ${app.token}`, 'content-type': contentType },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    return answer.json().uuid;
  }
  const send = (content: object, token = app.token) =>
    app.call(
      'POST',
      '/v2/chatapp/messages/',
      { chatapp_number: '+447700900001', to_chatapp_number: '+447700901234', ...content },
      { token },
    );
  const picture = (file: object) => ({ type: 'image', image: file });
  const interactive = (file: object) => ({
    type: 'INTERACTIVE',
    interactive: {
      type: 'button',
      header: picture(file),
      body: { text: 'Come and see' },
      action: { buttons: [{ type: 'reply', title: 'Yes' }] },
    },
  });
  const template = (...components: object[]) => ({ type: 'TEMPLATE', template: { template_name: 'tour', components } });
  const header = (file: object) => ({ type: 'header', parameters: [picture(file)] });
  const body = { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] };
  const carousel = (...files: object[]) => ({
    type: 'carousel',
    cards: files.map((file, card_index) => ({ card_index, components: [header(file), body] })),
  });
  const url = 'https://a.example/1.jpg';

  it('201 in interactive messages, templates and the cards of a carousel, with the rest of the message as it was', async () => {
    const media_uuid = image.toUpperCase();
    const shown = await send(interactive({ media_uuid }));
    assert.equal(shown.status, 201, JSON.stringify(shown.body));
    assert.deepEqual(shown.body.message_data.interactive.header, picture({ media_uuid }));
    assert.equal((await send(template(body, header({ media_uuid })))).status, 201);
    assert.equal((await send(template(carousel({ url }, { media_uuid })))).status, 201);
  });

  it('400 at its place when it is not found, another tenant’s, or of another type', async () => {
    const at = (sentence: string) => ({ image: { media_uuid: [sentence] } });
    const lost = { media_uuid: newId() };
    assert.deepEqual((await send(interactive(lost))).body, { interactive: { header: at('Not found.') } });
    assert.deepEqual((await send(interactive({ media_uuid: image }), app.otherToken)).body, {
      interactive: { header: at('Not found.') },
    });
    assert.deepEqual((await send(interactive({ media_uuid: document }))).body, {
      interactive: { header: at('This file is not an image.') },
    });
    assert.deepEqual((await send(template(body, header(lost)))).body, {
      template: { components: [{}, { parameters: [at('Not found.')] }] },
    });
    const card = { components: [{ parameters: [at('Not found.')] }, {}] };
    assert.deepEqual((await send(template(carousel({ url }, lost)))).body, {
      template: { components: [{ cards: [{}, card] }] },
    });
  });

  it('400 without a file, and with two', async () => {
    const at = (errors: object) => ({ template: { components: [{ parameters: [{ image: errors }] }] } });
    assert.deepEqual((await send(template(header({})))).body, at({ url: ['This field is required.'] }));
    const both = await send(template(header({ url, media_uuid: image })));
    assert.deepEqual([both.status, both.body], [400, at({ url: ['Give url or link or media_uuid, not several.'] })]);
    const two = await send(interactive({ url, media_uuid: image }));
    const sentence = 'Give url or link or id or media_uuid, not several.';
    assert.deepEqual([two.status, two.body], [400, { interactive: { header: { image: { url: [sentence] } } } }]);
  });

  it('in templates at a url or a link, kept as it came', async () => {
    for (const file of [{ url }, { link: url }]) {
      const { status, body: sent } = await send(template(header(file), carousel(file, file)));
      assert.deepEqual([status, sent.message_data.components[0]], [201, header(file)], JSON.stringify(sent));
      assert.deepEqual(sent.message_data.components[1], carousel(file, file));
    }
    const { status, body: errors } = await send(template(header({ url, link: url })));
    const sentence = 'Give url or link or media_uuid, not several.';
    assert.deepEqual([status, errors.template.components[0].parameters[0].image], [400, { url: [sentence] }]);
  });

  it('leaves under the id that the carrier has for it; one that was deleted is an outcome of its message', async () => {
    const { deps, accountId } = app;
    const carrier = deps.carriers.get('sandbox', 'chat');
    const { body: sender } = await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900002' });
    const claimed = (type: string, message_data: Record<string, unknown>): Claimed => ({
      uuid: newId(),
      type,
      from_digits: '447700900002',
      to_digits: '447700901234',
      message_data,
      context_data: {},
      chat_intro: null,
      campaign_log: null,
      attempts: 1,
      give_up_at: null,
    });
    const good = claimed('TEMPLATE', { components: [carousel({ url }, { media_uuid: image.toUpperCase() })] });
    const lost = claimed('INTERACTIVE', interactive({ media_uuid: newId() }));
    const from = { accountId, uuid: sender.uuid, number: '+447700900002', settings: {} };
    const { ids, outcomes } = await findCarrierFiles(deps, carrier, from, [good, lost]);
    assert.deepEqual([...ids.keys()], [image]);
    assert.deepEqual([...outcomes.keys()], [lost]);
    assert.equal(outcomes.get(lost)?.kind, 'rejected');
  });
});
