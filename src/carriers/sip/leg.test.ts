import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeLeg } from './leg.ts';

const patient = { most: 4, finishKey: '#', patienceMs: 60_000 };

function leg() {
  const hungUp: string[] = [];
  const live = makeLeg({
    id: 'one',
    accountIds: ['a'],
    hangUp() {
      hungUp.push('yes');
      live.end({ by: 'us', code: 200, description: '' });
    },
    ringBefore: () => undefined,
    onOver: () => {},
  });
  return { live, hungUp };
}

const press = (live: ReturnType<typeof leg>['live'], keys: string): void => {
  for (const key of keys) live.press(key);
};

describe('collecting keys', () => {
  it('ends when there are enough', async () => {
    const { live } = leg();
    const gathered = live.leg.gather(patient);
    await Promise.resolve();
    press(live, '12345');
    assert.equal(await gathered, '1234');
  });

  it('ends with the finishing key, which is none of them', async () => {
    const { live } = leg();
    const gathered = live.leg.gather(patient);
    await Promise.resolve();
    press(live, '1*#9');
    assert.equal(await gathered, '1*');
  });

  it('ends when patience ends: before the first, or after the last', async () => {
    const { live } = leg();
    assert.equal(await live.leg.gather({ ...patient, patienceMs: 20 }), '');
    const gathered = live.leg.gather({ ...patient, patienceMs: 20 });
    await Promise.resolve();
    press(live, '7');
    assert.equal(await gathered, '7');
  });

  it('ends with the leg, and asks nothing of one that is over', async () => {
    const { live, hungUp } = leg();
    const gathered = live.leg.gather(patient);
    await live.leg.hangUp();
    assert.equal(await gathered, '');
    assert.equal(await live.leg.gather(patient), '');
    await live.leg.play({ path: '/nowhere', seconds: 1 });
    live.leg.playRinging()();
    await live.leg.hangUp();
    assert.deepEqual(hungUp, ['yes'], 'once');
    assert.deepEqual(await live.leg.ended, { by: 'us', code: 200, description: '' });
  });
});
