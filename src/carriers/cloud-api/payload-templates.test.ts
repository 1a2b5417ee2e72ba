import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Connected, startConnected } from '../../../test/kit/cloud-api/connector.ts';
import { newId } from '../../platform/ids.ts';

let platform: Connected;
before(async () => {
  platform = await startConnected();
});
after(() => platform.close());

interface Kind {
  title: string;
  /** What was approved. */
  approved: object[];
  more?: object;
  /** What the API was given, and what the platform must get; the same when left out. */
  given?: object[];
  sent?: object[];
}

const link = 'https://x.example/1';
const later = Date.now() + 86_400_000;
const body = (text = 'Welcome to us') => ({ type: 'BODY', text });
const buttons = (...buttons: object[]) => ({ type: 'BUTTONS', buttons });
const text = (text: string, parameter_name?: string) => ({
  type: 'text',
  text,
  ...(parameter_name && { parameter_name }),
});
const filled = (...parameters: object[]) => ({ type: 'body', parameters });
const header = (...parameters: object[]) => ({ type: 'header', parameters });
const button = (sub_type: string, index: number | string, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});
const ofMedia = (kind: string, given: object, sent: object): Kind => ({
  title: `header ${kind}`,
  approved: [{ type: 'HEADER', format: kind.toUpperCase() }, body()],
  given: [header({ type: kind, [kind]: given })],
  sent: [header({ type: kind, [kind]: sent })],
});
const card = (card_index: number, index: number | string, image: object) => ({
  card_index,
  components: [header({ type: 'image', image }), filled(text('a')), button('url', index, text('b'))],
});
const approvedCard = {
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    body('Card {{1}} here'),
    buttons({ type: 'URL', text: 'See', url: 'https://x.example/{{1}}' }),
  ],
};
const reply = { type: 'payload', payload: 'ok:17' };
const flowAction = { type: 'action', action: { flow_token: 'tok', flow_action_data: { name: 'Ana' } } };
const coupon = { type: 'coupon_code', coupon_code: 'SALE20' };
const offer = {
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: later } }],
};

const kinds: Kind[] = [
  { title: 'plain', approved: [body()] },
  {
    title: 'plain, with components that fill nothing',
    approved: [body()],
    given: [{ type: 'body' }, header()],
    sent: [],
  },
  { title: 'body', approved: [body('Hi {{1}}, {{2}} is here')], given: [filled(text('Ana'), text('A-17'))] },
  {
    title: 'named parameters',
    approved: [body('Hi {{first}}, {{ref}} is here')],
    more: { parameterFormat: 'NAMED' },
    given: [filled(text('A-17', 'ref'), text('Ana', 'first'))],
  },
  {
    title: 'money and dates',
    approved: [body('It costs {{1}} until {{2}} only')],
    given: [
      filled(
        { type: 'currency', currency: { fallback_value: '10 €', code: 'EUR', amount_1000: 10_000 } },
        { type: 'date_time', date_time: { fallback_value: 'Monday' } },
      ),
    ],
  },
  {
    title: 'body with url button',
    approved: [body('Hi {{1}} there'), buttons({ type: 'URL', text: 'See', url: 'https://x.example/{{1}}' })],
    given: [filled(text('Ana')), button('url', 0, text('a-17'))],
    sent: [filled(text('Ana')), button('url', '0', text('a-17'))],
  },
  {
    title: 'header text',
    approved: [{ type: 'HEADER', format: 'TEXT', text: 'For {{1}}' }, body()],
    given: [header(text('Ana'))],
  },
  ofMedia('image', { url: link }, { link }),
  ofMedia('video', { url: link }, { link }),
  ofMedia('document', { url: link, filename: 'a.pdf' }, { link, filename: 'a.pdf' }),
  ofMedia(
    'location',
    { latitude: 40.4, longitude: -3.7, name: 'Us', address: '' },
    { latitude: 40.4, longitude: -3.7, name: 'Us' },
  ),
  {
    title: 'quick reply with payload',
    approved: [body(), buttons({ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'QUICK_REPLY', text: 'No' })],
    given: [button('quick_reply', 1, reply)],
    sent: [button('quick_reply', '1', reply)],
  },
  {
    title: 'flow',
    approved: [body(), buttons({ type: 'FLOW', text: 'Start', flow_id: '1' })],
    given: [button('flow', 0, flowAction)],
    sent: [button('flow', '0', flowAction)],
  },
  {
    title: 'flow without a token',
    approved: [body(), buttons({ type: 'FLOW', text: 'Start', flow_id: '1' })],
    given: [button('flow', 0, { type: 'action', action: { flow_token: '' } })],
    sent: [button('flow', '0', { type: 'action', action: {} })],
  },
  {
    title: 'coupon code',
    approved: [body(), buttons({ type: 'COPY_CODE', example: 'ABC' })],
    given: [button('copy_code', 0, coupon)],
    sent: [button('copy_code', '0', coupon)],
  },
  {
    title: 'limited-time offer',
    approved: [
      body(),
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Offer', has_expiration: true } },
      buttons({ type: 'COPY_CODE', example: 'ABC' }, { type: 'URL', text: 'See', url: 'https://x.example/{{1}}' }),
    ],
    given: [offer, button('copy_code', 0, coupon), button('url', 1, text('a'))],
    sent: [offer, button('copy_code', '0', coupon), button('url', '1', text('a'))],
  },
  {
    title: 'carousel',
    approved: [body('Hi {{1}} there'), { type: 'CAROUSEL', cards: [approvedCard, approvedCard] }],
    given: [filled(text('Ana')), { type: 'carousel', cards: [card(0, 0, { url: link }), card(1, 0, { url: link })] }],
    sent: [filled(text('Ana')), { type: 'carousel', cards: [card(0, '0', { link }), card(1, '0', { link })] }],
  },
  {
    title: 'one-time password',
    approved: [
      body('*{{1}}* is your verification code.'),
      buttons({ type: 'URL', text: 'Copy', url: 'https://x.example/?code=otp{{1}}' }),
    ],
    more: { category: 'AUTHENTICATION' },
    given: [filled(text('123456')), button('url', 0, text('123456'))],
    sent: [filled(text('123456')), button('url', '0', text('123456'))],
  },
];

describe('The payload of a template message', () => {
  for (const [at, { title, approved, more, given = [], sent = given }] of kinds.entries()) {
    it(title, async () => {
      const name = `kind_${at}`;
      platform.simulator.addTemplate({ name, language: 'es_ES', components: approved as never, ...more });
      const content = { template_name: name, language_code: 'es_ES', components: given };
      const outcome = await platform.send({ type: 'TEMPLATE', content });
      assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome));
      const { type, template } = platform.payloads().at(-1);
      const language = { code: 'es_ES' };
      assert.equal(type, 'template');
      assert.deepEqual(template, { name, language, ...(sent.length > 0 && { components: sent }) });
    });
  }

  it('names an uploaded file by the id that the platform gave it', async () => {
    const media_uuid = newId();
    const content = {
      template_name: 'any',
      language_code: 'es_ES',
      components: [header({ type: 'document', document: { media_uuid, filename: 'a.pdf' } })],
    };
    const outcome = await platform.send({ type: 'TEMPLATE', content, carrierIds: new Map([[media_uuid, '77']]) });
    assert.equal(outcome.kind === 'rejected' && outcome.code, '132001', 'there is no such template');
    const document = { id: '77', filename: 'a.pdf' };
    assert.deepEqual(platform.payloads().at(-1).template.components, [header({ type: 'document', document })]);
  });
});
