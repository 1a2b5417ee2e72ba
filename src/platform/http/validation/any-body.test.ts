import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { bodyValidator } from './body.ts';
import { ignoredFields } from './ignored-fields.ts';
import { queryValidator } from './query.ts';
import { nullable, record, tagged } from './schemas.ts';
import { unstorable } from './unstorable.ts';

const leaf = Type.Union([
  Type.String({ format: 'date-time' }),
  Type.Integer({ minimum: 3 }),
  Type.Array(Type.Boolean()),
]);
const fields = {
  a: Type.String({ minLength: 1, maxLength: 3, pattern: '^[a-c]*$' }),
  b: nullable(Type.Integer({ minimum: 0, maximum: 9 })),
  c: Type.Optional(leaf),
  d: Type.Optional(record(leaf, { maxProperties: 2 })),
};
const branch = tagged('a', { b: Type.Optional(Type.Enum(['a', 'b', 1])) }, { a: { c: leaf }, b: Type.Object(fields) });
const rich = Type.Object({
  ...fields,
  list: Type.Array(branch, { maxItems: 4, uniqueItems: true }),
  nested: nullable(Type.Object({ list: Type.Array(Type.Array(leaf)), branch })),
});

// Few names and few texts, so that random bodies often come close to the schema.
const key = fc.constantFrom('a', 'b', 'c', 'd', 'list', 'nested', 'branch', '__proto__', 'constructor', 'a/b~');
const text = fc.oneof(fc.constantFrom('', 'a', 'b', 'abc', '2026-11-15T09:30Z'), fc.string());
const body = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie('object'),
    tie('object'),
    fc.array(tie('value'), { maxLength: 6 }),
  ),
})).value;

function assertProblem(problem: unknown): void {
  if (Array.isArray(problem) && typeof problem[0] === 'string') {
    for (const sentence of problem) assert.match(sentence, /\.$|^No data provided$/);
    assert.equal(new Set(problem).size, problem.length);
    return;
  }
  assert.ok(typeof problem === 'object' && problem !== null);
  if (!Array.isArray(problem)) assert.ok([Object.prototype, null].includes(Object.getPrototypeOf(problem)));
  for (const inner of Object.values(problem)) assertProblem(inner);
}

test('bodyValidator › any value gets null or a body whose leaves are sentences, the same each time', () => {
  const validate = bodyValidator(rich);
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), (value) => {
      const errors = validate(value);
      if (errors === null) return;
      assertProblem(errors);
      assert.ok(Object.keys(errors).length > 0);
      assert.ok(!Array.isArray(errors) || typeof errors[0] === 'object');
      assert.deepEqual(validate(value), errors);
    }),
    { numRuns: 2_000 },
  );
});

test('ignoredFields › any value: what was named is gone, a second look names nothing, and validity stays', () => {
  const validate = bodyValidator(rich);
  const ignored = ignoredFields(rich);
  fc.assert(
    fc.property(body, (value) => {
      const before = validate(value);
      ignored(value);
      assert.deepEqual(ignored(value), []);
      if (before === null) assert.equal(validate(value), null);
    }),
    { numRuns: 1_000 },
  );
});

test('queryValidator › any query string gets an answer', () => {
  const read = queryValidator(Type.Object({ ...fields, c: Type.Optional(Type.Array(Type.Number())) }));
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(text, fc.array(text))), (query) => {
      const { errors } = read(query);
      if (errors) assertProblem(errors);
    }),
  );
});

test('unstorable › any value gets nothing or a body whose leaves are sentences', () => {
  const bad = fc.constantFrom('\0', '\ud800', Number.POSITIVE_INFINITY, 'fine');
  const tree = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      bad,
      fc.dictionary(fc.constantFrom('a', 'b', '\0', '__proto__'), tie('value')),
      fc.array(tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(tree, (value) => {
      const errors = unstorable(value);
      if (errors) assertProblem(errors);
    }),
  );
});
