import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaches } from './caches.ts';
import type { Listener } from './db/connect/listener.ts';

/** A listener that hears only itself. */
function makeEcho(): Listener {
  const callbacks: ((detail: string) => void)[] = [];
  return {
    workerNumber: 1,
    on: (_topic, callback) => callbacks.push(callback),
    signal(_topic, detail) {
      for (const callback of callbacks) callback(detail);
    },
    onTakeover() {},
    wakeAll: () => {},
    hear: async () => {},
    poll: { watch: () => ({ listen: () => () => {}, close() {} }) },
    close: async () => {},
  };
}

test('an answer is remembered for a few seconds', () => {
  let nowMs = 0;
  const cache = makeCaches(makeEcho(), () => nowMs).of<string>('tokens');
  cache.set('a', 'one', cache.stamp());
  nowMs = 4_999;
  assert.equal(cache.get('a'), 'one');
  nowMs = 5_000;
  assert.equal(cache.get('a'), undefined);
});

test('what is forgotten is gone at once, and only that', () => {
  const caches = makeCaches(makeEcho());
  const [tokens, senders] = [caches.of<string>('tokens'), caches.of<string>('senders')];
  tokens.set('a', 'one', tokens.stamp());
  senders.set('a', 'two', senders.stamp());
  caches.forget('tokens');
  assert.equal(tokens.get('a'), undefined);
  assert.equal(senders.get('a'), 'two');
});

test('an answer looked up before something was forgotten is not remembered after it', () => {
  const caches = makeCaches(makeEcho());
  const cache = caches.of<string>('tokens');
  const stamp = cache.stamp();
  caches.forget('tokens');
  cache.set('a', 'revoked meanwhile', stamp);
  assert.equal(cache.get('a'), undefined);
});

test('without a name, as after a gap in the notices, everything is forgotten', () => {
  const caches = makeCaches(makeEcho());
  const cache = caches.of<string>('tokens');
  cache.set('a', 'one', cache.stamp());
  caches.forget();
  assert.equal(cache.get('a'), undefined);
});

test('a branch has what is known, keeps to itself what it adds until it is committed, and looks up afresh what it has forgotten', () => {
  const caches = makeCaches(makeEcho());
  const tokens = caches.of<string>('tokens');
  tokens.set('a', 'one', tokens.stamp());
  const branch = caches.branch();
  const inside = branch.caches.of<string>('tokens');
  inside.set('b', 'two', inside.stamp());
  assert.deepEqual([inside.get('a'), inside.get('b'), tokens.get('b')], ['one', 'two', undefined]);
  branch.commit();
  assert.equal(tokens.get('b'), 'two');

  const changing = caches.branch();
  const changed = changing.caches.of<string>('tokens');
  changing.caches.forget('tokens');
  changed.set('a', 'not committed', changed.stamp());
  assert.deepEqual([changed.get('a'), tokens.get('a')], [undefined, 'one']);
  changing.commit();
  assert.equal(tokens.get('a'), undefined);
});

test('a branch of a branch keeps to itself what it adds and forgets until it is committed to the one below', () => {
  const caches = makeCaches(makeEcho());
  const tokens = caches.of<string>('tokens');
  tokens.set('a', 'one', tokens.stamp());
  const below = caches.branch();
  const cache = below.caches.of<string>('tokens');
  const rolledBack = below.caches.branch();
  rolledBack.caches.of<string>('tokens').set('b', 'rolled back', tokens.stamp());
  rolledBack.caches.forget('senders');
  const committed = below.caches.branch();
  const inside = committed.caches.of<string>('tokens');
  inside.set('c', 'two', inside.stamp());
  assert.deepEqual([inside.get('a'), inside.get('b'), cache.get('c')], ['one', undefined, undefined]);
  committed.commit();
  assert.deepEqual([cache.get('b'), cache.get('c'), tokens.get('c')], [undefined, 'two', undefined]);
  const changing = below.caches.branch();
  changing.caches.forget('tokens');
  assert.equal(cache.get('a'), 'one');
  changing.commit();
  assert.deepEqual([cache.get('a'), tokens.get('a')], [undefined, 'one']);
  below.commit();
  assert.equal(tokens.get('a'), undefined);
});

test('what a branch looked up before something was forgotten is not kept when it is committed', () => {
  const caches = makeCaches(makeEcho());
  const branch = caches.branch();
  const inside = branch.caches.of<string>('tokens');
  inside.set('a', 'revoked meanwhile', inside.stamp());
  caches.forget('tokens');
  branch.commit();
  assert.equal(caches.of<string>('tokens').get('a'), undefined);
});

test('however many strangers come, what is asked for all the time stays, and what nobody asked for goes', () => {
  const cache = makeCaches(makeEcho()).of<number>('links');
  const put = (key: string) => cache.set(key, 1, cache.stamp());
  put('asked for');
  put('left alone');
  for (let stranger = 0; stranger < 200_000; stranger++) {
    put(`stranger ${stranger}`);
    if (stranger % 10_000 === 0) assert.equal(cache.get('asked for'), 1);
  }
  assert.equal(cache.get('left alone'), undefined);
});

test('some things may be remembered for longer', () => {
  let nowMs = 0;
  const cache = makeCaches(makeEcho(), () => nowMs).of<string>('links', { keptMs: 60_000 });
  cache.set('a', 'one', cache.stamp());
  nowMs = 59_999;
  assert.equal(cache.get('a'), 'one');
  nowMs = 60_000;
  assert.equal(cache.get('a'), undefined);
});
