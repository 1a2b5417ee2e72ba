import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Stage, startStage } from '../testing.ts';

let stage: Stage;
before(async () => {
  stage = await startStage({ settings: { pairEveryMs: null } });
  const { simulator } = stage;
  const body = (text: string) => ({ type: 'BODY', text });
  const add = (name: string, components: object[], more = {}) =>
    simulator.addTemplate({ name, components: components as never, ...more });
  add('plain', [body('Welcome to us')]);
  add('three', [body('Hi {{1}}, your {{2}} of {{3}} is here')]);
  add('named', [body('Hi {{first}}, order {{ref}} is here')], { parameterFormat: 'NAMED' });
  add('picture', [{ type: 'HEADER', format: 'IMAGE' }, body('Look')]);
  add('buttons', [
    body('Choose'),
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'See', url: 'https://x.example/{{1}}' },
        { type: 'COPY_CODE', example: 'ABC' },
        { type: 'FLOW', text: 'Start', flow_id: '1' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+34900111222' },
      ],
    },
  ]);
  const card = { components: [{ type: 'HEADER', format: 'IMAGE' }, body('Card {{1}} here')] };
  add('cards', [body('Choose'), { type: 'CAROUSEL', cards: [card, card] }]);
  add('offer', [body('Buy'), { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'o', has_expiration: true } }]);
  const otp = { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: 'https://x.example/?code=otp{{1}}' }] };
  add('code', [body('*{{1}}* is your verification code.'), otp], { category: 'AUTHENTICATION' });
  add('news', [body('Sale')], { category: 'MARKETING' });
  add('paused', [body('x')], { status: 'PAUSED' });
  add('disabled', [body('x')], { status: 'DISABLED' });
  add('pending', [body('x')], { status: 'PENDING' });
});
after(() => stage.close());

const text = (value: string, parameter_name?: string) => ({ type: 'text', text: value, parameter_name });
const filled = (...parameters: object[]) => ({ type: 'body', parameters });
const header = (parameter: object) => ({ type: 'header', parameters: [parameter] });
const press = (sub_type: string, index: number | string, ...parameters: object[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
});
const image = { type: 'image', image: { link: 'https://x.example/a.jpg' } };
const send = (name: string, components?: object[], more = {}) =>
  stage.send({ type: 'template', template: { name, language: { code: 'en_US' }, components }, ...more });
const url = press('url', '1', text('a-17'));
const coupon = press('copy_code', 2, { type: 'coupon_code', coupon_code: 'ABC1' });
const card = (card_index: number) => ({ card_index, components: [header(image), filled(text('a'))] });
const until = (expiration_time_ms: number) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
});
const code = (inBody: string, inButton = inBody) => [filled(text(inBody)), press('url', '0', text(inButton))];

const accepted: Record<string, () => ReturnType<typeof send>> = {
  'without variables and components': () => send('plain'),
  'with its three values': () => send('three', [filled(text('Ana'), text('box'), text('tea'))]),
  'with named values in any order': () => send('named', [filled(text('A', 'ref'), text('Ana', 'first'))]),
  'with a picture': () => send('picture', [header(image)]),
  'with the buttons that need something': () => send('buttons', [url, coupon]),
  'with a payload and a flow token': () =>
    send('buttons', [
      press('quick_reply', '0', { type: 'payload', payload: 'ok' }),
      press('flow', '3', { type: 'action', action: { flow_token: 't' } }),
      url,
      coupon,
    ]),
  'with all its cards': () => send('cards', [{ type: 'carousel', cards: [card(0), card(1)] }]),
  'with an offer that has not ended': () => send('offer', [until(Date.now() + 60_000)]),
  'with a code in both places': () => send('code', code('123456')),
};

const refused: Record<string, [code: number, () => ReturnType<typeof send>, details?: RegExp]> = {
  'an unknown name': [132001, () => send('nobody'), /does not exist in en_US/],
  'another language': [
    132001,
    () => stage.send({ type: 'template', template: { name: 'plain', language: { code: 'en' } } }),
  ],
  'one under review': [132001, () => send('pending')],
  'a paused one': [132015, () => send('paused')],
  'a disabled one': [132016, () => send('disabled')],
  'a value too few': [
    132000,
    () => send('three', [filled(text('a'))]),
    /^body: number of localizable_params \(1\) does not match the expected number of params \(3\)$/,
  ],
  'a value for a text without variables': [132000, () => send('plain', [filled(text('a'))])],
  'a name that is not there': [132012, () => send('named', [filled(text('a', 'first'), text('b', 'other'))])],
  'a name twice': [132012, () => send('named', [filled(text('a', 'first'), text('b', 'first'))])],
  'no picture': [132012, () => send('picture'), /expected IMAGE, received UNKNOWN/],
  'a video for a picture': [
    132012,
    () => send('picture', [header({ type: 'video', video: { link: 'https://x.example' } })]),
    /expected IMAGE, received VIDEO/,
  ],
  'an empty value': [131008, () => send('three', [filled(text(''), text('b'), text('c'))])],
  'a line break in a value': [132018, () => send('three', [filled(text('a\nb'), text('b'), text('c'))])],
  'a text that grows beyond 1024': [
    132005,
    () => send('three', [filled(text('x'.repeat(1024)), text('b'), text('c'))]),
  ],
  'a link without its end': [131008, () => send('buttons', [coupon]), /index 1 of type Url requires a parameter/],
  'a button that is not there': [132012, () => send('buttons', [url, coupon, press('url', 7, text('a'))])],
  'a button of another kind': [132012, () => send('buttons', [press('url', 0, text('a')), url, coupon])],
  'a coupon with a space': [
    132018,
    () => send('buttons', [url, press('copy_code', 2, { type: 'coupon_code', coupon_code: 'A B' })]),
  ],
  'a card too few': [132000, () => send('cards', [{ type: 'carousel', cards: [card(0)] }])],
  'the same card twice': [132012, () => send('cards', [{ type: 'carousel', cards: [card(0), card(0)] }])],
  'an offer that has ended': [132018, () => send('offer', [until(1000)])],
  'a code that differs': [132012, () => send('code', code('1', '2'))],
  'a code of 16': [132018, () => send('code', code('1'.repeat(16)))],
  'a code to a user id': [
    131062,
    () => send('code', code('1'), { to: undefined, recipient: stage.simulator.person('+34600111222').person.userId }),
  ],
};

describe('A template is sent', () => {
  for (const [title, run] of Object.entries(accepted)) {
    it(title, async () => {
      const { status, body } = await run();
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.messages[0].message_status, 'accepted');
    });
  }
});

describe('A template is refused', () => {
  for (const [title, [code, run, details = /./]] of Object.entries(refused)) {
    it(`with ${code}: ${title}`, async () => {
      const { body } = await run();
      assert.equal(body.error?.code, code, JSON.stringify(body));
      assert.match(body.error.error_data.details, details);
    });
  }

  it('an unknown template is a 404', async () => assert.equal((await send('nobody')).status, 404));
});

it('a marketing template to somebody who stopped marketing is accepted, then fails with 131050', async () => {
  const person = stage.simulator.person('+34600111333');
  person.stopsMarketing();
  const { body } = await send('news', undefined, { to: '+34600111333' });
  const status = (await stage.statuses()).find(({ id }) => id === body.messages[0].id);
  assert.equal(status?.errors?.[0]?.code, 131050);
  person.resumesMarketing();
  const again = await send('news', undefined, { to: '+34600111333' });
  const after = (await stage.statuses()).filter(({ id }) => id === again.body.messages[0].id);
  assert.deepEqual(
    after.map(({ status }) => status),
    ['sent', 'delivered', 'read'],
  );
});
