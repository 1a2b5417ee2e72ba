import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { introOf } from '../../../../test/kit/intros/make-intro.ts';
import { composeReply } from './reply.ts';

const variables: Record<string, string> = {
  AgentName: 'Ada',
  PropertyName: 'Sea View',
  PropertyPrice: 'R 950 000',
  intro_chat_link_aparty: 'https://parley.example/l/aaaaaaaaaa',
  Sly: '{{AgentName}}',
  Blank: ' ',
};
const compose = (request: object) => composeReply(introOf(request), variables, 'session-token');

/** The content of a reply that could be made. */
function contentOf(request: object) {
  const reply = compose(request);
  assert.ok(reply && 'content' in reply, JSON.stringify(reply));
  return reply.content;
}
const interactiveOf = (reply_type: string, reply_data: object) => {
  const content = contentOf({ reply_type, reply_data });
  assert.ok(content.type === 'INTERACTIVE');
  return content.interactive;
};

const body = { text: 'About {{PropertyName}}' };
const filledBody = { text: 'About Sea View' };
const buttons = [{ type: 'reply', title: 'Call me' }];
/** As they are sent: one without an id is known by its place. */
const named = buttons.map((button, index) => ({ ...button, id: `button-${index + 1}` }));
const cta = (url: string) => ({ body, action: { name: 'cta_url', parameters: { display_text: 'Open', url } } });
const alternative = {
  filter: { property_price: { gte: '0', lte: '1500000' } },
  type: 'INTERACTIVE',
  whatsapp_components: { action: { buttons }, body },
};

describe('composeReply', () => {
  it('says a text', () => {
    assert.deepEqual(compose({ reply_message_template: '{{ AgentName }} will call about {{Nothing}}{{Sly}}.' }), {
      content: { type: 'TEXT', text: { body: 'Ada will call about {{AgentName}}.' } },
      alternative: false,
      missing: ['Nothing'],
    });
  });

  it('says nothing when there is nothing to say', () => {
    assert.equal(compose({}), undefined);
    assert.equal(compose({ reply_message_template: '{{Nothing}} {{Blank}}\n' }), undefined);
    assert.equal(compose({ reply_type: 'LIST' }), undefined);
    assert.equal(compose({ reply_type: 'IMAGE' }), undefined);
  });

  it('lets the text speak for an image or interactive reply that was left empty', () => {
    for (const reply_type of ['IMAGE', 'INTERACTIVE', 'LIST', 'CTA', 'FLOW', 'QUICK_REPLY']) {
      assert.equal(contentOf({ reply_type, reply_message_template: 'Hi' }).type, 'TEXT');
    }
  });

  it('shows an image, with the text as its caption if there is one', () => {
    const image = { reply_type: 'IMAGE', reply_message_file_url: 'https://x.example/{{PropertyName}}.jpg' };
    const url = 'https://x.example/Sea%20View.jpg';
    assert.deepEqual(contentOf({ ...image, reply_message_template: 'By {{AgentName}}' }), {
      type: 'IMAGE',
      media: { url, caption: 'By Ada' },
    });
    assert.deepEqual(contentOf({ ...image, reply_message_template: '{{Nothing}}' }), { type: 'IMAGE', media: { url } });
  });

  it('sends the alternative while its filter holds, under either name', () => {
    const { whatsapp_components, ...rest } = alternative;
    const interactive = { type: 'button', body: filledBody, action: { buttons: named } };
    for (const reply_alt of [alternative, { ...rest, chatapp_components: whatsapp_components }]) {
      assert.deepEqual(compose({ reply_alt, reply_message_template: 'Plain' }), {
        content: { type: 'INTERACTIVE', interactive },
        alternative: true,
        missing: [],
      });
    }
    const { filter, ...unfiltered } = alternative;
    assert.partialDeepStrictEqual(compose({ reply_alt: unfiltered }), { alternative: true });
  });

  it('sends the plain reply when the filter does not hold', () => {
    const reply_alt = { ...alternative, filter: { PropertyPrice: { gte: '1000000' } } };
    assert.deepEqual(compose({ reply_alt, reply_message_template: 'Plain' }), {
      content: { type: 'TEXT', text: { body: 'Plain' } },
      alternative: false,
      missing: [],
    });
    assert.equal(compose({ reply_alt }), undefined);
  });

  it('sends quick replies, with a header and a footer while there is something in them', () => {
    const header = { type: 'text', text: '{{PropertyName}}' };
    const data = {
      header,
      body,
      footer: { text: '{{Blank}}' },
      action: { buttons: [{ ...buttons[0], id: '{{Nothing}}' }] },
    };
    assert.deepEqual(interactiveOf('QUICK_REPLY', data), {
      type: 'button',
      header: { type: 'text', text: 'Sea View' },
      body: filledBody,
      action: { buttons: named },
    });
    assert.deepEqual(interactiveOf('QUICK_REPLY', { ...data, header: { type: 'text', text: '{{Nothing}}' } }), {
      type: 'button',
      body: filledBody,
      action: { buttons: named },
    });
  });

  it('fills titles, ids and addresses', () => {
    const data = {
      header: { type: 'image', image: { link: 'https://x.example/{{AgentName}}.jpg' } },
      body,
      footer: { text: '{{AgentName}}' },
      action: { buttons: [{ type: 'reply', reply: { id: 'to-{{AgentName}}', title: 'Call {{AgentName}}' } }] },
    };
    assert.deepEqual(interactiveOf('INTERACTIVE', data), {
      type: 'button',
      header: { type: 'image', image: { link: 'https://x.example/Ada.jpg' } },
      body: filledBody,
      footer: { text: 'Ada' },
      action: { buttons: [{ type: 'reply', reply: { id: 'to-Ada', title: 'Call Ada' } }] },
    });
  });

  it('sends a list', () => {
    const rows = [{ id: '{{AgentName}}', title: '{{PropertyName}}', description: '{{Nothing}}' }, { title: 'Other' }];
    const action = { button: 'Choose', sections: [{ title: '{{Nothing}}', rows }] };
    for (const type of ['LIST', 'INTERACTIVE']) {
      assert.deepEqual(interactiveOf(type, { body, action }), {
        type: 'list',
        body: filledBody,
        action: {
          button: 'Choose',
          sections: [
            {
              rows: [
                { id: 'Ada', title: 'Sea View' },
                { id: 'row-2', title: 'Other' },
              ],
            },
          ],
        },
      });
    }
  });

  it('sends a call to action, by which A reaches B', () => {
    for (const type of ['CTA', 'INTERACTIVE']) {
      const expected = cta(variables['intro_chat_link_aparty']!);
      assert.deepEqual(interactiveOf(type, cta('{{intro_chat_link_aparty}}')), {
        type: 'cta_url',
        ...expected,
        body: filledBody,
      });
    }
  });

  it('sends a flow under the token of the session, unless the intro has one of its own', () => {
    const flow = (more: object) => ({
      body,
      action: { name: 'flow', parameters: { flow_cta: 'Start', flow_id: '7', ...more } },
    });
    const data = { '{{AgentName}}': ['{{AgentName}}', 5, null] };
    const payload = { flow_action_payload: { screen: 'FIRST', data } };
    for (const type of ['FLOW', 'INTERACTIVE']) {
      for (const token of [{}, { flow_token: '' }, { flow_token: '{{Nothing}}' }]) {
        assert.deepEqual(interactiveOf(type, flow({ ...token, ...payload })), {
          type: 'flow',
          body: filledBody,
          action: {
            name: 'flow',
            parameters: {
              flow_cta: 'Start',
              flow_id: '7',
              flow_token: 'session-token',
              flow_action_payload: { screen: 'FIRST', data: { '{{AgentName}}': ['Ada', 5, null] } },
            },
          },
        });
      }
    }
    const { action } = interactiveOf('FLOW', flow({ flow_token: 'own' }));
    assert.partialDeepStrictEqual(action, { parameters: { flow_token: 'own' } });
  });

  it('asks for a location, with nothing that was not checked', () => {
    const data = { body, action: { name: 'send_location' }, header: { type: 'image' }, footer: null };
    assert.deepEqual(interactiveOf('INTERACTIVE', data), {
      type: 'location_request_message',
      body: filledBody,
      action: { name: 'send_location' },
    });
  });

  it('names the place of what the platform would refuse', () => {
    const problems: [string, object, string][] = [
      ['CTA', cta('{{Nothing}}'), 'reply: interactive.action.parameters.url: Enter a valid URL.'],
      ['CTA', cta('{{PropertyName}}'), 'reply: interactive.action.parameters.url: Enter a valid URL.'],
      [
        'QUICK_REPLY',
        { body: { text: '{{Nothing}}' }, action: { buttons } },
        'reply: interactive.body.text: This field may not be blank.',
      ],
      [
        'QUICK_REPLY',
        { body, action: { buttons: [...buttons, { type: 'reply', title: '{{Blank}}' }] } },
        'reply: interactive.action.buttons.1.title: This field may not be blank.',
      ],
      [
        'QUICK_REPLY',
        { body, action: { buttons: ['{{Sly}}', '{{ Sly }}'].map((title) => ({ type: 'reply', title })) } },
        'reply: interactive.action.buttons.1.title: Another button has this title.',
      ],
    ];
    for (const [reply_type, reply_data, problem] of problems) {
      assert.deepEqual(compose({ reply_type, reply_data }), { problem });
    }
    const image = { reply_type: 'IMAGE', reply_message_file_url: 'https://{{Nothing}}' };
    assert.deepEqual(compose(image), { problem: 'reply: media.url: Enter a valid URL.' });
  });
});
