import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { coercion } from './coerce.ts';
import { nullable, record, tagged } from './schemas.ts';

const phoneOrNone = Type.Union([Type.String({ format: 'phone' }), Type.Literal('')]);
const oneOrMany = Type.Union([Type.String(), Type.Array(Type.String())]);
const message = tagged(
  'type',
  { to: Type.String() },
  { TEXT: { body: Type.String() }, COUNT: { many: Type.Integer() } },
);

/** A schema, a value, and how it is read: as the serializers of the Django REST Framework 3.14 read it. */
const readings: [TSchema, unknown, unknown][] = [
  [Type.String(), 1250000, '1250000'],
  [Type.String(), 1.5, '1.5'],
  [Type.String(), 447700900123, '447700900123'],
  [Type.String(), '  two words \n', 'two words'],
  [Type.String(), '\u00a0x\u3000', 'x'],
  [Type.String(), true, true],
  [Type.String(), null, null],
  [Type.String(), [1], [1]],
  [Type.String(), 2 ** 60, 2 ** 60],
  [nullable(Type.String()), 5, '5'],
  [nullable(Type.String()), null, null],
  [Type.Integer(), '30', 30],
  [Type.Integer(), ' 30 ', 30],
  [Type.Integer(), '-5', -5],
  [Type.Integer(), '30.0', 30],
  [Type.Integer(), '30.5', '30.5'],
  [Type.Integer(), '', ''],
  [Type.Integer(), true, true],
  [Type.Number(), '1.25', 1.25],
  [Type.Number(), 'NaN', 'NaN'],
  [Type.Number(), '1e9', '1e9'],
  [Type.Boolean(), 'true', true],
  [Type.Boolean(), 'Off', false],
  [Type.Boolean(), 1, true],
  [Type.Boolean(), 0, false],
  [Type.Boolean(), 'maybe', 'maybe'],
  [Type.Enum(['1', '2']), 1, '1'],
  [Type.Enum(['A']), ' A ', ' A '],
  [Type.Array(Type.String()), [1, ' a '], ['1', 'a']],
  [Type.Array(Type.Integer()), ['1', 2], [1, 2]],
  [record(Type.String()), { a: 1, b: ' x ' }, { a: '1', b: 'x' }],
  [phoneOrNone, 447700900123, '447700900123'],
  [phoneOrNone, '  ', ''],
  [oneOrMany, 5, '5'],
  [oneOrMany, [5], ['5']],
  [Type.Union([Type.String(), Type.Integer()]), ' 5 ', ' 5 '],
  [Type.Unknown(), ' 5 ', ' 5 '],
  [record(Type.Unknown()), { a: ' 5 ' }, { a: ' 5 ' }],
  [Type.Object({ password: Type.String() }), { password: ' x ' }, { password: ' x ' }],
  [message, { type: 'TEXT', to: 44, body: ' hi ' }, { type: 'TEXT', to: '44', body: 'hi' }],
  [message, { type: 'COUNT', to: ' 44', many: '3' }, { type: 'COUNT', to: '44', many: 3 }],
  [message, { type: 'NONE', to: ' 44', many: '3' }, { type: 'NONE', to: '44', many: '3' }],
];

for (const [schema, value, read] of readings) {
  test(`coercion › ${JSON.stringify(value)} for ${JSON.stringify(schema)} is ${JSON.stringify(read)}`, () => {
    assert.deepEqual(coercion(Type.Object({ field: schema }))({ field: structuredClone(value) }), { field: read });
    assert.deepEqual(coercion(Type.Array(schema))([structuredClone(value)]), [read]);
  });
}

test('coercion › a field named __proto__ is a field like any other, and what has no such field gets none', () => {
  const body = JSON.parse('{"__proto__": 5, "a": 1}');
  assert.deepEqual(Object.entries(coercion(record(Type.String()))(body) as object), [
    ['__proto__', '5'],
    ['a', '1'],
  ]);
  assert.deepEqual(coercion(Type.Object({ name: Type.String() }))({}), {});
});
