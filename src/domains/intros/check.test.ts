import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';

const required = ['This field is required.'];
const body = { text: 'Choose' };
const row = { title: 'A row' };
const list = (sections: object[]) => ({ type: 'list', body, action: { button: 'Open', sections } });
const alt = (chatapp_components: object) => ({ reply_alt: { type: 'INTERACTIVE', chatapp_components } });
const inAlt = (errors: object) => ({ reply_alt: { chatapp_components: errors } });
const buttons = (...buttons: object[]) => alt({ body, action: { buttons } });

/** Requests that are refused, and what the answer says: each mistake is named where it is. */
const refused: [title: string, request: object, errors: object][] = [
  ['a missing number', { chatapp_number: undefined }, { chatapp_number: required }],
  ['no phone number', { chatapp_number: 'me' }, { chatapp_number: ['Enter a valid phone number.'] }],
  ['null for a text', { reply_message_template: null }, { reply_message_template: ['This field may not be null.'] }],
  ['an unknown reply type', { reply_type: 'FAX' }, { reply_type: ['"FAX" is not a valid choice.'] }],
  ['an unknown notify type', { notify_type: 'EMAIL' }, { notify_type: ['"EMAIL" is not a valid choice.'] }],
  ['a delay that is no number', { notify_delay: 'soon' }, { notify_delay: ['A valid integer is required.'] }],
  [
    'a delay beyond a day',
    { notify_delay: 86_401 },
    { notify_delay: ['Ensure this value is less than or equal to 86400.'] },
  ],
  ['a bad link', { reply_message_file_url: 'x' }, { reply_message_file_url: ['Enter a valid URL.'] }],
  ['a bad B-party number', { intro_bparty_number: '12' }, { intro_bparty_number: ['Enter a valid phone number.'] }],
  ['a blank reference', { reference_id: '' }, { reference_id: ['This field may not be blank.'] }],
  [
    'variables that are not texts',
    { extra_variable_data: { Price: true, Town: 'Bath' } },
    { extra_variable_data: { Price: ['Not a valid string.'] } },
  ],
  [
    'a notification to nobody',
    { notify_type: 'CHATAPP' },
    { notify_to_phone_number: required, notify_chatapp_template_name: required },
  ],
  [
    'a template component of no kind',
    { notify_chatapp_template_components: [{ type: 'body' }, { type: 'foot' }] },
    { notify_chatapp_template_components: [{}, { type: ['"foot" is not a valid choice.'] }] },
  ],
  ['an alternative of no type', { reply_alt: { filter: {} } }, { reply_alt: { type: required } }],
  [
    'an alternative that is no object',
    { reply_alt: 'yes' },
    { reply_alt: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] } },
  ],
  ['an alternative without components', { reply_alt: { type: 'INTERACTIVE' } }, inAlt(required)],
  [
    'components under both names',
    { reply_alt: { type: 'CTA', chatapp_components: cta(), whatsapp_components: cta() } },
    { reply_alt: { non_field_errors: ['Give chatapp_components or whatsapp_components, not both.'] } },
  ],
  [
    'a bound that is no number',
    { reply_alt: { type: 'CTA', chatapp_components: cta(), filter: { Price: { gte: 'much', lte: '5' } } } },
    { reply_alt: { filter: { Price: { gte: ['Enter a number as text, such as "250000".'] } } } },
  ],
  [
    'a long button title',
    buttons({ type: 'reply', title: 'Yes' }, { type: 'reply', title: 'x'.repeat(21) }),
    inAlt({ action: { buttons: [{}, { title: ['Ensure this field has no more than 20 characters.'] }] } }),
  ],
  ['a button without a title', buttons({ type: 'reply' }), inAlt({ action: { buttons: [{ title: required }] } })],
  [
    "a platform's button without a title",
    buttons({ type: 'reply', reply: { id: 'a' } }),
    inAlt({ action: { buttons: [{ reply: { title: required } }] } }),
  ],
  [
    'four buttons',
    buttons(...['a', 'b', 'c', 'd'].map((title) => ({ type: 'reply', title }))),
    inAlt({ action: { buttons: ['Ensure this field has no more than 3 elements.'] } }),
  ],
  ['components with nothing in them', alt({}), inAlt({ body: required, action: required })],
  [
    'a list row without a title',
    alt(list([{ rows: [row, {}] }])),
    inAlt({ action: { sections: [{ rows: [{}, { title: required }] }] } }),
  ],
  [
    'several sections without titles',
    alt(list([{ title: 'One', rows: [row] }, { rows: [row] }])),
    inAlt({ action: { sections: [{}, { title: required }] } }),
  ],
  [
    'more than ten rows in all',
    alt(list(['One', 'Two'].map((title) => ({ title, rows: Array(6).fill(row) })))),
    inAlt({ action: { sections: ['Ensure the sections have no more than 10 rows in total.'] } }),
  ],
  [
    'a call to action without a link',
    alt({ body, action: { name: 'cta_url', parameters: { display_text: 'Open' } } }),
    inAlt({ action: { parameters: { url: required } } }),
  ],
  [
    'a flow that is not named',
    alt({ type: 'flow', body, action: { parameters: { flow_cta: 'Start' } } }),
    inAlt({ action: { parameters: { flow_id: required } } }),
  ],
  [
    'a flow named twice',
    alt({ type: 'flow', body, action: { parameters: { flow_cta: 'Start', flow_id: '1', flow_name: 'a' } } }),
    inAlt({ action: { parameters: { flow_id: ['Give flow_id or flow_name, not both.'] } } }),
  ],
  [
    'reply data of another kind than the reply type',
    { reply_type: 'QUICK_REPLY', reply_data: cta() },
    { reply_data: { type: ['"cta_url" is not a valid choice.'], action: { buttons: required } } },
  ],
];

function cta() {
  return { type: 'cta_url', body, action: { parameters: { display_text: 'Open', url: '{{intro_chat_link_aparty}}' } } };
}

const accepted: [title: string, request: object][] = [
  [
    'bounds that are open or spaced',
    { reply_alt: { type: 'CTA', chatapp_components: cta(), filter: { a: {}, b: { gte: '1 250 000.50' } } } },
  ],
  ["the platform's own buttons", buttons({ type: 'reply', reply: { id: 'y', title: 'Yes' } })],
  [
    'a media header',
    alt({
      header: { type: 'image', image: { link: 'https://example.com/a.jpg' } },
      body,
      action: { buttons: [{ type: 'reply', title: 'Yes' }] },
    }),
  ],
  ['a list', { reply_type: 'LIST', reply_data: list([{ rows: [row] }]) }],
  ['a call to action', { reply_type: 'CTA', reply_data: cta() }],
  [
    'a flow by name',
    {
      reply_type: 'FLOW',
      reply_data: {
        body,
        action: { name: 'flow', parameters: { flow_cta: 'Start', flow_name: 'survey', flow_token: '' } },
      },
    },
  ],
  [
    'a location request',
    {
      reply_type: 'INTERACTIVE',
      reply_data: { type: 'location_request_message', body, action: { name: 'send_location' } },
    },
  ],
  ['an image', { reply_type: 'IMAGE', reply_message_file_url: 'https://example.com/a.jpg' }],
  ['free-form data of a text reply', { reply_type: 'TEXT', reply_data: { any: 'thing' } }],
];

describe('POST /v2/chatapp/chat-intros/ checks its input', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());
  const post = (request: object) =>
    app.call('POST', '/v2/chatapp/chat-intros/', { chatapp_number: '442079460011', ...request });

  for (const [title, request, errors] of refused) {
    it(`400 for ${title}`, async () => {
      const answer = await post(request);
      assert.deepEqual(answer.body, errors);
      assert.equal(answer.status, 400);
    });
  }

  for (const [title, request] of accepted) {
    it(`takes ${title}, and returns it as it came`, async () => {
      const { status, body } = await post(request);
      assert.equal(status, 201, JSON.stringify(body));
      const { reply_alt = {}, ...same } = request as { reply_alt?: object };
      assert.deepEqual(body.reply_alt_data, reply_alt);
      assert.partialDeepStrictEqual(body, same);
    });
  }

  it('names what it does not know inside reply_alt, whatever kind of components is meant', async () => {
    for (const [type, components, unknown] of [
      [
        'QUICK_REPLY',
        {
          body: { text: 'a', txet: 1 },
          action: { buttons: [{ type: 'reply', reply: { id: '1', title: 'a', x: 1 } }] },
        },
        ['body.txet', 'action.buttons.0.reply.x'],
      ],
      [
        'INTERACTIVE',
        {
          boddy: 1,
          body: { text: 'a' },
          action: { button: 'b', sections: [{ rows: [{ id: '1', title: 'a', x: 1 }] }] },
        },
        ['boddy', 'action.sections.0.rows.0.x'],
      ],
      [
        'CTA',
        {
          body: { text: 'a' },
          action: { name: 'cta_url', parameters: { display_text: 'b', url: 'https://example.com', x: 1 } },
        },
        ['action.parameters.x'],
      ],
    ] as const) {
      const answer = await post({ reply_alt: { type, chatapp_components: components } });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const names = String(answer.headers['parley-ignored-fields']).split(', ');
      assert.deepEqual(
        names,
        unknown.map((name) => `reply_alt.chatapp_components.${name}`),
        type,
      );
    }
  });

  it('names fields it does not know and keeps the rest', async () => {
    const answer = await post({ replytype: 'TEXT' });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['parley-ignored-fields'], 'replytype');
  });
});
