import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIdSource, newCode } from './ids.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDv7 and begin with the millisecond', () => {
  const id = makeIdSource(() => 0x0123456789ab)();
  assert.match(id, form);
  assert.equal(id.slice(0, 13).replace('-', ''), '0123456789ab');
});

test('ids of one process strictly increase, even within a millisecond and when the clock is set back', () => {
  const moments = [5_000, 5_000, 4_000, 4_000, 6_000];
  const next = makeIdSource(() => moments.shift() ?? 6_000);
  const ids = Array.from({ length: 20_000 }, next);
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids.slice(0, 5_000)) assert.match(id, form);
});

test('codes have the asked length and only unambiguous characters', () => {
  const codes = Array.from({ length: 2_000 }, () => newCode(10));
  for (const code of codes) assert.match(code, /^[2-9bcdfghjkmnpqrstvwxyz]{10}$/);
  assert.equal(new Set(codes).size, codes.length);
});
