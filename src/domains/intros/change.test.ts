import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { makeCarriers } from '../../carriers/ports/carriers.ts';
import { ValidationError } from '../../platform/errors.ts';
import { findLinkAnyAccount } from '../links/index.ts';
import { eventsOf } from '../timeline/index.ts';
import { createIntro } from './change.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const url = '/v2/chatapp/chat-intros/';
const chatapp_number = '+44 20 7946 0011';

const flowComponents = [
  { type: 'header', parameters: [{ type: 'image', image: { url: 'https://example.com/house.jpg' } }] },
  {
    type: 'body',
    parameters: [
      { type: 'text', text: '{{AgentName}}' },
      { type: 'text', text: '{{ PropertyName }}' },
    ],
  },
  { type: 'button', sub_type: 'flow', index: 0, parameters: [{ type: 'action', action: { flow_token: '' } }] },
];
const linkComponents = [
  { type: 'header', parameters: [{ type: 'image', image: { url: 'https://example.com/house.jpg' } }] },
  {
    type: 'body',
    parameters: [
      { type: 'text', text: '{{APartyDataContactName}}' },
      { type: 'text', text: '{{finance}}' },
    ],
  },
  { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '{{intro_chat_shortcode}}' }] },
];
const quickReply = {
  filter: { PropertyPrice: { gte: '0', lte: '1500000' } },
  type: 'INTERACTIVE',
  whatsapp_components: {
    action: {
      buttons: [
        { title: 'Call me', type: 'reply' },
        { title: 'Text me', type: 'reply', id: 'text' },
      ],
    },
    body: { text: 'How shall {{AgentName}} reach you?' },
  },
};
const defaults = {
  reference_id: null,
  expected_message_template: '',
  reply_message_template: '',
  reply_message_file_url: null,
  reply_type: 'TEXT',
  reply_data: {},
  reply_alt_data: {},
  intro_message_template: '',
  notify_type: null,
  notify_data: {},
  aparty_notify_data: {},
  aparty_intro_data: {},
  bparty_expiry_link: false,
  extra_variable_data: {},
  meta_data: {},
};

describe('POST /v2/chatapp/chat-intros/', () => {
  /** Creates an intro and answers what the caller did not decide, after comparing the rest. */
  async function creates(request: object, expected: object): Promise<{ uuid: string; shortcode: string }> {
    const { status, body } = await app.call('POST', url, { chatapp_number, ...request });
    assert.equal(status, 201, JSON.stringify(body));
    const { uuid, chat_link, chat_url, created, modified, ...rest } = body;
    assert.deepEqual(rest, { chatapp_number, ...defaults, ...expected });
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.match(chat_link, /^\.\.\/l\/[2-9b-z]{10}$/);
    assert.equal(chat_url, `http://localhost:80/${chat_link.slice(3)}`);
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(modified, created);
    return { uuid, shortcode: chat_link.slice(5) };
  }

  it('needs nothing but the number; the rest has its default', async () => {
    const { uuid, shortcode } = await creates({}, {});
    const link = await findLinkAnyAccount(app.deps.db, shortcode);
    assert.equal(link?.chat_intro, uuid);
    assert.equal(link.account_id, app.accountId);
    const events = await eventsOf(app.deps.db, app.accountId, uuid).execute();
    assert.deepEqual(
      events.map((event) => event.kind),
      ['chat_intro.created'],
    );
  });

  it('stores a text reply', async () => {
    const request = {
      reference_id: 'REF-1',
      expected_message_template: 'Hello, about {{reference_id}}',
      reply_message_template: 'Thank you, {{AgentName}} will call.',
      intro_message_template: 'Hello from {{ AgentName }}',
      reply_type: 'TEXT',
      notify_type: null,
      extra_variable_data: { AgentName: 'Ada' },
      meta_data: { crm: { id: 7 } },
    };
    await creates(request, request);
  });

  it('stores an alternative quick reply and returns its components under the name they came with', async () => {
    await creates({ reply_alt: quickReply, notify_type: null }, { reply_alt_data: quickReply });
    const { whatsapp_components, ...rest } = quickReply;
    const neutral = { ...rest, chatapp_components: whatsapp_components };
    await creates(
      { reply_alt: neutral, reply_type: 'INTERACTIVE' },
      { reply_alt_data: neutral, reply_type: 'INTERACTIVE' },
    );
    await creates({ reply_alt: {} }, { reply_alt_data: {} });
  });

  it('regroups a notification with call confirmation and flow answers; notify_delay is not shown', async () => {
    const extra_variable_data = { AgentName: 'Ada', timeframe: '', finance: '', buyer_type: '' };
    await creates(
      {
        notify_type: 'CHATAPP',
        notify_to_phone_number: '+44 7700 900123',
        notify_chatapp_template_name: 'call_confirmation',
        notify_chatapp_template_components: linkComponents,
        notify_delay: 30,
        aparty_notify_chatapp_template_name: 'buyer_questions',
        aparty_notify_chatapp_template_components: flowComponents,
        extra_variable_data,
      },
      {
        notify_type: 'CHATAPP',
        notify_data: {
          to_phone_number: '+44 7700 900123',
          chatapp_template_name: 'call_confirmation',
          chatapp_template_params: [],
          chatapp_template_components: linkComponents,
        },
        aparty_notify_data: {
          chatapp_template_name: 'buyer_questions',
          chatapp_template_components: flowComponents,
        },
        extra_variable_data,
      },
    );
  });

  it('regroups an A-party template, with and without direct connect', async () => {
    const request = {
      aparty_notify_chatapp_template_name: 'meet_your_agent',
      aparty_notify_chatapp_template_components: linkComponents,
    };
    const aparty_notify_data = {
      chatapp_template_name: 'meet_your_agent',
      chatapp_template_components: linkComponents,
    };
    await creates(request, { aparty_notify_data });
    const aparty_intro_data = { intro_bparty_number: '447700900123', intro_message_aparty: 'Hello {{AgentName}}' };
    await creates({ ...request, ...aparty_intro_data }, { aparty_notify_data, aparty_intro_data });
    await creates({ ...request, intro_bparty_number: '', notify_to_phone_number: '' }, { aparty_notify_data });
  });

  it('is served by the second entry too', async () => {
    const { status, body } = await app.call('POST', '/v2/chatapp/chat-intro/', { chatapp_number });
    assert.equal(status, 201);
    assert.equal((await app.call('GET', `${url}${body.uuid}/`)).status, 200);
  });

  it('makes one intro for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await app.call('POST', url, { chatapp_number }, { headers });
    const again = await app.call('POST', url, { chatapp_number }, { headers });
    assert.equal(again.status, 201);
    assert.equal(again.body.uuid, first.body.uuid);
  });

  it('400 for a number nobody registered, where no carrier takes unknown ones into use', async () => {
    const deps = { ...app.deps, carriers: makeCarriers([]) };
    await assert.rejects(createIntro(deps, app.accountId, { chatapp_number: '442079460077' }), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.deepEqual(error.errors, { chatapp_number: ['No chat-app account has this number.'] });
      return true;
    });
  });

  it('takes references whose characters expand beyond an index entry', async () => {
    const reference_id = '\ufdfa'.repeat(255);
    await creates({ reference_id }, { reference_id });
  });
});

const number = '+447700900001';

describe('an intro whose reference another one has', () => {
  const post = (fields: object) => app.call('POST', url, { chatapp_number: number, ...fields });
  const put = (reference: string, fields: object = {}) =>
    app.call('PUT', `${url}by-reference/${encodeURIComponent(reference)}/`, { chatapp_number: number, ...fields });
  const countOf = async (reference: string) =>
    (await app.call('GET', `${url}?reference_id=${encodeURIComponent(reference)}`)).body.count;

  it('create, and nothing said: there are two', async () => {
    await post({ reference_id: 'two' });
    assert.equal((await post({ reference_id: 'two' })).status, 201);
    assert.equal((await post({ reference_id: 'two', on_duplicate: 'create' })).status, 201);
    assert.equal(await countOf('two'), 3);
  });

  it('refuse: 400 at the reference, and another number may have it', async () => {
    await post({ reference_id: 'one' });
    const { status, body } = await post({ reference_id: 'one', on_duplicate: 'refuse' });
    assert.deepEqual([status, body], [400, { reference_id: ['Another chat intro has this reference.'] }]);
    const elsewhere = { chatapp_number: '+447700900002', reference_id: 'one', on_duplicate: 'refuse' };
    assert.equal((await app.call('POST', url, elsewhere)).status, 201);
  });

  it('update: the one that is there is replaced, with its link', async () => {
    const first = (await post({ reference_id: 'same', meta_data: { a: 1 } })).body;
    const again = await post({ reference_id: 'same', reply_message_template: 'Hello', on_duplicate: 'update' });
    assert.deepEqual(
      [again.status, again.body.uuid, again.body.chat_link, again.body.meta_data, again.body.reply_message_template],
      [200, first.uuid, first.chat_link, {}, 'Hello'],
    );
    assert.equal(await countOf('same'), 1);
  });

  it('PUT by reference creates and replaces; of requests at the same moment one creates', async () => {
    const reference = 'Lot 7/b ü';
    const answers = await Promise.all(Array.from({ length: 4 }, () => put(reference)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ body }) => body.uuid)).size, 1);
    assert.equal(answers[0]!.body.reference_id, reference);
    const other = await put(reference, { reference_id: 'other' });
    assert.deepEqual(
      [other.status, other.body],
      [400, { reference_id: ['This does not match the reference in the URL.'] }],
    );
    const stranger = await app.call(
      'PUT',
      `${url}by-reference/two/`,
      { chatapp_number: number },
      { token: app.otherToken },
    );
    assert.equal(stranger.status, 201);
  });

  it('as CSV: intros, sessions, messages and opt-outs, each with its fields', async () => {
    await app.call('POST', '/v2/opt-outs/', { phone_number: '+447700900555', text: '=1+1' });
    const lists: [list: string, column: RegExp][] = [
      [url, /^uuid,chatapp_number,chat_link,reference_id,/],
      ['/v2/chatapp/chat-intro-sessions/', /^uuid,chat_intro,status,open,aparty_number,/],
      ['/v2/chatapp/messages/', /^uuid,type,status,status_description,chatapp_number,/],
      ['/v2/opt-outs/', /^uuid,/],
    ];
    for (const [list, column] of lists) {
      const { status, body, headers } = await app.call('GET', list, undefined, { headers: { accept: 'text/csv' } });
      assert.equal(status, 200, list);
      assert.match(String(headers['content-type']), /^text\/csv/);
      assert.match(body, column);
    }
    const { body } = await app.call('GET', '/v2/opt-outs/', undefined, { headers: { accept: 'text/csv' } });
    assert.match(body, /447700900555/);
  });
});
