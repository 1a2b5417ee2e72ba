import assert from 'node:assert/strict';
import { it } from 'node:test';
import { timeZoneOf } from './knowledge.ts';

it('a number tells the zone of its country where that has but one time, and nothing elsewhere', () => {
  const expected: [string, string | undefined][] = [
    ['447700900123', 'Europe/London'],
    ['33612345678', 'Europe/Paris'],
    ['819012345678', 'Asia/Tokyo'],
    // Countries that share a calling code: of one time, and told apart by the number.
    ['390612345678', 'Europe/Rome'],
    ['18765550123', 'America/Jamaica'],
    ['12125550100', undefined],
    ['79161234567', undefined],
    ['61412345678', undefined],
    ['80012345678', undefined],
    ['999123456', undefined],
    ['4', undefined],
    ['', undefined],
  ];
  for (const [digits, zone] of expected) {
    assert.equal(timeZoneOf(digits), zone, digits);
    assert.equal(timeZoneOf(digits), zone, `${digits} once more, remembered`);
  }
});
