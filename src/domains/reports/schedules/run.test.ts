import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextDue, spanBefore } from './run.ts';

describe('The time of a report', () => {
  const rhythm = { every: 'day', weekday: 'monday', hour: 8, days: null } as const;
  const next = (now: string, change: object = {}) =>
    nextDue(new Date(now), { ...rhythm, ...change }, 'Europe/London').toISOString();

  test('is the hour of the zone: every day, on a weekday, or on the first of a month', () => {
    assert.equal(next('2026-07-01T06:59:30Z'), '2026-07-01T07:00:00.000Z');
    assert.equal(next('2026-11-17T09:00:00Z', { every: 'week' }), '2026-11-23T08:00:00.000Z');
    assert.equal(next('2026-11-23T08:00:00Z', { every: 'week' }), '2026-11-30T08:00:00.000Z');
    assert.equal(next('2026-11-17T09:00:00Z', { every: 'month' }), '2026-12-01T08:00:00.000Z');
  });

  test('it tells of the days before: one, seven, a month of the calendar, or as many as were asked for', () => {
    assert.deepEqual(spanBefore('2026-03-01', rhythm), { from: '2026-02-28', to: '2026-02-28' });
    assert.deepEqual(spanBefore('2026-03-02', { ...rhythm, every: 'week' }), { from: '2026-02-23', to: '2026-03-01' });
    assert.deepEqual(spanBefore('2026-03-01', { ...rhythm, every: 'month' }), { from: '2026-02-01', to: '2026-02-28' });
    assert.deepEqual(spanBefore('2026-03-01', { ...rhythm, days: 30 }), { from: '2026-01-30', to: '2026-02-28' });
  });
});
