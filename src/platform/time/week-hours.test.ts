import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { afterOpenMinutes, dayStart, isWithin, type WeekHours, wallMoment, weekdays } from './week-hours.ts';

const office = [{ start: '09:00', end: '17:00' }];
const week: WeekHours = { monday: office, tuesday: office, wednesday: office, thursday: office, friday: office };
const london = 'Europe/London';
const at = (text: string) => new Date(text);

describe('week hours', () => {
  test('a moment is read off the wall of its zone', () => {
    assert.deepEqual(wallMoment(at('2026-07-05T23:30:00Z'), london), {
      date: '2026-07-06',
      weekday: 'monday',
      minute: 30,
    });
    assert.equal(wallMoment(at('2026-07-05T23:30:00Z'), 'America/New_York').weekday, 'sunday');
  });

  test('a day begins at its midnight, also on the day on which clocks are changed', () => {
    const start = (date: string, zone: string) => dayStart(date, zone).toISOString();
    assert.equal(start('2026-03-29', london), '2026-03-29T00:00:00.000Z');
    assert.equal(start('2026-03-30', london), '2026-03-29T23:00:00.000Z');
    assert.equal(start('2026-10-25', london), '2026-10-24T23:00:00.000Z');
    assert.equal(start('2026-11-15', 'Pacific/Kiritimati'), '2026-11-14T10:00:00.000Z');
    assert.equal(start('2026-11-01', 'America/New_York'), '2026-11-01T04:00:00.000Z');
  });

  test('the first minute is in, the last is not, and other days are not', () => {
    const open = (text: string) => isWithin(week, 'UTC', at(text));
    assert.deepEqual(
      ['2026-11-16T08:59:59Z', '2026-11-16T09:00:00Z', '2026-11-16T16:59:59Z', '2026-11-16T17:00:00Z'].map(open),
      [false, true, true, false],
    );
    assert.equal(open('2026-11-15T12:00:00Z'), false, 'Sunday');
  });

  test('a window that passes midnight belongs to the day on which it starts', () => {
    const nights: WeekHours = { friday: [{ start: '22:00', end: '06:00' }] };
    const open = (text: string) => isWithin(nights, 'UTC', at(text));
    assert.deepEqual(
      ['2026-11-20T05:00:00Z', '2026-11-20T22:00:00Z', '2026-11-21T05:59:00Z', '2026-11-21T06:00:00Z'].map(open),
      [false, true, true, false],
    );
    assert.ok(isWithin({ monday: [{ start: '00:00', end: '00:00' }] }, 'UTC', at('2026-11-16T23:59:00Z')), 'all day');
  });

  test('open minutes are counted over nights and weekends, and never end where nothing opens', () => {
    const after = (from: string, minutes: number) => afterOpenMinutes(week, london, at(from), minutes)?.toISOString();
    assert.equal(after('2026-11-20T16:50:00Z', 30), '2026-11-23T09:20:00.000Z', 'from Friday to Monday');
    assert.equal(after('2026-11-21T12:00:00Z', 5), '2026-11-23T09:05:00.000Z');
    assert.equal(afterOpenMinutes({}, london, at('2026-11-21T12:00:00Z'), 1), undefined);
  });

  test('a minute-by-minute count comes to the same moment, also where clocks are changed', () => {
    const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 1, 30, 59));
    const clock = time.map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const day = fc.array(fc.record({ start: clock, end: clock }), { maxLength: 2 });
    const hours = fc.record(Object.fromEntries(weekdays.map((name) => [name, day])));
    const start = fc.integer({ min: Date.UTC(2026, 2, 27) / 60_000, max: Date.UTC(2026, 3, 2) / 60_000 });
    fc.assert(
      fc.property(hours, start, fc.integer({ min: 1, max: 3000 }), (hours, startMinute, minutes) => {
        let [moment, left] = [startMinute, minutes];
        for (; left > 0 && moment < startMinute + 40_000; moment++) {
          if (isWithin(hours, london, new Date(moment * 60_000))) left--;
        }
        const found = afterOpenMinutes(hours, london, new Date(startMinute * 60_000), minutes);
        if (left === 0) assert.equal(found?.toISOString(), new Date(moment * 60_000).toISOString());
      }),
      { numRuns: 25 },
    );
  });
});
