import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitErrors } from './fill-components.ts';

const definition = [
  { type: 'HEADER', format: 'IMAGE' },
  { type: 'BODY', text: 'Hello {{1}}, your visit is on {{2}}. Bye {{1}}.' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'No' },
      { type: 'URL', text: 'See', url: 'https://a.example/{{1}}' },
    ],
  },
];
const texts = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'a' }));
const header = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.example/1.jpg' } }] };
const body = (count: number) => ({ type: 'body', parameters: texts(count) });
const button = (count: number) => ({ type: 'button', sub_type: 'url', index: 1, parameters: texts(count) });

test('what fills the template exactly fits, and everything fits one of which only the name is known', () => {
  assert.equal(fitErrors(definition, [header, body(2), button(1)]), undefined);
  assert.equal(fitErrors([], [body(9)]), undefined);
  assert.equal(fitErrors([{ type: 'BODY', text: 'Hello' }], []), undefined);
});

test('too few and too many parameters are told at their component, or at all of them when it is missing', () => {
  const sentence = (name: string, takes: number, given: number) => [
    `The ${name} of this template takes ${takes} ${takes === 1 ? 'parameter' : 'parameters'}, not ${given}.`,
  ];
  assert.deepEqual(fitErrors(definition, [header, body(1), button(1)]), {
    components: [{}, { parameters: sentence('body', 2, 1) }, {}],
  });
  assert.deepEqual(fitErrors(definition, [header, body(3), button(1)]), {
    components: [{}, { parameters: sentence('body', 2, 3) }, {}],
  });
  assert.deepEqual(fitErrors(definition, [body(2), button(1)]), { components: sentence('header', 1, 0) });
  assert.deepEqual(fitErrors(definition, [header, body(2)]), { components: sentence('button 1', 1, 0) });
  assert.deepEqual(fitErrors([{ type: 'BODY', text: 'Hello' }], [header]), {
    components: [{ parameters: sentence('header', 0, 1) }],
  });
});
