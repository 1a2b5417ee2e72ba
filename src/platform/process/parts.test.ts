import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connectionsOf,
  countProcesses,
  fittingProcesses,
  holdsConnections,
  restartDelayMs,
  shareOfConnections,
} from './parts.ts';

test('auto: one process on one or two cores, else one for each core but one, eight at most', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 9, 64].map((cores) => countProcesses('auto', cores)),
    [1, 1, 2, 3, 8, 8],
  );
});

test('a number is what it says, whatever the machine', () => {
  assert.deepEqual(
    ['1', '2', '64'].map((setting) => countProcesses(setting, 4)),
    [1, 2, 64],
  );
});

test('of the wanted processes as many run as PostgreSQL has connections for, and always one', () => {
  assert.equal(fittingProcesses(8, connectionsOf(8)), 8);
  assert.ok(fittingProcesses(8, 100) < 8);
  for (const most of [1, 50, 100, 150]) {
    const fitting = fittingProcesses(8, most);
    assert.ok(fitting === 1 || connectionsOf(fitting) <= most, `${fitting} for ${most}`);
  }
  assert.equal(fittingProcesses(8, 1), 1);
});

test('one that ends again and again is waited for longer, 30 seconds at most; who lived a minute begins anew', () => {
  const delays = [0];
  for (let n = 0; n < 7; n++) delays.push(restartDelayMs(delays.at(-1)!, 500));
  assert.deepEqual(delays.slice(1), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  assert.equal(restartDelayMs(30_000, 59_999), 30_000);
  assert.equal(restartDelayMs(30_000, 60_000), 1_000);
});

test('one process alone has the connections of the carriers', () => {
  const count = 4;
  assert.deepEqual(
    [1, 2, 3, 4].filter((number) => holdsConnections({ number, count })),
    [1],
  );
});

test('a process takes a little more connections than an equal part, and never more than there may be', () => {
  assert.equal(shareOfConnections(1_000, 4), 314);
  assert.equal(shareOfConnections(10_000, 4), 2_700);
  assert.equal(shareOfConnections(1_000, 1), 1_000);
  assert.equal(shareOfConnections(2, 4), 2);
});
