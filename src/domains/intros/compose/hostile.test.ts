import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { introOf } from '../../../../test/kit/intros/make-intro.ts';
import { cut } from '../../../platform/text/fit.ts';
import { composeTemplate } from './content.ts';
import { composeReply } from './reply.ts';

const names = Array.from({ length: 200 }, (_, index) => `v${index}`);
const heavy = Object.fromEntries(names.map((name) => [name, 'long '.repeat(819)]));
const reply = (request: object, variables: Record<string, string> = heavy) =>
  composeReply(introOf(request), variables, 'token');
const body = { text: '{{v0}}' };

describe('What is too much', () => {
  it('is cut wherever a person reads it, so that the platform takes it', () => {
    const row = { title: '{{v0}}', description: '{{v1}}' };
    const texts = { header: { type: 'text', text: '{{v0}}' }, body, footer: { text: '{{v0}}' } };
    const kinds: [string, object][] = [
      ['QUICK_REPLY', { buttons: [{ type: 'reply', title: '{{v0}}' }] }],
      ['QUICK_REPLY', { buttons: [{ type: 'reply', reply: { title: '{{v0}}' } }] }],
      ['LIST', { button: '{{v0}}', sections: ['{{v0}}', '{{v1}}'].map((title) => ({ title, rows: [row, row] })) }],
      ['CTA', { parameters: { display_text: '{{v0}}', url: 'https://x.example/' } }],
      ['FLOW', { parameters: { flow_cta: '{{v0}}', flow_id: '1' } }],
    ];
    for (const [reply_type, action] of kinds) {
      const made = reply({ reply_type, reply_data: { ...texts, action } });
      assert.ok(made && 'content' in made, JSON.stringify(made));
    }
    const image = { reply_type: 'IMAGE', reply_message_file_url: 'https://x.example/a.jpg' };
    for (const request of [{}, image]) {
      const made = reply({ ...request, reply_message_template: '{{v0}}'.repeat(600) });
      assert.ok(made && 'content' in made && JSON.stringify(made.content).length < 4200);
    }
  });

  it('a hundred places with large values in each', () => {
    const components = [
      {
        type: 'body' as const,
        parameters: names.slice(0, 100).map((name) => ({ type: 'text' as const, text: `{{${name}}}`.repeat(100) })),
      },
    ];
    const made = composeTemplate({ name: 'a', components, params: [] }, heavy, 'token');
    assert.ok('content' in made);
    assert.ok(JSON.stringify(made.content).length < 150_000);
  });

  it('free data that grows without end is a problem, not a message', () => {
    const flow = (data: object) => ({
      reply_type: 'FLOW',
      reply_data: { body, action: { parameters: { flow_cta: 'Go', flow_id: '1', flow_action_payload: { data } } } },
    });
    const problem = 'reply: With its placeholders filled in, the text is too long.';
    assert.deepEqual(reply(flow({ a: '{{v0}}'.repeat(150_000) })), { problem });
    assert.deepEqual(reply(flow({ a: Array(100_000).fill('{{v0}}') })), { problem });
    const picture = 'x'.repeat(300_000);
    assert.ok(JSON.stringify(reply(flow({ picture }))).includes(picture));
  });

  it('placeholders without values are noted up to a number and a length', () => {
    const data = Object.fromEntries(names.map((name) => [name, `{{${name.repeat(1_000)}}}`]));
    const flow_action_payload = { data };
    const made = reply({
      reply_type: 'FLOW',
      reply_data: {
        body: { text: 'a' },
        action: { parameters: { flow_cta: 'Go', flow_id: '1', flow_action_payload } },
      },
    });
    assert.ok(made && 'missing' in made);
    assert.equal(made.missing.length, 50);
    assert.ok(made.missing.every((name) => name.length <= 100));
  });

  it('a megabyte of braces costs no more than to read it', () => {
    for (const piece of ['{{', '{{a', '{{a}']) {
      const data = { a: piece.repeat(900_000 / piece.length) };
      const parameters = { flow_cta: 'Go', flow_id: '1', flow_action_payload: { data } };
      const made = reply({ reply_type: 'FLOW', reply_data: { body: { text: 'a' }, action: { parameters } } });
      assert.ok(made && 'content' in made);
    }
  });
});

describe('Values', () => {
  it('whatever they hold, there is a message, a problem or nothing, and no value is read as a template', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('{{Secret}}', '{{', '}}', '', ' \n', 'https://x.example/', '👩‍👩‍👧‍👦'.repeat(20)),
    );
    const rows = ['{{a}}', '{{b}}'].map((title) => ({ title, id: `{{c}}${title}`, description: '{{d}}' }));
    const header = { type: 'text', text: '{{d}}' };
    const requests = [
      { reply_message_template: '{{a}}{{b}}' },
      {
        reply_type: 'LIST',
        reply_data: { header, body: { text: '{{a}}' }, action: { button: '{{b}}', sections: [{ rows }] } },
      },
      {
        reply_type: 'CTA',
        reply_data: { body: { text: '{{a}}' }, action: { parameters: { display_text: '{{b}}', url: '{{c}}' } } },
      },
      { reply_type: 'IMAGE', reply_message_file_url: 'https://x.example/{{a}}', reply_message_template: '{{b}}' },
    ].map(introOf);
    fc.assert(
      fc.property(fc.record({ a: value, b: value, c: value, d: value }), (values) => {
        for (const intro of requests) {
          const made = composeReply(intro, { ...values, Secret: 'told' }, 'token');
          assert.ok(!JSON.stringify(made ?? '').includes('told'));
          if (made && 'problem' in made) assert.match(made.problem, /^reply: [\w.]+: [A-Z"].*\.$/);
        }
      }),
    );
  });

  it('are cut between what people see as characters', () => {
    const family = '👩‍👩‍👧‍👦';
    assert.equal(cut(family.repeat(3), 20), `${family.repeat(2)}…`);
    assert.equal(cut('🇿🇦🇿🇦', 3), '🇿🇦…');
    assert.equal(cut('😀'.repeat(20), 20), '😀'.repeat(20));
    assert.equal(cut(`e${'\u0301'.repeat(100)}`, 20), `e${'\u0301'.repeat(18)}…`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const shown = cut(text, most);
        assert.ok([...shown].length <= most && shown.isWellFormed());
        assert.equal(shown === text, [...text].length <= most);
      }),
    );
  });
});
