// A lead fills in a form as they like: the links and the reference that the agent gets are the real ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../kit/until.ts';
import { type Served, serve } from './http/wire.ts';

const business = '+447700900001';
const [lead, agent] = ['+447700900211', '+447700900212'];
const evil = 'https://evil.example/';

let app: Served;
before(async () => {
  app = await serve();
});
after(() => app.close());

const parameters = (...texts: string[]) => [
  { type: 'body', parameters: texts.map((text) => ({ type: 'text', text: `${text} ` })) },
];
/** Sent with the reply, it asks for the form's answers. */
const flow = {
  type: 'flow',
  body: { text: 'A few questions' },
  action: {
    name: 'flow',
    parameters: { flow_message_version: '3', flow_token: '', flow_id: '1', flow_cta: 'Go', flow_action: 'navigate' },
  },
};

test("a lead's answers replace no generated variable, in any spelling; their own names are filled in", async () => {
  const intro = await app.post('/v2/chatapp/chat-intros/', {
    chatapp_number: business,
    reference_id: 'REF-77',
    expected_message_template: 'Hello about the barn',
    reply_type: 'FLOW',
    reply_data: flow,
    intro_message_template: 'Hello',
    notify_type: 'CHATAPP',
    notify_to_phone_number: agent,
    notify_chatapp_template_name: 'new_lead',
    notify_delay: 3600,
    notify_chatapp_template_components: parameters(
      'link={{intro_chat_link}}',
      'code={{intro_chat_shortcode}}',
      'ref={{reference_id}}',
      'chat={{chat_link}}',
      'other={{IntroChatLink}}',
      'budget={{Budget}}',
    ),
  });
  await app.post('/v2/sandbox/chatapp/messages/', {
    from: lead,
    to: business,
    name: 'Eve',
    text: { body: 'Hello about the barn' },
  });
  const phone = (number: string) => async () => (await app.get(`/v2/sandbox/phones/${number}/`)).results;
  await until(phone(lead), (shown) => shown.some((one: { flow: unknown }) => one.flow));
  const forged = [
    'intro_chat_link',
    'intro_chat_shortcode',
    'reference_id',
    'chat_link',
    'IntroChatLink',
    'introchatlink',
  ];
  const answers = Object.fromEntries([...forged, 'constructor'].map((name) => [name, evil]));
  await app.post('/v2/sandbox/chatapp/messages/', {
    from: lead,
    to: business,
    flow: { answers: { ...answers, Budget: '900' } },
  });
  const [notice] = await until(phone(agent), (shown) => shown.length > 0);
  assert.ok(!JSON.stringify(notice).includes('evil.example'), notice.text);
  const lines = new Map<string, string>(notice.text.split('\n').map((line: string) => line.trim().split('=')));
  assert.deepEqual(
    ['ref', 'other', 'budget'].map((name) => lines.get(name)),
    ['REF-77', '', '900'],
  );
  assert.ok(lines.get('link')!.endsWith(`/l/${lines.get('code')}`), notice.text);
  assert.equal(lines.get('chat')!.split('/').at(-1), intro.chat_link.split('/').at(-1));
});
