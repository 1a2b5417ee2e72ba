import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';

const x = (length: number) => 'x'.repeat(length);
const link = 'https://a.example/1';
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const blank = ['This field may not be blank.'];
const atMost = (limit: number) => [`Ensure this field has no more than ${limit} characters.`];
const mostItems = (limit: number) => [`Ensure this field has no more than ${limit} elements.`];
const notAbove = (limit: number) => [`Ensure this value is less than or equal to ${limit}.`];
const notBelow = (limit: number) => [`Ensure this value is greater than or equal to ${limit}.`];
const notAChoice = (word: string) => [`"${word}" is not a valid choice.`];

/** A request with one thing in it that may go so far, and what the answer says when it goes further. */
type Limit = [title: string, make: (value: never) => object, atTheEdge: unknown, beyond: unknown, errors: object];
const limit = <T>(title: string, make: (value: T) => object, atTheEdge: T, beyond: T, errors: object): Limit => [
  title,
  make,
  atTheEdge,
  beyond,
  errors,
];

const text = (body: string) => ({ type: 'TEXT', text: { body } });
const media = (type: string) => (media: object) => ({ type, media: { url: link, ...media } });
const location = (place: object) => ({ type: 'LOCATION', location: { latitude: 0, longitude: 0, ...place } });
const limits: Limit[] = [
  limit('the text', text, x(4096), x(4097), { text: { body: atMost(4096) } }),
  limit('the least text', text, 'x', '', { text: { body: blank } }),
  limit('4,096 characters, not units', text, '🏡'.repeat(4096), '🏡'.repeat(4097), { text: { body: atMost(4096) } }),
  ...['IMAGE', 'VIDEO', 'DOCUMENT'].map((type) =>
    limit(
      `the caption of ${type}`,
      media(type),
      { caption: x(1024) },
      { caption: x(1025) },
      { media: { caption: atMost(1024) } },
    ),
  ),
  ...['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT', 'STICKER'].map((type) =>
    limit(
      `the address of ${type}`,
      media(type),
      {},
      { url: 'ftp://a.example' },
      { media: { url: ['Enter a valid URL.'] } },
    ),
  ),
  limit(
    'a file name',
    media('DOCUMENT'),
    { filename: x(240) },
    { filename: x(241) },
    { media: { filename: atMost(240) } },
  ),
  limit('north', location, { latitude: 90 }, { latitude: 90.1 }, { location: { latitude: notAbove(90) } }),
  limit('south', location, { latitude: -90 }, { latitude: -90.1 }, { location: { latitude: notBelow(-90) } }),
  limit('east', location, { longitude: 180 }, { longitude: 180.1 }, { location: { longitude: notAbove(180) } }),
  limit('west', location, { longitude: -180 }, { longitude: -180.1 }, { location: { longitude: notBelow(-180) } }),
];

const template = (...components: object[]) => ({ type: 'TEMPLATE', template: { template_name: 'sale', components } });
const inComponents = (...errors: object[]) => ({ template: { components: errors } });
const filling = (type: string) => (value: object) =>
  template({ type, parameters: [{ type: 'text', text: 'a', ...value }] });
const inParameter = (errors: object) => inComponents({ parameters: [errors] });
const button = (sub_type: string, index: number, parameters?: object[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
});
const bodyParameters = (count: number) =>
  template({ type: 'body', parameters: times(count, () => ({ type: 'text', text: 'a' })) });
const money = (currency: object) =>
  template({
    type: 'body',
    parameters: [{ type: 'currency', currency: { fallback_value: '£1', code: 'GBP', amount_1000: 1000, ...currency } }],
  });
const coupon = (coupon_code: string) => template(button('copy_code', 0, [{ type: 'coupon_code', coupon_code }]));
const reply = (payload: string) => template(button('quick_reply', 0, [{ type: 'payload', payload }]));
const offer = (expiration_time_ms: number) =>
  template({
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
  });
const picture = (kind = 'image') => ({ type: 'header', parameters: [{ type: kind, [kind]: { url: link } }] });
const card = (card_index: number, ...components: object[]) => ({ card_index, components });
const carousel = (cards: object[]) => template({ type: 'carousel', cards });
const cards = (count: number) => carousel(times(count, (at) => card(at, picture())));
const secondCard = (card: object) => carousel([{ card_index: 0, components: [picture()] }, card]);
const inSecondCard = (errors: object) => inComponents({ cards: [{}, errors] });
const oneLine = ['Line breaks, tabs and more than four spaces in a row are not allowed.'];
const twice = ['Given twice.'];

const templateLimits: Limit[] = [
  limit('a body text', filling('body'), { text: x(1024) }, { text: x(1025) }, inParameter({ text: atMost(1024) })),
  limit('a header text', filling('header'), { text: x(60) }, { text: x(61) }, inParameter({ text: atMost(60) })),
  limit('spaces', filling('body'), { text: 'a    b' }, { text: 'a     b' }, inParameter({ text: oneLine })),
  limit(
    'a parameter name',
    filling('body'),
    { parameter_name: 'n' },
    { parameter_name: '' },
    inParameter({ parameter_name: blank }),
  ),
  limit('the parameters', bodyParameters, 100, 101, inComponents({ parameters: mostItems(100) })),
  limit(
    'a currency',
    money,
    { code: 'EUR' },
    { code: 'euro' },
    inParameter({ currency: { code: ['Enter a currency code such as EUR.'] } }),
  ),
  limit(
    'an amount',
    money,
    { amount_1000: 0 },
    { amount_1000: 0.5 },
    inParameter({ currency: { amount_1000: ['A valid integer is required.'] } }),
  ),
  limit('a coupon', coupon, x(20), x(21), inParameter({ coupon_code: atMost(20) })),
  limit(
    'the letters of a coupon',
    coupon,
    'SAVE25',
    'SAVE 25',
    inParameter({ coupon_code: ['Only letters and digits are allowed.'] }),
  ),
  limit('a payload', reply, x(256), x(257), inParameter({ payload: atMost(256) })),
  limit('an offer', offer, 1, 0, inParameter({ limited_time_offer: { expiration_time_ms: notBelow(1) } })),
  limit(
    'the last offer',
    offer,
    253_402_300_799_999,
    253_402_300_800_000,
    inParameter({ limited_time_offer: { expiration_time_ms: notAbove(253_402_300_799_999) } }),
  ),
  limit(
    'the button position',
    (index: number) => template(button('url', index)),
    9,
    10,
    inComponents({ index: notAbove(9) }),
  ),
  limit(
    'a button of each position',
    (index: number) => template(button('url', 0), button('url', index)),
    1,
    0,
    inComponents({}, { index: twice }),
  ),
  limit(
    'one of each part',
    (type: string) => template({ type: 'body' }, { type }),
    'header',
    'body',
    inComponents({}, { type: twice }),
  ),
  limit('the cards', cards, 10, 11, inComponents({ cards: mostItems(10) })),
  limit('the least cards', cards, 2, 1, inComponents({ cards: ['Ensure this field has at least 2 elements.'] })),
  limit(
    'the cards in their places',
    secondCard,
    card(1, picture()),
    card(0, picture()),
    inSecondCard({ card_index: twice }),
  ),
  limit(
    'the place of a card',
    secondCard,
    card(9, picture()),
    card(10, picture()),
    inSecondCard({ card_index: notAbove(9) }),
  ),
  limit(
    'the header of a card',
    secondCard,
    card(1, picture()),
    card(1, { type: 'body' }),
    inSecondCard({ components: ['A card needs a header with an image or a video.'] }),
  ),
  limit(
    'the kind of header',
    secondCard,
    card(1, picture()),
    card(1, picture('document')),
    inSecondCard({ components: [{ parameters: [{ type: notAChoice('document') }] }] }),
  ),
  limit(
    'headers that match',
    secondCard,
    card(1, picture()),
    card(1, picture('video')),
    inSecondCard({ components: ['The card headers must be all images or all videos.'] }),
  ),
  limit(
    'the parts of a card',
    secondCard,
    card(1, picture(), { type: 'body' }),
    card(1, picture(), picture()),
    inSecondCard({ components: [{}, { type: twice }] }),
  ),
];

describe('POST /v2/chatapp/messages/ keeps the limits of the platform', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' });
  });
  after(() => app.close());
  const numbers = { chatapp_number: '+447700900001', to_chatapp_number: '+447700901234' };
  const send = (request: object) => app.call('POST', '/v2/chatapp/messages/', { ...numbers, ...request });

  for (const [title, make, atTheEdge, beyond, errors] of [...limits, ...templateLimits]) {
    it(`201 at the limit of ${title}, 400 beyond`, async () => {
      const good = await send(make(atTheEdge as never));
      assert.equal(good.status, 201, JSON.stringify(good.body));
      const bad = await send(make(beyond as never));
      assert.deepEqual([bad.status, bad.body], [400, errors]);
    });
  }
});
