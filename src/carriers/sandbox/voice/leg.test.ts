import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LegStory, makeLeg } from './leg.ts';
import { makeVoiceTime } from './time.ts';

const startedMs = Date.now();
const time = makeVoiceTime({ nowMs: () => startedMs + (Date.now() - startedMs) * 1000, speed: () => 1000 });
const options = { most: 4, finishKey: '#', patienceMs: 5_000 };

function legWith(digits: string[]) {
  const stories: LegStory[] = [];
  const phone = {
    accountId: 'a',
    uuid: 'u',
    direction: 'INBOUND',
    phone: '1',
    other: '2',
    digits,
    speaksMs: undefined,
  };
  const leg = makeLeg({ ...phone, direction: 'INBOUND' }, time, ({ story }) => {
    const told = story();
    if (told.end) stories.push(told);
  });
  return { leg, stories };
}

describe('A leg of the sandbox', () => {
  it('gives the digits of each time it is asked, up to the finish key or the most that are wanted', async () => {
    const { leg } = legWith(['12#', '', '345', '123456']);
    const answers: string[] = [];
    for (let time = 1; time <= 5; time++) answers.push(await leg.gather(options));
    assert.deepEqual(answers, ['12', '', '345', '1234', '']);
  });

  it('the first digit stops what is played, and the phone tells how much of it was heard', async () => {
    const { leg, stories } = legWith(['12#']);
    const seconds = 36_000_000;
    await leg.gather(options, { path: '/sounds/menu', seconds });
    await leg.hangUp();
    const [story] = stories;
    assert.equal(story!.pressed, '12#');
    assert.equal(story!.heard[0]!.sound, 'menu');
    assert.ok(story!.heard[0]!.seconds < seconds);
  });

  it('keys that are pressed by hand are gathered, and each of them gives the person more time', async () => {
    const { leg } = legWith([]);
    const gathered = leg.gather(options, { path: '/sounds/menu', seconds: 3600 });
    for (const key of '12') {
      await time.wait('a', 3_000);
      leg.press(key);
    }
    await time.wait('a', 3_000);
    leg.press('#');
    assert.equal(await gathered, '12');
    leg.press('9');
    assert.deepEqual([leg.story().pressed, leg.story().heard.length], ['12#9', 1]);
  });

  it('tells what is heard at this moment, and afterwards for how long it was', () => {
    const { leg } = legWith([]);
    const stop = leg.hear('talk');
    assert.deepEqual([leg.story().hearing?.sound, leg.story().heard], ['talk', []]);
    stop();
    assert.deepEqual([leg.story().hearing, leg.story().heard.map(({ sound }) => sound)], [null, ['talk']]);
  });

  it('whatever is asked of it when it is over does nothing, and nothing rejects', async () => {
    const { leg, stories } = legWith(['1']);
    const playing = leg.play({ path: '/sounds/long', seconds: 1e6 });
    leg.end({ by: 'peer', code: 200, description: '' });
    await playing;
    await leg.play({ path: '/sounds/late', seconds: 1e6 });
    leg.playRinging()();
    assert.equal(await leg.gather(options), '');
    await leg.hangUp();
    assert.deepEqual(await leg.ended, { by: 'peer', code: 200, description: '' });
    assert.equal(stories.length, 1);
    assert.deepEqual(
      stories[0]!.heard.map(({ sound }) => sound),
      ['long'],
    );
  });
});
