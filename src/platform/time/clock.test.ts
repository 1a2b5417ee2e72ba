import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp, timestampFromDatabase } from './clock.ts';

test('a database timestamp keeps its microseconds and always shows six digits', () => {
  assert.equal(timestampFromDatabase('2026-11-15 09:30:00.123456+00'), '2026-11-15T09:30:00.123456Z');
  assert.equal(timestampFromDatabase('2026-11-15 09:30:00.12+00'), '2026-11-15T09:30:00.120000Z');
  assert.equal(timestampFromDatabase('2026-11-15 09:30:00+00'), '2026-11-15T09:30:00.000000Z');
});

test('a timestamp that is not UTC is a mistake of ours and is not passed on', () => {
  assert.throws(() => timestampFromDatabase('2026-11-15 09:30:00+01'));
});

test('a moment of the program has the same form', () => {
  assert.equal(timestamp(new Date('2026-11-15T09:30:00.123Z')), '2026-11-15T09:30:00.123000Z');
});
