import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { introOf } from '../../../../test/kit/intros/make-intro.ts';
import type { IntroSnapshot } from '../fields.ts';
import { composeTemplate, flowButton } from './content.ts';

const variables: Record<string, string> = {
  AgentName: 'Ada',
  PropertyName: 'Sea\n\t View,  \u2028 top floor ',
  intro_chat_shortcode: 'bbbbbbbbbb',
  intro_chat_link_aparty: 'https://parley.example/l/aaaaaaaaaa',
  Long: 'x'.repeat(1000),
  Picture: 'https://x.example/house 1.jpg',
};

const text = (text: string) => ({ type: 'text', text });
const bodyOf = (...texts: string[]) => ({ type: 'body', parameters: texts.map(text) });
const image = (url: string) => ({ type: 'header', parameters: [{ type: 'image', image: { url } }] });
const urlButton = (suffix: string) => ({ type: 'button', sub_type: 'url', index: 1, parameters: [text(suffix)] });
const flow = (...parameters: object[]) => ({ type: 'button', sub_type: 'flow', index: 0, parameters });
const token = (flow_token: string) => ({ type: 'action', action: { flow_token } });

const notifying = (components: object[], params: string[] = []): IntroSnapshot =>
  introOf({ notify_chatapp_template_components: components, notify_chatapp_template_params: params });

function compose(components: object[], params: string[] = []) {
  const intro = notifying(components, params);
  const stored = {
    name: 'new_lead',
    components: intro.notify_chatapp_template_components,
    params: intro.notify_chatapp_template_params,
  };
  return composeTemplate(stored, variables, 'session-token');
}

function componentsOf(components: object[], params: string[] = []) {
  const made = compose(components, params);
  assert.ok('content' in made && made.content.type === 'TEMPLATE', JSON.stringify(made));
  assert.equal(made.content.template.template_name, 'new_lead');
  return made.content.template.components;
}

describe('composeTemplate', () => {
  it('fills a notification: a picture, texts of one line, the code of the link', () => {
    const stored = [
      image('{{Picture}}'),
      bodyOf('{{AgentName}}', '{{ PropertyName }}', '{{finance}}'),
      urlButton('{{intro_chat_shortcode}}'),
    ];
    assert.deepEqual(compose(stored), {
      content: {
        type: 'TEMPLATE',
        template: {
          template_name: 'new_lead',
          components: [
            image('https://x.example/house%201.jpg'),
            bodyOf('Ada', 'Sea View, top floor', '-'),
            urlButton('bbbbbbbbbb'),
          ],
        },
      },
      missing: ['finance'],
    });
  });

  it('fills a flow button with the token of the session, unless it has one of its own', () => {
    const filled = [flow(token('session-token'))];
    assert.deepEqual(componentsOf([flow(token(''))]), filled);
    assert.deepEqual(componentsOf([flow({ type: 'action', action: {} })]), filled);
    assert.deepEqual(componentsOf([flow()]), filled);
    assert.deepEqual(componentsOf([{ type: 'button', sub_type: 'flow', index: 0 }]), filled);
    assert.deepEqual(componentsOf([flow(token('own'))]), [flow(token('own'))]);
    const data = { flow_action_data: { greeting: 'Hello {{AgentName}}' } };
    assert.deepEqual(componentsOf([flow({ type: 'action', action: { ...data, flow_token: '' } })]), [
      flow({ type: 'action', action: { flow_token: 'session-token', flow_action_data: { greeting: 'Hello Ada' } } }),
    ]);
  });

  it('makes plain parameters the texts of the body, where no component is that', () => {
    assert.deepEqual(componentsOf([image('{{Picture}}')], ['{{AgentName}}', '{{Nothing}}']), [
      image('https://x.example/house%201.jpg'),
      bodyOf('Ada', '-'),
    ]);
    assert.deepEqual(componentsOf([bodyOf('own')], ['{{AgentName}}']), [bodyOf('own')]);
    assert.deepEqual(componentsOf([]), []);
  });

  it('takes a whole link for a url button', () => {
    assert.deepEqual(componentsOf([urlButton('{{intro_chat_link_aparty}}')]), [
      urlButton('https://parley.example/l/aaaaaaaaaa'),
    ]);
  });

  it('fills the cards of a carousel', () => {
    const card = (card_index: number, url: string, name: string) => ({
      card_index,
      components: [image(url), bodyOf(name)],
    });
    const carousel = (url: string, name: string) => [
      { type: 'carousel', cards: [card(0, url, name), card(1, url, name)] },
    ];
    assert.deepEqual(
      componentsOf(carousel('{{Picture}}', '{{PropertyName}}')),
      carousel('https://x.example/house%201.jpg', 'Sea View, top floor'),
    );
  });

  it('cuts texts at the limits of the platform', () => {
    const stored = [{ type: 'header', parameters: [text('{{Long}}')] }, bodyOf('{{Long}}{{Long}}')];
    assert.deepEqual(componentsOf(stored), [
      { type: 'header', parameters: [text(`${'x'.repeat(59)}…`)] },
      bodyOf(`${'x'.repeat(1000)}${'x'.repeat(23)}…`),
    ]);
  });

  it('never cuts an address', () => {
    assert.deepEqual(compose([urlButton('{{Long}}{{Long}}')]), {
      problem: 'template.components.0.parameters.0.text: Ensure this field has no more than 1024 characters.',
    });
  });

  it('names the place of what the platform would refuse', () => {
    assert.deepEqual(compose([bodyOf('a'), image('{{Nothing}}')]), {
      problem: 'template.components.1.parameters.0.image.url: Enter a valid URL.',
    });
    assert.deepEqual(compose([bodyOf('a'), bodyOf('b')]), { problem: 'template.components.1.type: Given twice.' });
    const coupon = {
      type: 'button',
      sub_type: 'copy_code',
      index: 0,
      parameters: [{ type: 'coupon_code', coupon_code: '{{Picture}}' }],
    };
    assert.match(JSON.stringify(compose([coupon])), /components\.0\.parameters\.0\.coupon_code: /);
  });
});

describe('flowButton', () => {
  it('tells whether the person is asked to fill in a flow', () => {
    assert.equal(flowButton([image('https://x.example/'), bodyOf('a'), flow(token(''))]), true);
    assert.equal(flowButton([bodyOf('a'), urlButton('a')]), false);
    assert.equal(flowButton([]), false);
  });
});
