import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nextAllowed, type QuietHours, wallTime } from './quiet-hours.ts';

const night = { start: '21:00', end: '08:00' };
const next = (now: string, hours: QuietHours, timeZone: string): string =>
  nextAllowed(new Date(now), hours, timeZone).toISOString();

const clocks = new Map<string, Intl.DateTimeFormat>();
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clocks.set(timeZone, format);
  return format;
}

/**
 * What a person in the zone would find: looks at the clock every minute until it is not quiet any more. Whoever knows that it stays
 * so for longer may look less often, and then finds out when it began.
 */
function watchTheClock(now: Date, { start, end }: QuietHours, timeZone: string, everyMinutes = 1): Date {
  const format = clockOf(timeZone);
  const isQuiet = (moment: number): boolean => {
    const time = format.format(moment);
    return start <= end ? time >= start && time < end : time >= start || time < end;
  };
  if (!isQuiet(now.getTime())) return now;
  let moment = Math.floor(now.getTime() / 60_000) * 60_000;
  while (isQuiet(moment)) moment += everyMinutes * 60_000;
  while (!isQuiet(moment - 60_000)) moment -= 60_000;
  return new Date(moment);
}

/** Zones whose clocks change, each with moments close to it: by an hour, by half of one, by a whole day, at midnight. */
const changes: [string, string][] = [
  ['Europe/London', '2026-03-29T01:00Z'],
  ['Europe/London', '2026-10-25T01:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['America/St_Johns', '2010-11-07T02:31Z'],
  ['America/Havana', '2026-03-08T05:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['Australia/Sydney', '2026-04-04T16:00Z'],
  ['Australia/Sydney', '2026-10-03T16:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Chatham', '2026-09-26T14:00Z'],
];

const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((numbers) => numbers.map((number) => String(number).padStart(2, '0')).join(':'));

describe('quiet hours', () => {
  it('it is now, unless it is quiet; the start is quiet and the end is not', () => {
    assert.equal(next('2026-01-05T20:59:59.999Z', night, 'UTC'), '2026-01-05T20:59:59.999Z');
    assert.equal(next('2026-01-05T21:00:00.000Z', night, 'UTC'), '2026-01-06T08:00:00.000Z');
    assert.equal(next('2026-01-06T07:59:59.999Z', night, 'UTC'), '2026-01-06T08:00:00.000Z');
    assert.equal(next('2026-01-06T08:00:00.000Z', night, 'UTC'), '2026-01-06T08:00:00.000Z');
    assert.equal(next('2026-01-06T13:30:00.000Z', { start: '13:00', end: '14:00' }, 'UTC'), '2026-01-06T14:00:00.000Z');
    assert.equal(next('2026-01-06T13:30:00.000Z', { start: '13:30', end: '13:30' }, 'UTC'), '2026-01-06T13:30:00.000Z');
  });

  it('the morning is eight by the clock on the wall, also after the clocks were changed', () => {
    assert.equal(next('2026-03-28T22:00:00Z', night, 'Europe/London'), '2026-03-29T07:00:00.000Z');
    assert.equal(next('2026-10-24T22:00:00Z', night, 'Europe/London'), '2026-10-25T08:00:00.000Z');
    assert.equal(next('2026-03-08T03:00:00Z', night, 'America/New_York'), '2026-03-08T12:00:00.000Z');
    assert.equal(next('2026-04-04T12:00:00Z', night, 'Australia/Sydney'), '2026-04-04T22:00:00.000Z');
  });

  it('an end that the clocks jump over is where they jump to; of one that comes twice the first counts', () => {
    const early = { start: '22:00', end: '01:30' };
    assert.equal(next('2026-03-29T00:10:00Z', early, 'Europe/London'), '2026-03-29T01:00:00.000Z');
    assert.equal(next('2026-10-24T23:10:00Z', early, 'Europe/London'), '2026-10-25T00:30:00.000Z');
  });

  it('around every kind of change it answers what somebody who watches the clock would', () => {
    const halfMinutes = fc.integer({ min: -3 * 2880, max: 2880 });
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        halfMinutes,
        clockTime,
        clockTime,
        ([zone, change], shift, start, end) => {
          const now = new Date(Date.parse(change) + shift * 30_000);
          assert.deepEqual(nextAllowed(now, { start, end }, zone), watchTheClock(now, { start, end }, zone));
        },
      ),
      { numRuns: 600 },
    );
  });

  it('every zone that there is can be asked, in every month of a year', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (let month = 0; month < 12; month++) {
        const now = new Date(Date.UTC(2026, month, 7, month * 2, 17));
        const allowed = nextAllowed(now, night, zone);
        assert.deepEqual(allowed, watchTheClock(now, night, zone, 20), `${zone} ${now.toISOString()}`);
        if (allowed !== now) assert.equal(wallTime(allowed, zone), '08:00');
      }
    }
  });
});
