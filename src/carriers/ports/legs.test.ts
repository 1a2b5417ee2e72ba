import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gather, makeKeypad } from './legs.ts';

describe('Keys of a leg', () => {
  const options = { most: 20, finishKey: '#', patienceMs: 1 };
  const question = () => {
    const keypad = makeKeypad();
    const ask = (some: object = {}) =>
      gather({ ...options, ...some }, { keypad, prompt: async () => {}, ended: new Promise(() => {}) });
    const press = (digits: string): void => {
      for (const digit of digits) keypad.press(digit);
    };
    return { keypad, ask, press };
  };

  it('pressed before they are asked for answer the next question, and what is left the one after it', async () => {
    const { ask, press } = question();
    press('12#3');
    assert.equal(await ask(), '12');
    assert.equal(await ask(), '3');
    assert.equal(await ask(), '');
  });

  it('that are more than a question takes are left for the next', async () => {
    const { ask, press } = question();
    const first = ask({ most: 2, patienceMs: 60_000 });
    press('1234');
    assert.equal(await first, '12');
    assert.equal(await ask({ most: 2, patienceMs: 60_000 }), '34');
  });

  it('are kept up to as many as a question takes', async () => {
    const { ask, press } = question();
    press('1'.repeat(50));
    assert.equal(await ask({ most: 50 }), '1'.repeat(20));
  });

  it('that somebody else listens for are not kept', async () => {
    const { keypad, ask, press } = question();
    const heard: string[] = [];
    const stop = keypad.listen((digit) => heard.push(digit));
    press('9');
    stop();
    assert.deepEqual([heard, await ask()], [['9'], '']);
  });
});
