import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listener } from './db/listener.ts';
import { makeMemories, noMemories } from './memory.ts';

/** A listener that hears only itself. */
function makeEcho(): Listener {
  const callbacks: ((detail: string) => void)[] = [];
  return {
    workerNumber: 1,
    on: (_topic, callback) => callbacks.push(callback),
    signal(_topic, detail) {
      for (const callback of callbacks) callback(detail);
    },
    wakeAll: () => {},
    close: async () => {},
  };
}

test('an answer is remembered for a few seconds', () => {
  let nowMs = 0;
  const memory = makeMemories(makeEcho(), () => nowMs).of<string>('tokens');
  memory.set('a', 'one', memory.stamp());
  nowMs = 4_999;
  assert.equal(memory.get('a'), 'one');
  nowMs = 5_000;
  assert.equal(memory.get('a'), undefined);
});

test('what is forgotten is gone at once, and only that', () => {
  const memories = makeMemories(makeEcho());
  const [tokens, senders] = [memories.of<string>('tokens'), memories.of<string>('senders')];
  tokens.set('a', 'one', tokens.stamp());
  senders.set('a', 'two', senders.stamp());
  memories.forget('tokens');
  assert.equal(tokens.get('a'), undefined);
  assert.equal(senders.get('a'), 'two');
});

test('an answer looked up before something was forgotten is not remembered after it', () => {
  const memories = makeMemories(makeEcho());
  const memory = memories.of<string>('tokens');
  const stamp = memory.stamp();
  memories.forget('tokens');
  memory.set('a', 'revoked meanwhile', stamp);
  assert.equal(memory.get('a'), undefined);
});

test('without a name, as after a gap in the notices, everything is forgotten', () => {
  const memories = makeMemories(makeEcho());
  const memory = memories.of<string>('tokens');
  memory.set('a', 'one', memory.stamp());
  memories.forget();
  assert.equal(memory.get('a'), undefined);
});

test('inside a transaction nothing is remembered, but forgetting reaches everybody', () => {
  const memories = makeMemories(makeEcho());
  const memory = memories.of<string>('tokens');
  memory.set('a', 'one', memory.stamp());
  const inside = noMemories(memories);
  assert.equal(inside.of('tokens').get('a'), undefined);
  inside.of<string>('tokens').set('b', 'two', 0);
  assert.equal(memory.get('b'), undefined);
  inside.forget('tokens');
  assert.equal(memory.get('a'), undefined);
});

test('however many strangers come, what is asked for all the time stays, and what nobody asked for goes', () => {
  const memory = makeMemories(makeEcho()).of<number>('links');
  const put = (key: string) => memory.set(key, 1, memory.stamp());
  put('asked for');
  put('left alone');
  for (let stranger = 0; stranger < 200_000; stranger++) {
    put(`stranger ${stranger}`);
    if (stranger % 10_000 === 0) assert.equal(memory.get('asked for'), 1);
  }
  assert.equal(memory.get('left alone'), undefined);
});

test('some things may be remembered for longer', () => {
  let nowMs = 0;
  const memory = makeMemories(makeEcho(), () => nowMs).of<string>('links', { rememberedMs: 60_000 });
  memory.set('a', 'one', memory.stamp());
  nowMs = 59_999;
  assert.equal(memory.get('a'), 'one');
  nowMs = 60_000;
  assert.equal(memory.get('a'), undefined);
});
