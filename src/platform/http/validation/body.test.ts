import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { bodyValidator } from './body.ts';
import { nullable, record } from './schemas.ts';

const choice = Type.Union([Type.Literal('SMS'), Type.Literal('VOICE')]);
const dateTimeSentence =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].';

/** A field's schema, a value it refuses, and the sentence. */
const sentences: [TSchema, unknown, string][] = [
  [Type.String(), null, 'This field may not be null.'],
  [Type.String(), 5, 'Not a valid string.'],
  [Type.Boolean(), 'true', 'Must be a valid boolean.'],
  [Type.Integer(), '5', 'A valid integer is required.'],
  [Type.Integer(), 5.5, 'A valid integer is required.'],
  [Type.Integer(), Number.POSITIVE_INFINITY, 'A valid integer is required.'],
  [Type.Integer(), 2 ** 53, 'Ensure this value is less than or equal to 9007199254740991.'],
  [Type.Integer(), -(2 ** 53), 'Ensure this value is greater than or equal to -9007199254740991.'],
  [Type.Integer({ minimum: 1 }), -0, 'Ensure this value is greater than or equal to 1.'],
  [Type.Number(), '5', 'A valid number is required.'],
  [Type.Number({ maximum: 90 }), 90.5, 'Ensure this value is less than or equal to 90.'],
  [Type.Number({ exclusiveMinimum: 0 }), 0, 'Ensure this value is greater than 0.'],
  [Type.Array(Type.String()), 'x', 'Expected a list of items but got type "str".'],
  [Type.Array(Type.String()), 1, 'Expected a list of items but got type "int".'],
  [Type.Array(Type.String()), 1.5, 'Expected a list of items but got type "float".'],
  [Type.Array(Type.String()), true, 'Expected a list of items but got type "bool".'],
  [Type.Array(Type.String()), {}, 'Expected a list of items but got type "dict".'],
  [record(Type.String()), 'x', 'Expected a dictionary of items but got type "str".'],
  [record(Type.String()), [], 'Expected a dictionary of items but got type "list".'],
  [Type.String({ minLength: 1 }), '', 'This field may not be blank.'],
  [Type.String({ minLength: 1, pattern: '^a', format: 'uuid' }), '', 'This field may not be blank.'],
  [Type.String({ minLength: 3 }), 'ab', 'Ensure this field has at least 3 characters.'],
  [Type.String({ maxLength: 2 }), 'abc', 'Ensure this field has no more than 2 characters.'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'Ensure this field has no more than 1 elements.'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'This list may not be empty.'],
  [Type.Array(Type.String(), { minItems: 2 }), ['a'], 'Ensure this field has at least 2 elements.'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 5], 'Ensure this field has no more than 1 elements.'],
  [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'Ensure the items are unique.'],
  [record(Type.String(), { maxProperties: 1 }), { a: '', b: '' }, 'Ensure this field has no more than 1 keys.'],
  [choice, 'x', '"x" is not a valid choice.'],
  [choice, 5, '"5" is not a valid choice.'],
  [choice, null, 'This field may not be null.'],
  [choice, 'é'.repeat(200), `"${'é'.repeat(99)}…" is not a valid choice.`],
  [Type.Enum(['SMS', 'VOICE']), { a: 1 }, '"{"a":1}" is not a valid choice.'],
  [Type.Literal('x'), 'y', '"y" is not a valid choice.'],
  [Type.String({ format: 'uri' }), 'ftp://example.com', 'Enter a valid URL.'],
  [Type.String({ format: 'uuid' }), 'x', 'Must be a valid UUID.'],
  [
    Type.String({ format: 'date' }),
    '2026-02-29',
    'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  ],
  [Type.String({ format: 'date-time' }), '2026-01-01', dateTimeSentence],
  [Type.String({ format: 'phone' }), '1234', 'Enter a valid phone number.'],
  [Type.String({ format: 'email' }), 'a@b', 'Enter a valid email address.'],
  [Type.String({ pattern: '^a' }), 'b', 'Enter a valid value.'],
  [Type.String({ pattern: '^a', 'x-message': 'Begin with a.' }), 'b', 'Begin with a.'],
  [Type.String({ pattern: '^a', 'x-message': 'Begin with a.' }), 5, 'Not a valid string.'],
  [Type.String({ format: 'phone', 'x-message': 'Give your own number.' }), 'b', 'Give your own number.'],
  [nullable(Type.String({ maxLength: 1 })), 'ab', 'Ensure this field has no more than 1 characters.'],
  [nullable(Type.String()), 5, 'Not a valid string.'],
  [Type.Union([Type.String({ maxLength: 1 }), Type.Null()]), 'ab', 'Ensure this field has no more than 1 characters.'],
  [Type.Union([Type.Null(), Type.Integer()]), 'ab', 'A valid integer is required.'],
  [Type.Union([Type.String({ maxLength: 1 }), Type.Integer()]), true, 'Not a valid string.'],
  [
    Type.Union([Type.String({ maxLength: 1 }), Type.Integer({ maximum: 1 })]),
    2,
    'Ensure this value is less than or equal to 1.',
  ],
  [Type.Union([Type.String(), Type.Integer()]), null, 'This field may not be null.'],
  [Type.Union([Type.Enum(['a']), Type.Array(Type.Integer())]), 'b', '"b" is not a valid choice.'],
];

for (const [schema, value, sentence] of sentences) {
  test(`bodyValidator › ${JSON.stringify(value)} for ${JSON.stringify(schema)}: ${sentence}`, () => {
    const validate = bodyValidator(Type.Object({ field: schema }));
    assert.deepEqual(validate({ field: value }), { field: [sentence] });
  });
}

const valid: [TSchema, unknown][] = [
  [Type.Integer(), -0],
  [Type.Integer({ maximum: 2 ** 53 }), 2 ** 53],
  [nullable(choice), null],
  [nullable(Type.Literal('x')), null],
  [nullable(Type.Object({ a: Type.String() })), null],
  [Type.Union([choice, Type.Null()]), null],
  [Type.String({ minLength: 2, maxLength: 2 }), '😀😀'],
  [Type.Array(Type.Unknown(), { uniqueItems: true }), [1, '1', [1], null]],
];
for (const [schema, value] of valid) {
  test(`bodyValidator › ${JSON.stringify(value)} is accepted for ${JSON.stringify(schema)}`, () => {
    assert.equal(bodyValidator(Type.Object({ field: schema }))({ field: value }), null);
  });
}

const number = Type.Object({ prefix: Type.String(), keywords: Type.Optional(Type.Array(Type.String())) });
const order = Type.Object({
  name: Type.String(),
  numbers: Type.Array(number),
  meta: Type.Optional(record(Type.String())),
});

test('bodyValidator › every missing field is named', () => {
  assert.deepEqual(bodyValidator(order)({}), {
    name: ['This field is required.'],
    numbers: ['This field is required.'],
  });
});

test('bodyValidator › errors are nested as the body is nested, lists of objects with an entry per item', () => {
  const numbers = [{ prefix: '1' }, { prefix: 5, keywords: ['a', 7, 'c', null] }, 'x', null, { prefix: '2' }];
  assert.deepEqual(bodyValidator(order)({ name: 'a', numbers }), {
    numbers: [
      {},
      {
        prefix: ['Not a valid string.'],
        keywords: { 1: ['Not a valid string.'], 3: ['This field may not be null.'] },
      },
      { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] },
      ['This field may not be null.'],
      {},
    ],
  });
});

test('bodyValidator › an object in place of text, and text in place of an object, are told at the field', () => {
  const validate = bodyValidator(Type.Object({ text: Type.String(), number }));
  assert.deepEqual(validate({ text: {}, number: 'x' }), {
    text: ['Not a valid string.'],
    number: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] },
  });
  assert.deepEqual(validate({ text: '', number: null }), { number: ['This field may not be null.'] });
});

test('bodyValidator › null for a body, and for an item of one, is told as DRF tells it', () => {
  const none = { non_field_errors: ['No data provided'] };
  assert.deepEqual(bodyValidator(order)(null), none);
  assert.deepEqual(bodyValidator(Type.Array(number))(null), none);
  assert.deepEqual(bodyValidator(Type.Array(number))([null]), [['This field may not be null.']]);
});

test('bodyValidator › a body of the wrong kind is told under non_field_errors', () => {
  const dictionary = (type: string) => ({
    non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`],
  });
  assert.deepEqual(bodyValidator(number)([]), dictionary('list'));
  assert.deepEqual(bodyValidator(number)('x'), dictionary('str'));
  assert.deepEqual(bodyValidator(Type.Array(number))({}), {
    non_field_errors: ['Expected a list of items but got type "dict".'],
  });
  assert.deepEqual(bodyValidator(Type.Array(number, { maxItems: 2 }))([{}, {}, {}]), {
    non_field_errors: ['Ensure this field has no more than 2 elements.'],
  });
});

test('bodyValidator › a body that is a list answers with a list', () => {
  assert.deepEqual(bodyValidator(Type.Array(number))([{ prefix: '1' }, {}]), [
    {},
    { prefix: ['This field is required.'] },
  ]);
});

test('bodyValidator › keys such as __proto__, constructor, a/b~c and a line break are keys like any other', () => {
  const body = JSON.parse(
    '{"name":"a","numbers":[],"meta":{"__proto__":1,"constructor":2,"a/b~c":3,"a\\nb":4,"ok":"x"}}',
  );
  const errors = bodyValidator(order)(body);
  const sentence = '["Not a valid string."]';
  assert.equal(
    JSON.stringify(errors),
    `{"meta":{"__proto__":${sentence},"constructor":${sentence},"a/b~c":${sentence},"a\\nb":${sentence}}}`,
  );
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('bodyValidator › a Type.Record checks keys that hold a line break too', () => {
  assert.deepEqual(bodyValidator(Type.Record(Type.String(), Type.String()))({ 'a\nb': 1 }), {
    'a\nb': ['Not a valid string.'],
  });
});

test('bodyValidator › a union reports one variant, the one of the given type', () => {
  const validate = bodyValidator(Type.Object({ to: Type.Union([Type.String(), Type.Array(number)]) }));
  assert.deepEqual(validate({ to: [{ prefix: '1' }, {}] }), { to: [{}, { prefix: ['This field is required.'] }] });
  assert.deepEqual(validate({ to: 5 }), { to: ['Not a valid string.'] });
});

test('bodyValidator › a long list ends with its last bad item, and a thousand sentences are enough', () => {
  const numbers = Array.from({ length: 5_000 }, (_, index) => (index > 10 ? {} : { prefix: '1' }));
  const errors = bodyValidator(order)({ name: 'a', numbers }) as { numbers: object[] };
  assert.equal(errors.numbers.length, 1_011);
});

test('bodyValidator › of a huge body the first mistake is named', () => {
  const numbers = Array.from({ length: 100_000 }, () => ({ prefix: 5 }));
  assert.deepEqual(bodyValidator(order)({ name: 'a', numbers }), { numbers: [{ prefix: ['Not a valid string.'] }] });
});

test('bodyValidator › a schema with a field that every object has, or with a $ref, is refused at start', () => {
  assert.throws(() => bodyValidator(Type.Object({ constructor: Type.String() }))({}), /cannot be named constructor/);
  assert.throws(() => bodyValidator(Type.Object({ a: Type.Ref('Other') }))({}), /self-contained/);
});

test('bodyValidator › the same model twice, with an $id, compiles', () => {
  const model = Type.Object({ a: Type.String() }, { $id: 'Model' });
  const validate = bodyValidator(Type.Object({ one: model, two: model }));
  bodyValidator(model);
  assert.deepEqual(validate({ one: { a: '' }, two: {} }), { two: { a: ['This field is required.'] } });
});
