import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBench, textTo } from '../../../../test/kit/smpp/carrier-bench.ts';
import { until } from '../../../../test/kit/until.ts';
import { joinParts } from '../../../platform/sms-parts/index.ts';
import type { SmsEvent } from '../../ports/sms.ts';
import type { Given } from '../codec/index.ts';

type Receipt = Extract<SmsEvent, { kind: 'receipt' }>;
type Written = Extract<SmsEvent, { kind: 'message' }>;

test('receipts are read in text and in parameters, whatever coding they claim', async (t) => {
  for (const receiptForm of ['text', 'tlv', 'both'] as const) {
    const smsc = { receiptForm, receiptEchoesCoding: true };
    const { events, send } = await startBench(t, { smsc });
    const [outcome] = await send(textTo('+447700900123', 'Žluťoučký'));
    await until(() => events.length === 1);
    const [receipt] = events as Receipt[];
    assert.deepEqual([receipt?.id, receipt?.status], [outcome?.parts[0]?.id, 'DELIVERED'], receiptForm);
  }
});

test('what the states of a receipt mean', async (t) => {
  const { events, send } = await startBench(t);
  const endOf = async (ending: string) => {
    events.length = 0;
    await send(textTo(`+44770090${ending}`));
    await until(() => events.length === 1);
    const { status, code, description } = events[0] as Receipt;
    return [status, code, description];
  };
  const failed = 'The message could not be delivered.';
  assert.deepEqual(await endOf('9101'), ['FAILED', 'UNDELIV', `${failed} Error 001 of the network.`]);
  const late = 'The message could not be delivered in time.';
  assert.deepEqual(await endOf('9102'), ['FAILED', 'EXPIRED', `${late} Error 254 of the network.`]);
  assert.deepEqual((await endOf('9103')).slice(0, 2), ['FAILED', 'REJECTD']);
  assert.deepEqual(await endOf('9104'), ['FAILED', 'DELETED', 'The carrier deleted the message.']);
  assert.deepEqual((await endOf('9105')).slice(0, 2), ['FAILED', 'UNKNOWN']);
  assert.deepEqual(await endOf('9106'), ['SENT', undefined, undefined]);
});

test('ids are the same in answers and receipts, in every spelling that is told or can be seen', async (t) => {
  const spellings = [
    { smsc: { idFormat: 'HEX', receiptIdFormat: 'hex' }, id_format: 'auto' },
    { smsc: { idFormat: 'padded-hex', receiptIdFormat: 'hex' }, id_format: 'same' },
    { smsc: { idFormat: 'hex', receiptIdFormat: 'decimal' }, id_format: 'auto' },
    { smsc: { idFormat: 'hex', receiptIdFormat: 'decimal' }, id_format: 'decimal' },
    { smsc: { idFormat: 'decimal', receiptIdFormat: 'HEX' }, id_format: 'auto' },
    { smsc: { idFormat: 'decimal', receiptIdFormat: 'padded-hex' }, id_format: 'hex' },
  ] as const;
  for (const { smsc, id_format } of spellings) {
    const { events, send } = await startBench(t, { smsc, link: { id_format } });
    const outcomes = await send(...Array.from({ length: 40 }, () => textTo('+447700900123')));
    await until(() => events.length === 40);
    assert.deepEqual(
      (events as Receipt[]).map(({ id }) => id).toSorted(),
      outcomes.map(({ parts }) => parts[0]!.id).toSorted(),
      JSON.stringify([smsc, id_format]),
    );
  }
});

test('a receipt that comes before its answer, twice, or for nobody is handed on as it is', async (t) => {
  const { smsc, events, send } = await startBench(t);
  for (const kind of ['receipt-first', 'receipt-doubled', 'receipt-unknown'] as const) smsc.faults.next({ kind });
  const outcomes = [];
  for (let count = 0; count < 3; count++) outcomes.push(...(await send(textTo('+447700900123'))));
  const [early, twice, known] = outcomes.map(({ parts }) => parts[0]!.id);
  await until(() => events.length === 5);
  const ids = (events as Receipt[]).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), [early, twice, twice, known, '1001000003'].toSorted());
});

test('what people write comes in with its text, in one piece or in parts', async (t) => {
  const startMs = performance.now();
  const { smsc, events } = await startBench(t);
  const from = '+447700900123';
  const to = '+447700900001';
  assert.deepEqual(await smsc.write({ from, to, text: 'Olá' }), [0]);
  const [{ at: _, mark, ...olá }] = events as [Written];
  assert.deepEqual(olá, { kind: 'message', id: null, from, to, text: 'Olá', encoding: 'UCS2' });
  assert.deepEqual(await smsc.write({ from, to, text: 'Olá' }), [0]);
  assert.deepEqual(await smsc.write({ from, to, text: 'Olé' }), [0]);
  const [, again, other] = events as Written[];
  assert.equal(again!.mark!.fingerprint, mark!.fingerprint, 'the same PDU is known by the same mark');
  assert.notEqual(other!.mark!.fingerprint, mark!.fingerprint);
  assert.ok(mark!.connectedMs >= 0 && mark!.connectedMs <= performance.now() - startMs);
  const long = 'Žluťoučký kůň '.repeat(12);
  for (const way of ['udh', 'sar'] as const) {
    events.length = 0;
    assert.deepEqual(await smsc.write({ from, to, text: long, long: way }), [0, 0, 0]);
    const parts = (events as Written[]).toSorted((one, other) => one.part!.part - other.part!.part);
    assert.equal(parts.map(({ text }) => text).join(''), long, way);
    assert.equal(joinParts(parts.map(({ part }) => part!.raw!)), long, way);
    assert.deepEqual(
      parts.map(({ part }) => [part?.part, part?.total]),
      [
        [1, 3],
        [2, 3],
        [3, 3],
      ],
    );
    assert.equal(new Set(parts.map(({ part }) => part!.reference)).size, 1);
  }
  events.length = 0;
  await smsc.write({ from, to, text: long, long: 'payload' });
  const whole = events as Written[];
  assert.deepEqual([whole[0]?.text, whole[0]?.part], [long, undefined]);
});

test('octets that are no text come in as hexadecimal digits', async (t) => {
  const { smsc, events } = await startBench(t);
  await smsc.write({ from: '+447700900123', to: '+447700900001', hex: 'ff00fe', dataCoding: 4 });
  assert.deepEqual([(events[0] as Written).text, (events[0] as Written).encoding], ['ff00fe', 'BINARY']);
});

test('data_sm is read like deliver_sm', async (t) => {
  const { smsc, events } = await startBench(t);
  const addresses = { source_addr: '60777', source_addr_ton: 3, destination_addr: '447700900001', dest_addr_ton: 1 };
  const tlvs = { message_payload: Buffer.from('Hello') };
  const [connection] = smsc.connections;
  const pdu: Given<'data_sm'> = { ...addresses, tlvs };
  assert.equal((await connection!.session.request('data_sm', pdu)).status, 0);
  const { from, to, text } = events[0] as Written;
  assert.deepEqual([from, to, text], ['60777', '+447700900001', 'Hello']);
});

test('nothing is acknowledged before it is stored, and what could not be stored comes again', async (t) => {
  const stored: SmsEvent[] = [];
  let full = true;
  const { smsc } = await startBench(t, {
    async receive(events) {
      if (full) throw new Error('full');
      stored.push(...events);
    },
  });
  const written = smsc.write({ from: '+447700900123', to: '+447700900001', text: 'Hello' });
  await until(() => smsc.deliveries[0]!.tries >= 2);
  assert.equal(stored.length, 0);
  full = false;
  assert.deepEqual(await written, [0]);
  assert.equal(stored.length, 1);
});

test('one message that cannot be stored does not hold up those that came with it', async (t) => {
  const stored: string[] = [];
  const { smsc } = await startBench(t, {
    smsc: { window: 50, deliveryTries: 2 },
    async receive(events) {
      const texts = (events as Written[]).map(({ text }) => text);
      if (texts.includes('bad')) throw new Error('bad');
      stored.push(...texts);
    },
  });
  const texts = Array.from({ length: 40 }, (_, index) => (index === 20 ? 'bad' : `${index}`));
  const answers = await Promise.all(
    texts.map((text) => smsc.write({ from: '+447700900123', to: '+447700900001', text })),
  );
  assert.deepEqual(
    answers.flat().filter((status) => status !== 0),
    [0x64],
  );
  assert.deepEqual(stored.toSorted(), texts.filter((text) => text !== 'bad').toSorted());
});
