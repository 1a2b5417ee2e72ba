import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TUnsafe, Type } from 'typebox';
import { headerList, ignoredFields } from './ignored-fields.ts';
import { exactlyOne, has, nullable, record, tagged } from './schemas.ts';

const contact = Type.Object({ name: Type.String(), meta: Type.Optional(record(Type.Unknown())) });
const component = tagged(
  'type',
  { note: Type.Optional(Type.String()) },
  {
    body: { text: Type.String() },
    button: tagged('sub_type', { index: Type.Integer() }, { url: { link: Type.String() } }),
  },
);
const message = Type.Object({
  template: Type.Optional(nullable(Type.Object({ components: Type.Array(component) }))),
  contacts: Type.Optional(Type.Array(contact)),
  by_name: Type.Optional(record(contact)),
  to: Type.Optional(Type.Union([Type.String(), contact])),
  either: Type.Optional(Type.Union([contact, Type.Object({ other: Type.String() })])),
  both: Type.Optional(Type.Intersect([contact, Type.Object({ more: Type.String() })])),
  open: Type.Optional(Type.Object({ known: contact }, { additionalProperties: true })),
});
const ignored = ignoredFields(message);

test('ignoredFields › names unknown fields by path and removes them', () => {
  const body = { template: { componets: 1, components: [] }, contacts: [{ name: 'a', nmae: 'b' }], extra: {} };
  assert.deepEqual(ignored(body), ['template.componets', 'contacts.0.nmae', 'extra']);
  assert.deepEqual(body, { template: { components: [] }, contacts: [{ name: 'a' }] });
});

test('ignoredFields › knows which fields a tag brings', () => {
  const components = [
    { type: 'body', text: 'a', link: 'b', note: '' },
    { type: 'button', sub_type: 'url', index: 0, link: 'b', text: 'a' },
    { type: 'unknown', text: 'a' },
  ];
  assert.deepEqual(ignored({ template: { components } }), ['template.components.0.link', 'template.components.1.text']);
});

test('ignoredFields › leaves free-form objects and unclear unions alone, and looks into the rest', () => {
  const body = {
    contacts: [{ name: 'a', meta: { anything: { goes: 1 } } }],
    by_name: { ada: { name: 'a', x: 1 } },
    to: { name: 'a', x: 1 },
    either: { name: 'a', x: 1 },
    both: { name: 'a', more: 'b', x: 1 },
    open: { known: { name: 'a', x: 1 }, unknown: 1 },
  };
  assert.deepEqual(ignored(body), ['by_name.ada.x', 'to.x', 'both.x', 'open.known.x']);
  assert.deepEqual(body.either, { name: 'a', x: 1 });
  assert.deepEqual(body.open, { known: { name: 'a' }, unknown: 1 });
});

test('ignoredFields › knows which fields a condition brings', () => {
  const either = exactlyOne(
    ['to', 'agent'],
    Type.Object({
      to: Type.Optional(contact),
      agent: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
    }),
  ) as TUnsafe<object>;
  const choice = Type.Unsafe({
    type: 'object',
    if: { anyOf: [{ properties: { kind: { const: 'list' } }, required: ['kind'] }, has('rows')] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: Type.Object({ kind: Type.Optional(Type.String()), rows: Type.Array(contact) }),
    else: Type.Object({ kind: Type.Optional(Type.String()), text: Type.String() }),
  });
  const action = tagged('type', {}, { SEND: either, WAIT: {} });
  const names = ignoredFields(Type.Object({ actions: Type.Array(action), shown: Type.Array(choice) }));
  const body = {
    actions: [
      { type: 'SEND', agent: 'a', text: 'b', txet: 'c' },
      { type: 'SEND', to: { name: 'a', nmae: 'b' }, strategy: 'x' },
      { type: 'WAIT', seconds: 1 },
    ],
    shown: [
      { kind: 'list', rows: [{ name: 'a', x: 1 }], text: 'b' },
      { rows: [], txet: 'a' },
      { text: 'a', rwos: [] },
    ],
  };
  assert.deepEqual(names(body), [
    'actions.0.txet',
    'actions.1.to.nmae',
    'actions.1.strategy',
    'actions.2.seconds',
    'shown.0.rows.0.x',
    'shown.0.text',
    'shown.1.txet',
    'shown.2.rwos',
  ]);
});

test('ignoredFields › leaves alone what a condition that it does not understand may bring', () => {
  const schema = Type.Unsafe({
    type: 'object',
    properties: { a: { type: 'string' } },
    if: { minProperties: 2 },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { b: { type: 'string' } } },
  });
  assert.deepEqual(ignoredFields(schema)({ a: 'x', b: 'y', c: 'z' }), []);
});

test('ignoredFields › keys such as __proto__ and constructor are unknown like any other', () => {
  const body = JSON.parse('{"__proto__":{"a":1},"constructor":1,"contacts":[{"name":"a","toString":1}]}');
  assert.deepEqual(ignored(body), ['__proto__', 'constructor', 'contacts.0.toString']);
  assert.equal(JSON.stringify(body), '{"contacts":[{"name":"a"}]}');
});

test('headerList › is visible ASCII, with commas only between names', () => {
  assert.equal(
    headerList(['a.b', 'c,d', 'é 😀\r\nx: y', '100%']),
    'a.b, c%2Cd, %C3%A9%20%F0%9F%98%80%0D%0Ax:%20y, 100%25',
  );
  assert.equal(headerList(['\ud800']), '%EF%BF%BD');
  assert.equal(headerList([]), '');
});

test('headerList › ends at 20 names and at 1,000 characters', () => {
  assert.equal(headerList(Array(50).fill('a')).split(', ').length, 20);
  for (const name of ['a'.repeat(5_000), '漢'.repeat(5_000)]) {
    const list = headerList(Array(50).fill(name));
    assert.ok(list.length > 800 && list.length <= 1_000, String(list.length));
  }
});
