import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../test/kit/until.ts';
import { makeVoiceTime } from './time.ts';

const account = 'a';

/** A clock that stands still until it is stepped. */
function standing() {
  let nowMs = 1_000_000;
  const time = makeVoiceTime({ nowMs: () => nowMs, speed: () => 0 });
  return {
    time,
    step(ms: number) {
      nowMs += ms;
      time.moved();
    },
  };
}

describe('The time of calls', () => {
  it('stands still with its clock, and passes when that is stepped', async () => {
    const { time, step } = standing();
    let isOver = false;
    const waiting = time.wait(account, 25_000).then(() => {
      isOver = true;
    });
    const before = time.wait(account, 24_999);
    step(24_999);
    await before;
    assert.equal(isOver, false);
    step(1);
    await waiting;
  });

  it('a step over many things lets them happen in their order, each at its own moment', async () => {
    const { time, step } = standing();
    const start = time.now(account);
    const at: [string, number][] = [];
    const note = (what: string) => at.push([what, time.now(account) - start]);
    const story = async () => {
      await time.wait(account, 25_000);
      note('nobody answered');
      // As long as a slow statement takes.
      await sleep(40);
      await time.wait(account, 4_000);
      note('the greeting is over');
      await time.wait(account, 120_000);
      note('the message is over');
    };
    const other = time.wait(account, 60_000).then(() => note('another call'));
    const told = story();
    step(3_600_000);
    await Promise.all([told, other]);
    assert.deepEqual(at, [
      ['nobody answered', 25_000],
      ['the greeting is over', 29_000],
      ['another call', 60_000],
      ['the message is over', 149_000],
    ]);
    await until(() => time.now(account) - start === 3_600_000);
  });

  it('whoever gives up waiting is not waited for', async () => {
    const { time } = standing();
    const controller = new AbortController();
    const waiting = time.wait(account, 25_000, controller.signal);
    controller.abort();
    await waiting;
    await time.wait(account, 25_000, AbortSignal.abort());
  });

  it('runs by itself where the clock does, faster where that is faster', async () => {
    const startedMs = Date.now();
    const time = makeVoiceTime({ nowMs: () => startedMs + (Date.now() - startedMs) * 1000, speed: () => 1000 });
    const clock = new AbortController();
    const realTime = sleep(25_000, 'real time', { signal: clock.signal });
    assert.equal(await Promise.race([time.wait(account, 25_000), realTime]), undefined);
    assert.ok(Date.now() - startedMs >= 24);
    clock.abort();
    await assert.rejects(realTime, { name: 'AbortError' });
  });

  it('of a call that begins when nobody is on the phone does not lag behind, however late the last call was', async () => {
    const start = 1_000_000;
    const clock = { nowMs: start, speed: 25 };
    const time = makeVoiceTime({ nowMs: () => clock.nowMs, speed: () => clock.speed });
    const lastCall = time.wait(account, 1_000);
    clock.nowMs = start + 60_000;
    time.moved();
    await lastCall;
    assert.equal(time.now(account), start + 1_000, 'the last call was late');
    time.skipAhead(account);
    assert.equal(time.now(account), start + 60_000);
    clock.speed = 1;
    const rang = time.wait(account, 25_000).then(() => time.now(account));
    clock.nowMs += 25_000;
    time.moved();
    assert.equal(await rang, start + 85_000, 'ringing takes its time');
  });

  it('of one account does not wait for that of another', async () => {
    const { time, step } = standing();
    const waiting = Promise.all(['a', 'b', 'c'].map((one) => time.wait(one, 1_000)));
    step(1_000);
    await waiting;
  });
});
