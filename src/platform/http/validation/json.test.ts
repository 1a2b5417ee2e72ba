import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));
const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

test('parseJson › any JSON that can be stored comes back as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      let value: unknown;
      try {
        value = parse(text);
      } catch (error) {
        assert.match(text, /\\u0000|\\ud|__proto__|[eE]\+?\d{3}/i, String(error));
        return;
      }
      assert.deepEqual(value, JSON.parse(text));
    }),
  );
});

test('parseJson › malformed text is a parse error that gives the place and quotes nothing', () => {
  const details: [string, string][] = [
    ['{"a" secret}', 'JSON parse error - malformed at line 1 column 6'],
    ['{\n"a": 1,\n}', 'JSON parse error - malformed at line 3 column 1'],
    ['{"a": secret}', 'JSON parse error - unexpected character'],
    ['[1, 2', 'JSON parse error - malformed at line 1 column 6'],
    ['nul', 'JSON parse error - unexpected end of input'],
    ['', 'JSON parse error - unexpected end of input'],
  ];
  for (const [text, message] of details)
    assert.throws(() => parse(text), { code: 'parse_error', status: 400, message });
});

test('parseJson › bytes that are not UTF-8 are a parse error; a byte order mark is skipped', () => {
  const message = 'JSON parse error - the body is not valid UTF-8';
  assert.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), { message });
  // A surrogate, written as UTF-8 must not write it.
  assert.throws(() => parseJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), { message });
  assert.deepEqual(parseJson(Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d])), []);
});

test('parseJson › 64 levels are read, 65 are refused, and so are half a million', () => {
  const message = 'JSON parse error - nested deeper than 64 levels';
  assert.deepEqual(parse(nested(64)), JSON.parse(nested(64)));
  assert.throws(() => parse(nested(65)), { message });
  assert.throws(() => parse('{"a":'.repeat(65) + '1' + '}'.repeat(65)), { message });
  assert.throws(() => parse(nested(500_000)), { message });
  assert.throws(() => parse('['.repeat(10_000)), { message });
});

test('parseJson › brackets side by side or inside strings are not depth', () => {
  const list = `[${Array(100).fill('[]').join()}]`;
  assert.deepEqual(parse(list), JSON.parse(list));
  const text = JSON.stringify([`"${'['.repeat(100)}\\`, '{'.repeat(100)]);
  assert.deepEqual(parse(text), JSON.parse(text));
});

test('parseJson › a key __proto__ is refused however it is written, a value is not', () => {
  const message = 'JSON parse error - the key "__proto__" is not allowed';
  assert.throws(() => parse('{"a":[{"__proto__":{"b":1}}]}'), { message });
  assert.throws(() => parse('{"\\u005f\\u005Fproto_\\u005f":1}'), { message });
  assert.deepEqual(parse('{"a":"__proto__"}'), { a: '__proto__' });
});

test('parseJson › null characters and lone surrogates are errors of their fields', () => {
  const bad: [string, unknown][] = [
    ['{"text":"a\\u0000"}', { text: ['Null characters are not allowed.'] }],
    ['{"text":"\\uD83D"}', { text: ['Surrogate characters are not allowed.'] }],
    ['"\\udc00"', { non_field_errors: ['Surrogate characters are not allowed.'] }],
    ['{"a":{"\\u0000":1}}', { a: { non_field_errors: ['Null characters are not allowed.'] } }],
    ['{"a":["x","\\u0000"]}', { a: { 1: ['Null characters are not allowed.'] } }],
    ['[{},{"a":"\\u0000"},{}]', [{}, { a: ['Null characters are not allowed.'] }, {}]],
  ];
  for (const [text, errors] of bad) assert.throws(() => parse(text), { name: 'ValidationError', errors });
});

test('parseJson › a thousand bad fields are enough', () => {
  const isCut = (error: { errors: object }) => Object.keys(error.errors).length === 1_000;
  assert.throws(() => parse(`[${Array(5_000).fill('"\\u0000"').join()}]`), isCut);
});

test('parseJson › escapes that spell whole characters are fine', () => {
  assert.equal(parse('"\\uD83D\\uDE00 \\\\u0000 \\u0001"'), '😀 \\u0000 \u0001');
});

test('parseJson › numbers beyond a double are errors of their fields, not nulls later', () => {
  const errors = { a: { b: ['A valid number is required.'] } };
  for (const number of ['1e400', '-1E+0400', '9'.repeat(400), `${'9'.repeat(290)}e50`, `${'9'.repeat(290)}.5e50`]) {
    assert.throws(() => parse(`{"a":{"b":${number}}}`), { name: 'ValidationError', errors }, number);
  }
  assert.deepEqual(parse('[1e308, 1e-999]'), [1e308, 0]);
});
