import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import type { Outcome } from '../ports/chat.ts';
import { faults, takeFaults } from './faults.ts';

// No worker: the tests hand over by themselves, so that the order is theirs.
let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

const url = '/v2/sandbox/faults/';
const set = (kind: string, count?: number, options = {}) =>
  app.call('POST', url, { carrier: 'sandbox', kind, ...(count !== undefined && { count }) }, options);
const left = async (token = app.token): Promise<[string, number][]> =>
  (await app.call('GET', url, undefined, { token })).body.results.map((fault: { kind: string; left: number }) => [
    fault.kind,
    fault.left,
  ]);

const handOver = (count: number, to = '+447700912345', accountId = app.accountId): Promise<Outcome[]> => {
  const sender = { accountId, uuid: newId(), number: '+447700900001', settings: {} };
  const messages = Array.from({ length: count }, () => ({
    accountId,
    uuid: newId(),
    senderNumber: sender.number,
    toNumber: to,
    type: 'TEXT',
    content: { text: { body: 'Hello' } },
    carrierIds: new Map(),
    attempt: 1,
  }));
  handedOver = messages.map(({ uuid }) => uuid);
  return app.deps.carriers.get('sandbox', 'chat').chat.send(sender, messages);
};
let handedOver: string[] = [];
const kindsOf = (outcomes: Outcome[]): string[] => outcomes.map(({ kind }) => kind);
const taken = async (): Promise<boolean[]> => {
  const found = await app.deps.carriers.get('sandbox', 'chat').chat.find(app.accountId, handedOver);
  return handedOver.map((uuid) => found.get(uuid) !== 'absent');
};

describe(`POST ${url}`, () => {
  test('201 with what is set; it happens to so many messages, then no more', async () => {
    const { status, body } = await set('reject', 3);
    const { uuid, created, ...rest } = body;
    assert.ok(uuid && created);
    assert.deepEqual([status, rest], [201, { carrier: 'sandbox', kind: 'reject', count: 3, left: 3 }]);
    assert.deepEqual(kindsOf(await handOver(2)), ['rejected', 'rejected']);
    assert.deepEqual(await left(), [['reject', 1]]);
    assert.deepEqual(kindsOf(await handOver(3)), ['rejected', 'accepted', 'accepted']);
    assert.deepEqual([await taken(), await left()], [[false, true, true], []]);
    assert.deepEqual(kindsOf(await handOver(1)), ['accepted']);
  });

  test('faults happen in the order in which they were set, each once unless told otherwise', async () => {
    for (const kind of ['retry', 'throttle', 'unknown_taken', 'unknown_lost']) await set(kind);
    const [down, throttled, withReceipts, lost, last] = await handOver(5);
    assert.deepEqual(down, { kind: 'retry', description: 'The carrier is down.' });
    assert.equal(throttled?.kind === 'retry' && throttled.slowsSender, true);
    assert.deepEqual([withReceipts?.kind, lost?.kind, last?.kind], ['unknown', 'unknown', 'accepted']);
    assert.deepEqual(await taken(), [false, false, true, false, true]);
  });

  test('a fault goes before the number’s own behaviour', async () => {
    await set('reject');
    // By itself this number takes the message and loses the answer.
    assert.deepEqual([kindsOf(await handOver(1, '+447700909042')), await taken()], [['rejected'], [false]]);
  });

  test('break: the hand-over throws and nothing of it is taken', async () => {
    await set('break');
    await assert.rejects(handOver(2), /breaks down/);
    assert.deepEqual(await taken(), [false, false]);
    assert.deepEqual(kindsOf(await handOver(1)), ['accepted']);
  });

  test('slow: the answer comes late, and is the usual one', async () => {
    await set('slow');
    const startMs = performance.now();
    assert.deepEqual(kindsOf(await handOver(1)), ['accepted']);
    // A timer counts in whole milliseconds.
    assert.ok(performance.now() - startMs > 1_998);
  });

  test('inside an idempotent request it counts once, from the commit on', async () => {
    const options = { headers: { 'idempotency-key': 'one fault' } };
    await handOver(1);
    const first = await set('reject', 1, options);
    assert.deepEqual((await set('reject', 1, options)).body, first.body);
    // The notice of the commit travels by itself.
    await until(
      async () => kindsOf(await handOver(1)),
      ([kind]) => kind === 'rejected',
    );
    assert.deepEqual(kindsOf(await handOver(2)), ['accepted', 'accepted']);
  });

  test('hand-overs at the same time share the faults among them', async () => {
    await set('reject', 25);
    await set('retry', 5);
    const takes = await Promise.all(Array.from({ length: 8 }, () => takeFaults(app.deps.db, app.accountId, 4)));
    const all = takes.flat();
    assert.deepEqual(
      [all.filter((kind) => kind === 'reject').length, all.filter((kind) => kind === 'retry').length],
      [25, 5],
    );
    assert.deepEqual(await left(), []);
  });

  test('400 for a kind, a carrier and a count that are none', async () => {
    const bad = { carrier: 'pigeon', kind: 'fire', count: 0 };
    const { status, body } = await app.call('POST', url, bad);
    assert.deepEqual([status, Object.keys(body).toSorted()], [400, ['carrier', 'count', 'kind']]);
  });
});

test(`DELETE ${url} › no more faults, and another account keeps its own`, async () => {
  await set('reject', 2);
  await set('reject', 2, { token: app.otherToken });
  assert.deepEqual(await left(app.otherToken), [['reject', 2]]);
  assert.equal((await app.call('DELETE', url)).status, 204);
  assert.deepEqual([await left(), await left(app.otherToken)], [[], [['reject', 2]]]);
  assert.deepEqual(kindsOf(await handOver(1)), ['accepted']);
});

test('a fault set before a message is sent happens to that message', async () => {
  const app = await startTestApp();
  try {
    await app.call('POST', url, { carrier: 'sandbox', kind: 'reject' });
    const request = { chatapp_number: '+447700900001', to_chatapp_number: '+447700912345', type: 'TEXT' };
    const { body } = await app.call('POST', '/v2/chatapp/messages/', { ...request, text: { body: 'Hello' } });
    const message = await until(
      async () => (await app.call('GET', `/v2/chatapp/messages/${body.uuid}/`)).body,
      ({ status }) => status !== 'QUEUED',
    );
    assert.deepEqual(
      [message.status, message.status_description],
      ['FAILED', 'The number does not use the chat app. (code 131026)'],
    );
  } finally {
    await app.close();
  }
});

test('docs/sandbox.md has every kind of fault', async () => {
  const page = await readFile(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
  for (const [kind, { title }] of Object.entries(faults)) assert.ok(page.includes(`| \`${kind}\` | ${title} |`), kind);
});
