import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBench, textTo } from '../../../../test/kit/smpp/carrier-bench.ts';
import { until } from '../../../../test/kit/until.ts';
import type { SmsEvent, SmsOutcome } from '../../ports/sms.ts';

const kinds = (outcomes: SmsOutcome[]): string[] => outcomes.map(({ kind }) => kind);
const many = (count: number) => Array.from({ length: count }, () => textTo('+447700900123'));

test('throttled: the message waits, the link slows down, and then all goes on', async (t) => {
  const { smsc, send, sms, link } = await startBench(t, { smsc: { perSecond: 5 } });
  const outcomes = await send(...many(20));
  const refused = outcomes.filter((outcome) => outcome.kind === 'retry');
  assert.ok(refused.length > 0 && refused.length < 20);
  assert.ok(refused.every((outcome) => outcome.slowsLink === true && outcome.afterMs! > 0));
  assert.equal(smsc.received.filter(({ status }) => status === 0).length, 20 - refused.length);
  assert.equal(sms.report(link).failed, refused.length);
  smsc.settings.perSecond = null;
  assert.deepEqual(kinds(await send(...many(3))), ['accepted', 'accepted', 'accepted']);
});

test('answers out of order, twice, or to nothing reach the messages they are for', async (t) => {
  const { smsc, send } = await startBench(t);
  smsc.faults.next({ kind: 'reversed', group: 4 }, { count: 4 });
  smsc.faults.next({ kind: 'doubled' }, { count: 2 });
  smsc.faults.next({ kind: 'stray' }, { count: 2 });
  const messages = Array.from({ length: 8 }, (_, index) => textTo(`+44770090020${index}`));
  const outcomes = await send(...messages);
  const idOf = new Map(smsc.received.map(({ pdu, message }) => [pdu.destination_addr, message!.id]));
  assert.deepEqual(
    outcomes.map(({ parts }) => parts[0]?.id),
    messages.map(({ to }) => idOf.get(to.slice(1))),
  );
});

test('no answer, or one that cannot be read: nobody knows whether it was taken', async (t) => {
  const { smsc, send } = await startBench(t, { link: { response_timeout_seconds: 2 } });
  smsc.faults.next({ kind: 'lost-answer' });
  smsc.faults.next({ kind: 'hang' });
  smsc.faults.next({ kind: 'malformed' });
  assert.deepEqual(kinds(await send(...many(4))), ['unknown', 'unknown', 'unknown', 'accepted']);
});

test('a generic_nack says that it was not taken', async (t) => {
  const { smsc, send } = await startBench(t);
  smsc.faults.next({ kind: 'nack' });
  const [outcome] = await send(...many(1));
  assert.deepEqual([outcome?.kind, (outcome as { code: string }).code], ['rejected', 'ESME_RINVCMDID']);
});

test('garbage and impossible lengths cost the connection, and not the link', async (t) => {
  const { smsc, send, reconnected } = await startBench(t);
  for (const kind of ['huge-length', 'short-length', 'garbage'] as const) {
    smsc.faults.next({ kind });
    const another = reconnected();
    assert.deepEqual(kinds(await send(...many(1))), ['accepted'], kind);
    await another;
    assert.deepEqual(kinds(await send(...many(1))), ['accepted'], `after ${kind}`);
  }
});

test('a link that is down asks to come again; what had left when it broke is unknown', async (t) => {
  const { smsc, send, sms, link } = await startBench(t, { link: { window: 2 } });
  smsc.faults.next({ kind: 'drop-after' });
  const outcomes = await send(...many(6));
  assert.deepEqual(kinds(outcomes.slice(0, 1)), ['unknown']);
  // Those that still stood in line never left.
  assert.deepEqual(kinds(outcomes.slice(2)), ['retry', 'retry', 'retry', 'retry']);
  assert.deepEqual([sms.isUp(link), kinds(await send(...many(1)))], [false, ['retry']]);
  await until(() => sms.isUp(link));
  assert.deepEqual(kinds(await send(...many(1))), ['accepted']);
});

test('five cuts: every message is accounted for, and none is taken twice', async (t) => {
  const { smsc, send, events, reconnected } = await startBench(t, { perSecond: 200 });
  const waiting = Array.from({ length: 300 }, (_, index) => textTo(`+4477009${String(index).padStart(5, '0')}`));
  const ended = new Map<string, SmsOutcome>();
  async function cutFiveTimes(): Promise<void> {
    for (let cuts = 0; cuts < 5; cuts++) {
      const before = smsc.received.length;
      await until(() => smsc.received.length >= before + 20);
      const another = reconnected();
      smsc.dropAll();
      await another;
    }
  }
  const cutting = cutFiveTimes();
  let queue = waiting;
  while (queue.length > 0) {
    const outcomes = await send(...queue);
    for (const [index, { uuid }] of queue.entries()) ended.set(uuid, outcomes[index]!);
    queue = queue.filter(({ uuid }) => ended.get(uuid)!.kind === 'retry');
  }
  await cutting;
  const taken = smsc.received.filter(({ message }) => message);
  const numbers = taken.map(({ pdu }) => pdu.destination_addr);
  assert.equal(new Set(numbers).size, numbers.length, 'taken twice');
  const accepted = waiting.filter(({ uuid }) => ended.get(uuid)!.kind === 'accepted');
  const unknown = waiting.filter(({ uuid }) => ended.get(uuid)!.kind === 'unknown');
  assert.equal(accepted.length + unknown.length, waiting.length);
  const acceptedIds = new Set(accepted.flatMap(({ uuid }) => ended.get(uuid)!.parts.map(({ id }) => id)));
  // Every receipt comes in spite of the cuts, and those of lost answers say whom they are about.
  const ids = () => new Set((events as Extract<SmsEvent, { kind: 'receipt' }>[]).map(({ id }) => id));
  await until(() => ids().size === taken.length);
  assert.deepEqual([...acceptedIds.difference(ids())], []);
});
