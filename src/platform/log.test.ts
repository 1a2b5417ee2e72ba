import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLog } from './log.ts';
import { inRequest, outsideRequests } from './observe/context.ts';

function record() {
  const lines: Record<string, unknown>[] = [];
  const log = makeLog({ level: 'debug', pretty: false, to: { write: (line) => void lines.push(JSON.parse(line)) } });
  return { log, lines };
}

test('a line names its level by a word, has its time in UTC, and hides secrets', () => {
  const { log, lines } = record();
  log.debug('a');
  log.info('b');
  log.warn({ link: { password: 'hunter2' } }, 'c');
  log.error('d');
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['debug', 'info', 'warn', 'error'],
  );
  assert.match(String(lines[0]!['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(lines[2]!['link'], { password: '[secret]' });
});

test('a line that is written for a request says which, and in whose trace', async () => {
  const { log, lines } = record();
  await inRequest({ requestId: 'r-1' }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    log.info('within');
    outsideRequests(() => log.info('for many'));
  });
  inRequest({ requestId: 'r-2', traceId: 'ab', spanId: 'cd' }, () => log.info({ requestId: 'r-3' }, 'traced'));
  log.info('without');
  const told = lines.map(({ msg, requestId, trace_id, span_id }) => [msg, requestId, trace_id, span_id]);
  assert.deepEqual(told, [
    ['within', 'r-1', undefined, undefined],
    ['for many', undefined, undefined, undefined],
    ['traced', 'r-3', 'ab', 'cd'],
    ['without', undefined, undefined, undefined],
  ]);
});
