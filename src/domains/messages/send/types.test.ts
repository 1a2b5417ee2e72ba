import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';

const link = 'https://cdn.example/house.jpg';
const film = 'https://cdn.example/house.mp4';
const body = { text: 'Shall we?' };
const plan = { type: 'document', document: { link: 'https://cdn.example/plan.pdf', filename: 'plan.pdf' } };
const text = (text: string, more = {}) => ({ type: 'text', text, ...more });
const button = (sub_type: string, index: number, parameter: object) => ({
  type: 'button',
  sub_type,
  index,
  parameters: [parameter],
});
const template = (...components: object[]) => ({ type: 'TEMPLATE', template: { template_name: 'sale', components } });
const interactive = (type: string, action: object, more = {}) => ({
  type: 'INTERACTIVE',
  interactive: { type, body, action, ...more },
});
const sections = [
  { title: 'Morning', rows: [{ id: '10', title: '10:00', description: 'with Ana' }] },
  { title: 'Evening', rows: [{ id: '18', title: '18:00', description: '' }] },
];
const tap = (type: string, title: string, { id = '', value = '' }) => ({ type, title, id, value });
const cards = [1, 0].map((card_index) => ({
  card_index,
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { url: link } }] },
    { type: 'body', parameters: [text(`Card ${card_index}`)] },
    button('url', 1, text('a')),
    button('quick_reply', 0, { type: 'payload', payload: 'more' }),
  ],
}));
const shownCard = (index: number) => ({
  header: { type: 'image', image: { url: link } },
  text: `Card ${index}`,
  buttons: [tap('quick_reply', 'Button 1', { value: 'more' }), tap('url', 'Button 2', { value: 'a' })],
});

type Sent = [title: string, request: { type: string; [field: string]: unknown }, view: object];
const medias: [type: string, media: { url: string; caption?: string; filename?: string }][] = [
  ['IMAGE', { url: link, caption: 'The house' }],
  ['VIDEO', { url: film }],
  ['DOCUMENT', { url: link, filename: 'plan.pdf', caption: 'Plan' }],
];

/** Requests of every type and template kind, and what the person sees of each. What is not named is empty. */
const sent: Sent[] = [
  [
    'a text',
    { type: 'TEXT', text: { body: 'Hello https://a.example', preview_url: true } },
    { text: 'Hello https://a.example' },
  ],
  ...medias.map(
    ([type, { caption = '', ...media }]): Sent => [
      `media of type ${type}`,
      { type, media: { ...media, caption } },
      { media, text: caption },
    ],
  ),
  ['a sound', { type: 'AUDIO', media: { url: film } }, { media: { url: film } }],
  ['a sticker', { type: 'STICKER', media: { url: link } }, { media: { url: link } }],
  [
    'a location',
    { type: 'LOCATION', location: { latitude: 51.5, longitude: -0.12, name: 'Office', address: '1 High St' } },
    { location: { latitude: 51.5, longitude: -0.12, name: 'Office', address: '1 High St' }, text: 'Office\n1 High St' },
  ],
  [
    'contact cards',
    { type: 'CONTACTS', contacts: [{ name: { formatted_name: 'Ana' } }, { name: { formatted_name: 'Ben' } }] },
    { contacts: [{ name: { formatted_name: 'Ana' } }, { name: { formatted_name: 'Ben' } }], text: 'Ana, Ben' },
  ],
  [
    'a quick reply',
    interactive(
      'button',
      {
        buttons: [
          { type: 'reply', title: 'Yes', id: 'y' },
          { type: 'reply', reply: { title: 'No', id: 'n' } },
        ],
      },
      { header: plan, footer: { text: 'Best Homes' } },
    ),
    {
      header: plan,
      text: 'Shall we?',
      footer: 'Best Homes',
      buttons: [tap('reply', 'Yes', { id: 'y' }), tap('reply', 'No', { id: 'n' })],
    },
  ],
  [
    'a list',
    interactive('list', { button: 'Choose', sections }, { header: text('Times') }),
    { header: text('Times'), text: 'Shall we?', list: { title: 'Choose', sections } },
  ],
  [
    'a call to action',
    interactive('cta_url', { name: 'cta_url', parameters: { display_text: 'Open', url: link } }, { header: plan }),
    { header: plan, text: 'Shall we?', buttons: [tap('url', 'Open', { value: link })] },
  ],
  [
    'a flow by id',
    interactive(
      'flow',
      {
        name: 'flow',
        parameters: {
          flow_id: '987',
          flow_cta: 'Start',
          flow_message_version: '3',
          mode: 'draft',
          flow_token: 'token',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'FIRST', data: { name: 'Ana' } },
        },
      },
      { header: text('Survey') },
    ),
    { header: text('Survey'), text: 'Shall we?', buttons: [tap('flow', 'Start', { value: '987' })] },
  ],
  [
    'a flow by name',
    interactive('flow', { parameters: { flow_name: 'survey', flow_cta: 'Start', flow_action: 'data_exchange' } }),
    { text: 'Shall we?', buttons: [tap('flow', 'Start', { value: 'survey' })] },
  ],
  [
    'a location request',
    interactive('location_request_message', { name: 'send_location' }),
    { text: 'Shall we?', buttons: [tap('send_location', 'Send location', {})] },
  ],
  ['a plain template', template(), { text: 'sale' }],
  [
    'a template with a body and a url button',
    template({ type: 'body', parameters: [text('Ana'), text('10:30')] }, button('url', 0, text('a-17'))),
    { text: 'sale\nAna\n10:30', buttons: [tap('url', 'Button 1', { value: 'a-17' })] },
  ],
  [
    'a template with named parameters',
    template(
      { type: 'header', parameters: [text('Ana', { parameter_name: 'name' })] },
      { type: 'body', parameters: [text('x', { parameter_name: 'ref' })] },
    ),
    { header: text('Ana', { parameter_name: 'name' }), text: 'sale\nx' },
  ],
  [
    'amounts and dates',
    template({
      type: 'body',
      parameters: [
        { type: 'currency', currency: { fallback_value: '£12.50', code: 'GBP', amount_1000: 12_500 } },
        { type: 'date_time', date_time: { fallback_value: '15 November' } },
      ],
    }),
    { text: 'sale\n£12.50\n15 November' },
  ],
  ...[
    { type: 'image', image: { url: link } },
    { type: 'video', video: { url: film } },
    { type: 'document', document: { url: 'https://cdn.example/plan.pdf', filename: 'plan.pdf' } },
    { type: 'location', location: { latitude: 1, longitude: 2, name: 'Office', address: '1 High St' } },
  ].map(
    (header): Sent => [
      `a template without a body, under a header ${header.type}`,
      template({ type: 'header', parameters: [header] }),
      { header, text: 'sale' },
    ],
  ),
  [
    'a quick reply with a payload, and a flow',
    template(
      button('flow', 1, { type: 'action', action: { flow_token: 't', flow_action_data: { name: 'Ana' } } }),
      button('quick_reply', 0, { type: 'payload', payload: 'ok:17' }),
    ),
    { text: 'sale', buttons: [tap('quick_reply', 'Button 1', { value: 'ok:17' }), tap('flow', 'Button 2', {})] },
  ],
  [
    'a coupon',
    template(button('copy_code', 0, { type: 'coupon_code', coupon_code: 'SAVE25' })),
    { text: 'sale', buttons: [tap('copy_code', 'Button 1', { value: 'SAVE25' })] },
  ],
  [
    'a limited-time offer',
    template(
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_790_000_000_000 } }],
      },
      button('copy_code', 0, { type: 'coupon_code', coupon_code: 'SAVE25' }),
      button('url', 1, text('a')),
    ),
    {
      text: 'sale',
      offer_ends: '2026-09-21T14:13:20.000000Z',
      buttons: [tap('copy_code', 'Button 1', { value: 'SAVE25' }), tap('url', 'Button 2', { value: 'a' })],
    },
  ],
  [
    'a carousel',
    template({ type: 'body', parameters: [text('Ana')] }, { type: 'carousel', cards }),
    { text: 'sale\nAna', cards: [shownCard(0), shownCard(1)] },
  ],
  [
    'a one-time password',
    template({ type: 'body', parameters: [text('123456')] }, button('url', 0, text('123456'))),
    { text: 'sale\n123456', buttons: [tap('url', 'Button 1', { value: '123456' })] },
  ],
];

describe('Every type of message and kind of template', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const numbers = { chatapp_number: '+447700900001', to_chatapp_number: '+447700901234' };
  const send = (request: object) => app.call('POST', '/v2/chatapp/messages/', { ...numbers, ...request });
  const uuids = new Map<string, string>();

  for (const [title, request] of sent) {
    it(`201 for ${title}, echoed as sent`, async () => {
      const answer = await send(request);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      assert.equal(answer.headers['parley-ignored-fields'], undefined);
      const { type, ...content } = request;
      const echo = type === 'TEMPLATE' ? { language_code: 'en_GB', ...(content['template'] as object) } : content;
      assert.deepEqual([answer.body.type, answer.body.message_data], [type, echo]);
      uuids.set(title, answer.body.uuid);
    });
  }

  it('201 for a reaction and for taking it back, shown on the phone with the message they are about', async () => {
    const message_uuid = uuids.get('a text')!;
    for (const emoji of ['👍🏽', '']) {
      const answer = await send({ type: 'REACTION', reaction: { message_uuid, emoji } });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      assert.deepEqual(answer.body.message_data, { reaction: { message_uuid, emoji } });
      uuids.set(`reaction ${emoji}`, answer.body.uuid);
    }
  });

  it('the phone shows each as the person sees it', async () => {
    const shown = await whatThePhoneShows(uuids.size);
    const reaction = (emoji: string): Sent => [
      `reaction ${emoji}`,
      { type: 'REACTION' },
      { reaction: { message_uuid: uuids.get('a text'), emoji }, text: emoji },
    ];
    for (const [title, { type }, view] of [...sent, reaction('👍🏽'), reaction('')]) {
      const { created, status, status_description, context, reactions, flow, ...rest } = shown.get(uuids.get(title)!)!;
      assert.ok(created);
      assert.deepEqual(rest, {
        uuid: uuids.get(title),
        direction: 'OUTBOUND',
        chatapp_number: numbers.chatapp_number,
        type,
        ...{ header: null, text: '', footer: '', buttons: [], list: null, media: null, location: null, contacts: [] },
        ...{ reaction: null, offer_ends: null, cards: [] },
        ...view,
      });
    }
  });

  async function whatThePhoneShows(count: number): Promise<Map<string, Record<string, unknown>>> {
    const url = `/v2/sandbox/phones/${numbers.to_chatapp_number}/?page_size=200`;
    const results = await until(
      async (): Promise<{ uuid: string }[]> => (await app.call('GET', url)).body.results,
      ({ length }) => length >= count,
    );
    return new Map(results.map((shown) => [shown.uuid, shown]));
  }

  it('buttons and rows that come without an id get one each', async () => {
    const buttons = [
      { type: 'reply', title: 'Yes' },
      { type: 'reply', reply: { title: 'No' } },
    ];
    const quick = await send(interactive('button', { buttons }));
    const [yes, no] = quick.body.message_data.interactive.action.buttons;
    assert.deepEqual([yes.title, no.reply.title], ['Yes', 'No']);
    const rows = [{ title: 'One' }, { title: 'Two', id: 'two' }];
    const list = await send(interactive('list', { button: 'Open', sections: [{ rows }] }));
    const [one, two] = list.body.message_data.interactive.action.sections[0].rows;
    assert.deepEqual([one.title, two], ['One', { title: 'Two', id: 'two' }]);
    for (const id of [yes.id, no.reply.id, one.id]) assert.match(id, /^[2-9b-z]{10}$/);
    assert.notEqual(yes.id, no.reply.id);
  });
});
