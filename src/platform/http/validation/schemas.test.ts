import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Static, Type } from 'typebox';
import { bodyValidator } from './body.ts';
import { nullable, record, tagged } from './schemas.ts';

const parameter = tagged(
  'type',
  {},
  { text: { text: Type.String() }, image: { image: Type.Object({ url: Type.String() }) } },
);
const component = tagged(
  'type',
  { note: Type.Optional(Type.String()) },
  {
    body: { parameters: Type.Array(parameter) },
    button: tagged(
      'sub_type',
      { index: Type.Integer() },
      { url: { link: Type.String() }, flow: Type.Object({ id: Type.String() }) },
    ),
  },
);
const message = tagged(
  'type',
  { to: Type.String(), from: nullable(Type.String()) },
  { TEXT: { text: Type.String() }, TEMPLATE: { components: Type.Array(component) } },
);
const validate = bodyValidator(message);

test('tagged › an empty body misses the shared fields and the tag', () => {
  assert.deepEqual(validate({}), {
    type: ['This field is required.'],
    to: ['This field is required.'],
    from: ['This field is required.'],
  });
});

test('tagged › an unknown tag is told with the errors of the shared fields', () => {
  assert.deepEqual(validate({ type: 'x', to: 5, from: null }), {
    type: ['"x" is not a valid choice.'],
    to: ['Not a valid string.'],
  });
  assert.deepEqual(validate({ type: null, to: '', from: null }), { type: ['This field may not be null.'] });
  assert.deepEqual(validate({ type: 7, to: '', from: null }), { type: ['Not a valid string.'] });
});

test('tagged › a known tag brings the errors of its variant only', () => {
  assert.deepEqual(validate({ type: 'TEXT', to: '', from: null }), { text: ['This field is required.'] });
  assert.equal(validate({ type: 'TEXT', to: '', from: null, text: 'x', components: 5 }), null);
});

test('tagged › works in lists, and within itself', () => {
  const components = [
    { type: 'body', parameters: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'x' }, {}] },
    { type: 'button' },
    { type: 'button', sub_type: 'flow', index: 0 },
    { type: 'button', sub_type: 'x', index: 0 },
    { type: 'button', sub_type: 'url', index: 0, link: 'a' },
    {},
  ];
  assert.deepEqual(validate({ type: 'TEMPLATE', to: '', from: '', components }), {
    components: [
      {
        parameters: [
          {},
          { image: ['This field is required.'] },
          { type: ['"x" is not a valid choice.'] },
          { type: ['This field is required.'] },
        ],
      },
      { sub_type: ['This field is required.'], index: ['This field is required.'] },
      { id: ['This field is required.'] },
      { sub_type: ['"x" is not a valid choice.'] },
      {},
      { type: ['This field is required.'] },
    ],
  });
});

test('tagged › of a huge list, the first wrong tag is told', () => {
  const parameters = Array.from({ length: 50_000 }, () => ({ type: 'x' }));
  assert.deepEqual(bodyValidator(Type.Array(parameter))(parameters), [{ type: ['"x" is not a valid choice.'] }]);
});

test('tagged › a nullable one takes null and still tells its variants apart', () => {
  const check = bodyValidator(Type.Object({ parameter: nullable(parameter) }));
  assert.equal(check({ parameter: null }), null);
  assert.deepEqual(check({ parameter: { type: 'text' } }), { parameter: { text: ['This field is required.'] } });
});

test('tagged › is written as OpenAPI 3.1 wants it', () => {
  const schema = JSON.parse(JSON.stringify(parameter));
  assert.deepEqual(schema.discriminator, { propertyName: 'type' });
  assert.deepEqual(schema.properties, { type: { type: 'string', enum: ['text', 'image'] } });
  assert.deepEqual(schema.oneOf[0], {
    title: 'text',
    type: 'object',
    properties: { type: { type: 'string', const: 'text' }, text: { type: 'string' } },
    required: ['type', 'text'],
  });
});

test('nullable › is a type and null, its choices and null', () => {
  assert.deepEqual({ ...nullable(Type.String({ maxLength: 3 })) }, { type: ['string', 'null'], maxLength: 3 });
  assert.deepEqual({ ...nullable(Type.Enum(['a'])) }, { enum: ['a', null] });
  assert.deepEqual({ ...nullable(Type.Literal('a')) }, { type: ['string', 'null'], enum: ['a', null] });
});

test('tagged, nullable and record › have the TypeScript types of what they accept', () => {
  const texts: Static<typeof message>[] = [
    { type: 'TEXT', to: '', from: null, text: '' },
    { type: 'TEMPLATE', to: '', from: '', components: [{ type: 'button', sub_type: 'flow', index: 0, id: '' }] },
    // @ts-expect-error: a TEXT has no components.
    { type: 'TEXT', to: '', from: null, components: [] },
    // @ts-expect-error: this tag does not exist.
    { type: 'FAX', to: '', from: null, text: '' },
  ];
  const free = record(Type.Integer());
  const counts: Static<typeof free> = { a: 1 };
  assert.deepEqual(
    texts.map((text) => validate(text) === null),
    [true, true, false, false],
  );
  assert.equal(bodyValidator(free)(counts), null);
});
