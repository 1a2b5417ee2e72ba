import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Phone } from '../openapi/models.ts';
import { aliasOf, queryValidator } from './query.ts';

const read = queryValidator(
  Type.Object({
    page_size: Type.Integer({ minimum: 1, maximum: 200, default: 25 }),
    latitude: Type.Optional(Type.Number()),
    enabled: Type.Optional(Type.Boolean()),
    capabilities: Type.Optional(Type.Array(Type.Enum(['SMS', 'VOICE']))),
    ids: Type.Optional(Type.Array(Type.Integer())),
    q: Type.Optional(Type.String()),
  }),
);

test('queryValidator › text becomes what the schema asks for', () => {
  const query = { page_size: '50', latitude: '-1.5', enabled: 'True', capabilities: 'SMS,VOICE', ids: '7', q: '5' };
  const value = { page_size: 50, latitude: -1.5, enabled: true, capabilities: ['SMS', 'VOICE'], ids: [7], q: '5' };
  assert.deepEqual(read(query), { value, errors: undefined });
});

test('queryValidator › repeated and comma-separated lists are one list; else the last one counts', () => {
  const { value, errors } = read({ ids: ['1,2', '3'], q: ['a', 'b'] });
  assert.equal(errors, undefined);
  assert.deepEqual(value, { page_size: 25, ids: [1, 2, 3], q: 'b' });
});

test('queryValidator › an empty value is absent, an absent one has its default, unknown ones stay', () => {
  assert.deepEqual(read({ page_size: '', q: '', other: 'x' }).value, { other: 'x', page_size: 25 });
});

test('queryValidator › what does not read as its type is refused in the words of a body', () => {
  const query = { page_size: '0', latitude: '0x10', enabled: 'maybe', capabilities: 'SMS,FAX', ids: '1,two, 3' };
  assert.deepEqual(read(query).errors, {
    page_size: ['Ensure this value is greater than or equal to 1.'],
    latitude: ['A valid number is required.'],
    enabled: ['Must be a valid boolean.'],
    capabilities: { 1: ['"FAX" is not a valid choice.'] },
    ids: { 1: ['A valid integer is required.'], 2: ['A valid integer is required.'] },
  });
});

test('queryValidator › a null character is refused, whether the parameter is known or not', () => {
  assert.deepEqual(read({ q: 'a\0' }).errors, { q: ['Null characters are not allowed.'] });
  assert.deepEqual(read({ x: 'a\0' }).errors, { x: ['Null characters are not allowed.'] });
});

test('queryValidator › leaves the query it was given alone, and shares no default between calls', () => {
  const query = Object.freeze({ page_size: '5' });
  assert.deepEqual(read(query).value, { page_size: 5 });
  const lists = queryValidator(Type.Object({ a: Type.Array(Type.String(), { default: ['x'] }) }));
  lists({}).value.a.push('y');
  assert.deepEqual(lists({}).value, { a: ['x'] });
});

test('queryValidator › an alias means what it is an alias of, is refused under its own name, and is not given twice', () => {
  const list = queryValidator(Type.Object({ to: Type.Optional(Phone()), to_number: aliasOf('to', Phone()) }));
  assert.deepEqual(list({ to_number: '07700 900123' }, 'GB'), { value: { to: '+447700900123' }, errors: undefined });
  assert.deepEqual(list({ to_number: '' }).value, {});
  assert.deepEqual(list({ to_number: 'x' }).errors, { to_number: ['Enter a valid phone number.'] });
  const twice = list({ to: '+447700900123', to_number: '+447700900123' });
  assert.deepEqual(twice.errors, { to_number: ['Give to or to_number, not both.'] });
});
