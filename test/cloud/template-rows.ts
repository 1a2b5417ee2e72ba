import type { Row } from './message-rows.ts';

const language = 'es_ES';
const link = 'https://cdn.example/house';
const endsMs = Date.now() + 86_400_000;

/** Parts of approved templates. */
const plainBody = { type: 'BODY', text: 'Welcome to us' };
const bodyWith = (text: string) => ({ type: 'BODY', text });
const buttonsWith = (...buttons: { type: string; [field: string]: unknown }[]) => ({ type: 'BUTTONS', buttons });
const urlButton = { type: 'URL', text: 'See', url: 'https://x.example/{{1}}' };
const headerOf = (format: string, more = {}) => ({ type: 'HEADER', format, ...more });

/** Parts of messages. */
const text = (text: string, more = {}) => ({ type: 'text', text, ...more });
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const header = (parameter: object) => ({ type: 'header', parameters: [parameter] });
const button = (sub_type: string, index: number, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});

interface Kind {
  approved: Omit<NonNullable<Row['approved']>, 'name' | 'language'>;
  components?: object[];
  /** Where that is more than the numbers of buttons as texts. */
  sent?: object[];
}

const ofMedia = (kind: string, more = {}): Kind => ({
  approved: { components: [headerOf(kind.toUpperCase()), plainBody] },
  components: [header({ type: kind, [kind]: { url: link, ...more } })],
  sent: [header({ type: kind, [kind]: { link, ...more } })],
});

const card = (card_index: number, image: object) => ({
  card_index,
  components: [
    header({ type: 'image', image }),
    body(text(`Flat ${card_index}`)),
    button('quick_reply', 0, { type: 'payload', payload: `more:${card_index}` }),
    button('url', 1, text(`flat-${card_index}`)),
  ],
});
const approvedCard = {
  components: [
    headerOf('IMAGE'),
    bodyWith('Card {{1}} here'),
    buttonsWith({ type: 'QUICK_REPLY', text: 'More' }, urlButton),
  ],
};
const coupon = { type: 'coupon_code', coupon_code: 'SALE20' };
const office = { latitude: 40.4, longitude: -3.7, name: 'Office', address: 'Gran Vía 1' };
const flowAction = { type: 'action', action: { flow_token: 'token-17', flow_action_data: { name: 'Ana' } } };

const kinds: Record<string, Kind> = {
  plain: { approved: { components: [plainBody] } },
  'no body parameters, and components that say so': {
    approved: { components: [plainBody] },
    components: [{ type: 'body' }, { type: 'header', parameters: [] }],
    sent: [],
  },
  'body with url button': {
    approved: { components: [bodyWith('Hi {{1}}, {{2}} is here'), buttonsWith(urlButton)] },
    components: [body(text('Ana'), text('A-17')), button('url', 0, text('a-17'))],
  },
  'named parameters': {
    approved: { components: [bodyWith('Hi {{first}}, {{ref}} is here')], parameterFormat: 'NAMED' },
    components: [body(text('A-17', { parameter_name: 'ref' }), text('Ana', { parameter_name: 'first' }))],
  },
  'money and dates': {
    approved: { components: [bodyWith('It costs {{1}} until {{2}} only')] },
    components: [
      body(
        { type: 'currency', currency: { fallback_value: '10 €', code: 'EUR', amount_1000: 10_000 } },
        { type: 'date_time', date_time: { fallback_value: 'Monday' } },
      ),
    ],
  },
  'header text': {
    approved: { components: [headerOf('TEXT', { text: 'For {{1}}' }), plainBody] },
    components: [header(text('Ana'))],
  },
  'header image': ofMedia('image'),
  'header video': ofMedia('video'),
  'header document': ofMedia('document', { filename: 'plan.pdf' }),
  'header location': {
    approved: { components: [headerOf('LOCATION'), plainBody] },
    components: [header({ type: 'location', location: office })],
  },
  'quick reply with payload': {
    approved: {
      components: [plainBody, buttonsWith({ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'QUICK_REPLY', text: 'No' })],
    },
    components: [button('quick_reply', 1, { type: 'payload', payload: 'no:17' })],
  },
  flow: {
    approved: { components: [plainBody, buttonsWith({ type: 'FLOW', text: 'Start', flow_id: '1' })] },
    components: [button('flow', 0, flowAction)],
  },
  'coupon to copy': {
    approved: { components: [plainBody, buttonsWith({ type: 'COPY_CODE', example: 'ABC' })], category: 'MARKETING' },
    components: [button('copy_code', 0, coupon)],
  },
  'limited-time offer': {
    approved: {
      components: [
        plainBody,
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Offer', has_expiration: true } },
        buttonsWith({ type: 'COPY_CODE', example: 'ABC' }, urlButton),
      ],
      category: 'MARKETING',
    },
    components: [
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: endsMs } }],
      },
      button('copy_code', 0, coupon),
      button('url', 1, text('a-17')),
    ],
  },
  carousel: {
    approved: {
      components: [bodyWith('Hi {{1}} there'), { type: 'CAROUSEL', cards: [approvedCard, approvedCard] }],
      category: 'MARKETING',
    },
    components: [body(text('Ana')), { type: 'carousel', cards: [0, 1].map((at) => card(at, { url: link })) }],
    sent: [body(text('Ana')), { type: 'carousel', cards: [0, 1].map((at) => card(at, { link })) }],
  },
  'one-time password': {
    approved: {
      components: [
        bodyWith('*{{1}}* is your verification code.'),
        buttonsWith({ type: 'URL', text: 'Copy', url: 'https://x.example/?code=otp{{1}}' }),
      ],
      category: 'AUTHENTICATION',
    },
    components: [body(text('123456')), button('url', 0, text('123456'))],
  },
};

/** The platform takes the number of a button as a text. */
const asSent = (components: object[]): object[] =>
  JSON.parse(JSON.stringify(components), (key, value) => (key === 'index' ? String(value) : value));

/** Every kind of template. The language is left out: each is approved in one. */
export const templateRows: Row[] = Object.entries(kinds).map(
  ([title, { approved, components = [], sent = components }], at) => {
    const name = `kind_${at}`;
    const filled = sent.length > 0 && { components: asSent(sent) };
    return {
      title: `template, ${title}`,
      approved: { name, language, ...approved },
      request: () => ({ type: 'TEMPLATE', template: { template_name: name, components } }),
      payload: () => ({ type: 'template', template: { name, language: { code: language }, ...filled } }),
    };
  },
);
