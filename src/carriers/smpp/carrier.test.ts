import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmsc } from '../../../simulators/smsc/index.ts';
import { linkTo, startBench, textTo } from '../../../test/kit/smpp/carrier-bench.ts';
import { testTls } from '../../../test/kit/smpp/session-stage.ts';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../../platform/log.ts';
import { readPart } from '../../platform/sms-parts/index.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { CarrierRefusal, makeCarriers } from '../ports/carriers.ts';
import { makeSmpp } from './carrier.ts';
import { statusName } from './codec/index.ts';

const texts = (received: readonly { pdu: { esm_class?: number; data_coding?: number; short_message?: Buffer } }[]) =>
  received.map(({ pdu }) => readPart(pdu.esm_class!, pdu.data_coding!, pdu.short_message!));

test('an SMS leaves with its addresses and asks for a receipt, which comes under the id of the answer', async (t) => {
  const { smsc, events, send } = await startBench(t);
  const [outcome] = await send(textTo('+447700900123', 'Hello @ £5 €'));
  assert.deepEqual(outcome, { kind: 'accepted', parts: [{ part: 1, id: '1000001' }] });
  const { pdu } = smsc.received[0]!;
  assert.deepEqual([pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr], [1, 1, '447700900001']);
  assert.deepEqual([pdu.dest_addr_ton, pdu.dest_addr_npi, pdu.destination_addr], [1, 1, '447700900123']);
  assert.deepEqual([pdu.registered_delivery, pdu.validity_period, pdu.data_coding], [1, '', 0]);
  assert.deepEqual(
    texts(smsc.received).map(({ text }) => text),
    ['Hello @ £5 €'],
  );
  await until(() => events.length === 1);
  const { at, ...receipt } = events[0]!;
  assert.ok(at instanceof Date);
  const about = { from: '+447700900001', to: '+447700900123' };
  assert.deepEqual(receipt, { kind: 'receipt', id: '1000001', status: 'DELIVERED', about });
});

test('names and short codes leave as what they are, unless the link says otherwise for numbers', async (t) => {
  const { smsc, send } = await startBench(t, { link: { dest_ton: 2, dest_npi: 8 } });
  const kinds = () => smsc.received.map(({ pdu }) => [pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr]);
  await send(textTo('+447700900123', 'Hello', { from: 'Parley & Co' }));
  await send(textTo('+447700900123', 'Hello', { from: '60777' }));
  assert.deepEqual(kinds(), [
    [5, 0, 'Parley & Co'],
    [3, 0, '60777'],
  ]);
  assert.deepEqual([smsc.received[0]!.pdu.dest_addr_ton, smsc.received[0]!.pdu.dest_addr_npi], [2, 8]);
});

test('a long text leaves in parts that belong together, each with an id of its own', async (t) => {
  const { smsc, send } = await startBench(t);
  for (const text of ['ab€'.repeat(150), 'žluťoučký 🐎 '.repeat(20)]) {
    const message = textTo('+447700900123', text);
    const before = smsc.received.length;
    const [outcome] = await send(message);
    assert.equal(outcome?.kind, 'accepted');
    assert.deepEqual(
      outcome?.parts.map(({ part }) => part),
      message.segments.map((_, index) => index + 1),
    );
    const parts = texts(smsc.received.slice(before));
    assert.equal(parts.map((part) => part.text).join(''), text);
    assert.equal(new Set(parts.map(({ concatenation }) => concatenation?.reference)).size, 1);
    assert.deepEqual(
      parts.map(({ concatenation }) => [concatenation?.sequence, concatenation?.total]),
      message.segments.map((_, index) => [index + 1, message.segments.length]),
    );
  }
});

test('of a long text whose seventh part is refused the others are taken; the next attempt sends only that', async (t) => {
  const { smsc, send } = await startBench(t);
  smsc.faults.next({ kind: 'status', status: 0x08 }, { skip: 6 });
  const message = textTo('+447700900123', 'x'.repeat(1500));
  const [first] = await send(message);
  assert.deepEqual([first?.kind, first?.parts.length], ['retry', 9]);
  assert.match((first as { description: string }).description, /^Part 7 of 10: /);
  const partsTaken = new Set(first!.parts.map(({ part }) => part));
  const [second] = await send({ ...message, partsTaken, attempt: 2 });
  assert.deepEqual([second?.kind, second?.parts.map(({ part }) => part)], ['accepted', [7]]);
  const [refused, sent] = [texts(smsc.received)[6]!, texts(smsc.received)[10]!];
  assert.deepEqual(sent.concatenation, refused.concatenation);
  assert.equal(smsc.received.length, 11);
});

test('the validity period is what is left of it', async (t) => {
  const { smsc, send } = await startBench(t);
  const inMs = (ms: number) => new Date(Date.now() + ms);
  await send(textTo('+447700900123', 'Hello', { expiresAt: inMs(90_061_500) }));
  await send(textTo('+447700900123', 'Hello', { expiresAt: inMs(400 * 86_400_000) }));
  const [first, second] = smsc.received.map(({ pdu }) => pdu.validity_period!);
  assert.match(first!, /^00000101010[012]000R$/);
  assert.equal(second, '000031000000000R');
});

test('what a refusal means: the message, the moment, or the whole link', async (t) => {
  const { smsc, send } = await startBench(t);
  const outcomeOf = async (status: number) => {
    smsc.faults.next({ kind: 'status', status });
    const [outcome] = await send(textTo('+447700900123'));
    return outcome!;
  };
  for (const status of [0x0b, 0x0a, 0x01, 0x33, 0x61, 0x101, 0x0401]) {
    const outcome = await outcomeOf(status);
    assert.deepEqual([outcome.kind, (outcome as { code: string }).code], ['rejected', statusName(status)]);
  }
  for (const status of [0x08, 0x45, 0x64, 0xff]) {
    const { kind, ...rest } = await outcomeOf(status);
    assert.deepEqual([kind, 'slowsLink' in rest], ['retry', false], statusName(status));
  }
  const busy = await outcomeOf(0x14);
  assert.deepEqual(busy, {
    kind: 'retry',
    description: "The carrier's queue is full.",
    afterMs: 1000,
    slowsLink: true,
    parts: [],
  });
});

test('a sender that has no form in the protocol is refused, and nothing leaves', async (t) => {
  const { smsc, send } = await startBench(t);
  const [outcome] = await send(textTo('+447700900123', 'Hello', { from: 'A name with far too many letters' }));
  assert.deepEqual([outcome?.kind, (outcome as { code: string }).code], ['rejected', 'invalid_source_addr']);
  assert.equal(smsc.received.length, 0);
});

test('links are opened, kept, changed and closed as they are asked for', async (t) => {
  const { smsc, sms, link } = await startBench(t);
  const inbox = { receive: async () => {} };
  const other = linkTo(smsc);
  await sms.keepOpen([link, other], inbox);
  await until(() => sms.isUp(other));
  assert.equal(smsc.connections.size, 2);
  const [kept] = smsc.connections;
  // Another address of a host that is connected changes nothing.
  await sms.keepOpen([{ ...link, settings: { ...link.settings, address: '127.0.0.1' } }], inbox);
  await until(() => smsc.connections.size === 1);
  assert.ok(smsc.connections.has(kept!));
  assert.deepEqual([sms.isUp(link), sms.isUp(other), sms.report(other).state], [true, false, 'DOWN']);

  const changed = { ...link, settings: { ...link.settings, bind: 'transmitter_receiver' } };
  await sms.keepOpen([changed], inbox);
  await until(() => sms.isUp(changed) && smsc.connections.size === 2);
  assert.deepEqual([...smsc.connections].map(({ mode }) => mode).toSorted(), ['receiver', 'transmitter']);
  const [outcome] = await sms.send(changed, [textTo('+447700900123')]);
  assert.equal(outcome?.kind, 'accepted');
  const [nowhere] = await sms.send(other, [textTo('+447700900123')]);
  assert.equal(nowhere?.kind, 'retry');
});

test('a host that moved is found at its new address', async (t) => {
  const { smsc, sms } = await startBench(t);
  const link = linkTo({ host: 'a name', port: smsc.port });
  const inbox = { receive: async () => {} };
  const at = (address: string) => ({ ...link, settings: { ...link.settings, address } });
  await sms.keepOpen([at('127.0.0.2')], inbox);
  await until(() => sms.report(link).state === 'DOWN');
  await sms.keepOpen([at('127.0.0.1')], inbox);
  await until(() => sms.isUp(link));
});

test('stopping waits for the answers that are under way', async (t) => {
  const bench = await startBench(t, { smsc: { answerAfterMs: 200 } });
  const sent = bench.send(textTo('+447700900123'), textTo('+447700900124'));
  await until(() => bench.smsc.received.length === 2);
  await bench.sms.keepOpen([], { receive: async () => {} });
  assert.equal(bench.smsc.connections.size, 0);
  assert.deepEqual(
    (await sent).map(({ kind }) => kind),
    ['accepted', 'accepted'],
  );
});

test('a link tells how it is, and a wrong password why it is not', async (t) => {
  const { smsc, sms, link, send } = await startBench(t);
  await send(textTo('+447700900123'), textTo('+447700909110'));
  const { state, sent, failed, latencyMs, lastError } = sms.report(link);
  assert.deepEqual([state, sent, failed], ['UP', 1, 1]);
  assert.ok(latencyMs.p50 !== null && lastError !== null);
  const locked = linkTo(smsc, { link: { password: 'wrong' } });
  await sms.keepOpen([link, locked], { receive: async () => {} });
  await until(() => sms.report(locked).state === 'DOWN');
  assert.match(sms.report(locked).lastError!, /ESME_RINVPASWD/);
});

test('it carries SMS and nothing else', async () => {
  const carrier = makeSmpp({ clock: systemClock, log: makeLog({ level: 'silent', pretty: false }) });
  const carriers = makeCarriers([carrier]);
  assert.equal(carriers.get('smpp', 'sms').sms, carrier.sms);
  assert.throws(() => carriers.get('smpp', 'chat'), new CarrierRefusal('no_chat', 'The carrier smpp has no chat.'));
  assert.equal(carriers.find('smpp', 'voice'), undefined);
  assert.deepEqual([carriers.all('sms').length, carriers.all('chat').length], [1, 0]);
});

test('a link takes about as much as leaves in a fifth of a second, and no more until half of that has left', async (t) => {
  const { smsc, sms, link, send } = await startBench(t, { perSecond: 500, smsc: { answerAfterMs: 50 } });
  const thirty = () => send(...Array.from({ length: 30 }, () => textTo('+447700900123')));
  assert.deepEqual([sms.room(link), sms.room(linkTo(smsc))], [100, 0]);
  const first = thirty();
  assert.equal(sms.room(link), 70);
  const second = thirty();
  assert.equal(sms.room(link), 0);
  await Promise.all([first, second]);
  assert.equal(sms.room(link), 100);
});

test('an encrypted link connects to the address it is given, and checks the certificate against the name', async (t) => {
  const { sms } = await startBench(t);
  const secret = await startSmsc({ tls: testTls });
  t.after(() => secret.close());
  const linkNamed = (host: string) =>
    linkTo({ host, port: secret.port }, { link: { address: secret.host, tls: true, tls_ca: testTls.cert } });
  const [right, wrong] = [linkNamed('smsc.test'), linkNamed('other.test')];
  await sms.keepOpen([right, wrong], { receive: async () => {} });
  await until(() => sms.isUp(right) && sms.report(wrong).state === 'DOWN');
  assert.match(sms.report(wrong).lastError!, /altnames/);
});
