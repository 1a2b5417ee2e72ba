import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { introOf } from '../../../../test/kit/intros/make-intro.ts';
import { composeTemplate, flowButton } from './content.ts';
import { composeReply } from './reply.ts';
import { answersOf, sessionVariables, tellingOf } from './variables.ts';

/** The variations in which the interface creates intros, from what was stored to what is said. */

const text = (text: string) => ({ type: 'text', text });
const header = { type: 'header', parameters: [{ type: 'image', image: { url: 'https://x.example/house.jpg' } }] };
const bodyOf = (...texts: string[]) => ({ type: 'body', parameters: texts.map(text) });
const flowOf = (flow_token: string) => ({
  type: 'button',
  sub_type: 'flow',
  index: 0,
  parameters: [{ type: 'action', action: { flow_token } }],
});
const linkOf = (code: string) => ({ type: 'button', sub_type: 'url', index: 0, parameters: [text(code)] });

const extra_variable_data = {
  AgencyName: 'Homes',
  AgentName: 'Ada',
  PropertyName: 'Sea View',
  PropertyPrice: 'R 1 250 000',
  APartyDataContactName: '',
  timeframe: '',
  finance: '',
};
const session = {
  answers: {},
  given: {},
  told: tellingOf({ name: 'Ana', from: { number: '+27821234567', userId: null } }),
  bpartyShortcode: 'bbbbbbbbbb',
  apartyShortcode: null as string | null,
};

/** Everything that an intro says in a session. */
function say(request: object, known: Partial<typeof session> = {}) {
  const intro = introOf({ reference_id: 'REF-1', extra_variable_data, ...request });
  const variables = sessionVariables({ ...session, ...known }, intro, 'https://parley.example');
  const template = (party: 'notify' | 'aparty_notify', params: string[]) => {
    const name = intro[`${party}_chatapp_template_name`];
    const components = intro[`${party}_chatapp_template_components`];
    return name === '' ? undefined : composeTemplate({ name, components, params }, variables, 'token');
  };
  return {
    reply: composeReply(intro, variables, 'token'),
    notify: template('notify', intro.notify_chatapp_template_params),
    aparty: template('aparty_notify', []),
    asksA: flowButton(intro.aparty_notify_chatapp_template_components),
  };
}

const saidText = (body: string) => ({ content: { type: 'TEXT', text: { body } }, alternative: false, missing: [] });
const saidTemplate = (template_name: string, components: object[], missing: string[] = []) => ({
  content: { type: 'TEMPLATE', template: { template_name, components } },
  missing,
});

const reply_message_template =
  'Thank you {{APartyDataContactName}}, {{ AgentName }} will write about {{reference_id}}.';
const thanks = saidText('Thank you Ana, Ada will write about REF-1.');
const apartyTemplate = {
  reply_type: 'TEXT',
  reply_message_template,
  aparty_notify_chatapp_template_name: 'meet_agent',
  aparty_notify_chatapp_template_components: [header, bodyOf('{{AgentName}}', '{{AgencyName}}'), linkOf('REF-1')],
};
const direct = { intro_bparty_number: '+27829999999', intro_message_aparty: 'Hello {{AgentName}}' };

describe('An intro as the interface varies it', () => {
  it('a text reply', () => {
    assert.deepEqual(say({ reply_type: 'TEXT', reply_message_template }), {
      reply: thanks,
      notify: undefined,
      aparty: undefined,
      asksA: false,
    });
  });

  it('an alternative quick reply, by the price', () => {
    const buttons = [{ title: 'Call me', type: 'reply' }];
    const reply_alt = (lte: string) => ({
      filter: { property_price: { gte: '0', lte } },
      type: 'INTERACTIVE',
      whatsapp_components: { action: { buttons }, body: { text: 'How shall {{AgentName}} reach you?' } },
    });
    const within = say({ reply_message_template, reply_alt: reply_alt('1500000'), notify_type: null });
    assert.deepEqual(within.reply, {
      content: {
        type: 'INTERACTIVE',
        interactive: {
          type: 'button',
          body: { text: 'How shall Ada reach you?' },
          action: { buttons: [{ ...buttons[0], id: 'button-1' }] },
        },
      },
      alternative: true,
      missing: [],
    });
    assert.deepEqual(say({ reply_message_template, reply_alt: reply_alt('1000000') }).reply, thanks);
  });

  it('a notification that carries the answers of a flow', () => {
    const request = {
      reply_message_template,
      notify_type: 'CHATAPP',
      notify_to_phone_number: '+27829999999',
      notify_chatapp_template_name: 'new_lead',
      notify_chatapp_template_components: [
        bodyOf('{{APartyDataContactName}}', '{{APartyDataContactPhonenumber}}', '{{timeframe}}', '{{finance}}'),
        linkOf('{{intro_chat_shortcode}}'),
      ],
      notify_delay: 30,
      aparty_notify_chatapp_template_name: 'questions',
      aparty_notify_chatapp_template_components: [header, bodyOf('{{PropertyName}}'), flowOf('')],
    };
    const before = say(request);
    assert.equal(before.asksA, true);
    assert.deepEqual(before.aparty, saidTemplate('questions', [header, bodyOf('Sea View'), flowOf('token')]));
    const told = (...answers: string[]) => [bodyOf('Ana', '+27821234567', ...answers), linkOf('bbbbbbbbbb')];
    assert.deepEqual(before.notify, saidTemplate('new_lead', told('-', '-'), ['timeframe', 'finance']));

    const nfm_reply = { flow_token: 'token', answers: { timeframe: '3 months', finance: ['bond', 'cash'] } };
    const answers = answersOf({ interactive: { type: 'nfm_reply', nfm_reply } });
    assert.deepEqual(say(request, { answers }).notify, saidTemplate('new_lead', told('3 months', 'bond, cash')));
  });

  it('a template for A', () => {
    const said = say(apartyTemplate);
    assert.deepEqual(said.reply, thanks);
    assert.deepEqual(said.aparty, saidTemplate('meet_agent', [header, bodyOf('Ada', 'Homes'), linkOf('REF-1')]));
    assert.equal(said.asksA, false);
  });

  it('a template for A by which they reach B directly', () => {
    const components = [header, bodyOf('{{AgentName}}'), linkOf('{{ intro_chat_link_aparty_shortcode }}')];
    const request = { ...apartyTemplate, ...direct, aparty_notify_chatapp_template_components: components };
    assert.deepEqual(
      say(request, { apartyShortcode: 'aaaaaaaaaa' }).aparty,
      saidTemplate('meet_agent', [header, bodyOf('Ada'), linkOf('aaaaaaaaaa')]),
    );
  });

  it('a text, and a call to action, by which A reaches B directly', () => {
    const known = { apartyShortcode: 'aaaaaaaaaa' };
    const url = 'https://parley.example/l/aaaaaaaaaa';
    const written = say({ ...direct, reply_message_template: 'Write to {{intro_chat_link_aparty}}' }, known);
    assert.deepEqual(written.reply, saidText(`Write to ${url}`));
    const action = (url: string) => ({ name: 'cta_url', parameters: { display_text: 'Write', url } });
    const reply_data = { body: { text: '{{AgentName}}' }, action: action('{{intro_chat_link_aparty}}') };
    assert.partialDeepStrictEqual(say({ ...direct, reply_type: 'CTA', reply_data }, known).reply, {
      content: { type: 'INTERACTIVE', interactive: { type: 'cta_url', body: { text: 'Ada' }, action: action(url) } },
    });
    assert.deepEqual(say({ reply_type: 'CTA', reply_data }).reply, {
      problem: 'reply: interactive.action.parameters.url: Enter a valid URL.',
    });
  });
});
