import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type PduOf, Status } from '../../src/carriers/smpp/codec/index.ts';
import { BadAnswer, Closed, Nacked, TimedOut } from '../../src/carriers/smpp/errors.ts';
import { normalisedIds, readReceipt } from '../../src/carriers/smpp/messages/receipt.ts';
import { type BindMode, openSession } from '../../src/carriers/smpp/session/connect.ts';
import type { Session } from '../../src/carriers/smpp/session/session.ts';
import { until } from '../../test/kit/until.ts';
import { type Fault, type Smsc, startSmsc } from './index.ts';

let smsc: Smsc;
let session: Session;
const taken: PduOf<'deliver_sm'>[] = [];
/** How many requests had no answer when each of them came. */
const unansweredThen: number[] = [];

beforeEach(async () => {
  smsc = await startSmsc({ controlPort: 0, settings: { receiptAfterMs: 1, deliveryRetryMs: 5 } });
  taken.length = 0;
  unansweredThen.length = 0;
});
afterEach(async () => {
  await session.unbind(0);
  await smsc.close();
});

/** How long an answer may take on a busy machine; where none comes, a test waits for it. */
const patienceMs = 30_000;
const shortPatienceMs = 2_000;

async function open({
  systemId = 'parley',
  password = 'parley',
  mode = 'transceiver' as BindMode,
  responseTimeoutMs = patienceMs,
} = {}) {
  session = await openSession({ host: smsc.host, port: smsc.port, systemId, password }, mode, {
    responseTimeoutMs,
    handles: ['deliver_sm'],
    async handle(pdu) {
      taken.push(pdu as PduOf<'deliver_sm'>);
      unansweredThen.push(session.load().underWay);
    },
  });
  return session;
}
const submit = (to = '34600111222') =>
  session.request('submit_sm', { source_addr: 'Shop', destination_addr: to, registered_delivery: 1 });
const receipts = () => taken.map((pdu) => readReceipt(pdu)!);

describe('accounts', () => {
  it('several, each with its own messages and its binds', async () => {
    smsc.settings.accounts = [
      { systemId: 'one', password: '1' },
      { systemId: 'two', password: '2', modes: ['receiver'] },
    ];
    await assert.rejects(open({ systemId: 'three' }), { status: Status.RINVSYSID });
    await assert.rejects(open({ systemId: 'one', password: '2' }), { status: Status.RINVPASWD });
    await assert.rejects(open({ systemId: 'two', password: '2' }), { status: Status.RBINDFAIL });
    await open({ systemId: 'two', password: '2', mode: 'receiver' });
    assert.equal((await submit()).status, Status.RINVBNDSTS);
    assert.deepEqual(await smsc.write({ systemId: 'two', from: '+346', to: '+349', text: 'hi' }), [0]);
    assert.equal(taken.length, 1);
  });
});

describe('messages', () => {
  it('end as their last digits say', async () => {
    await open();
    const states = { '34600111222': 'DELIVERED', '346009101': 'UNDELIVERABLE', '346009102': 'EXPIRED' };
    for (const [to, state] of Object.entries(states)) {
      const { message_id } = await submit(to);
      await until(() => receipts().some(({ id }) => id === message_id));
      assert.equal(receipts().find(({ id }) => id === message_id)!.state, state);
    }
    assert.equal((await submit('346009111')).status, Status.RMSGQFUL);
  });

  it('are answered and reported in the bases that are set', async () => {
    await open();
    Object.assign(smsc.settings, { idFormat: 'padded-hex', receiptIdFormat: 'decimal', receiptForm: 'text' });
    const { message_id } = await submit();
    assert.match(message_id, /^0[0-9a-f]{9}$/);
    await until(() => taken.length === 1);
    assert.deepEqual(taken[0]!.tlvs, {});
    const [receipt] = receipts();
    assert.notEqual(receipt!.id, message_id);
    assert.ok(normalisedIds(receipt!.id).includes(message_id.replace(/^0+/, '')));
  });

  it('can be asked about and cancelled', async () => {
    await open();
    smsc.settings.receiptAfterMs = 60_000;
    const { message_id } = await submit();
    assert.equal((await session.request('query_sm', { message_id })).message_state, 1);
    assert.equal((await session.request('cancel_sm', { message_id })).status, 0);
    assert.equal((await session.request('query_sm', { message_id })).message_state, 4);
    assert.equal((await session.request('cancel_sm', { message_id })).status, Status.RCANCELFAIL);
    assert.equal((await session.request('query_sm', { message_id: 'none' })).status, Status.RQUERYFAIL);
  });

  it('that no network could carry are refused', async () => {
    await open();
    const statusOf = async (more: object) => {
      const { status } = await session.request('submit_sm', { destination_addr: '34600111222', ...more });
      return status;
    };
    assert.equal(await statusOf({ destination_addr: '' }), Status.RINVDSTADR);
    assert.equal(await statusOf({ short_message: Buffer.alloc(160, 'a') }), 0);
    assert.equal(await statusOf({ short_message: Buffer.alloc(161, 'a') }), Status.RINVMSGLEN);
    assert.equal(await statusOf({ data_coding: 8, short_message: Buffer.alloc(142) }), Status.RINVMSGLEN);
    assert.equal(await statusOf({ data_coding: 8, short_message: Buffer.alloc(3) }), Status.RINVMSGLEN);
    const both = { short_message: Buffer.from('hi'), tlvs: { message_payload: Buffer.from('hi') } };
    assert.equal(await statusOf(both), Status.RINVMSGLEN);
  });

  it('beyond the rate are throttled', async () => {
    await open();
    smsc.settings.perSecond = 3;
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit()));
    const throttled = answers.filter(({ status }) => status === Status.RTHROTTLED).length;
    // Ten in one second, or in two that meet.
    assert.ok(throttled >= 4 && throttled <= 7, String(throttled));
  });
});

describe('faults', () => {
  it('that take nothing', async () => {
    await open({ responseTimeoutMs: shortPatienceMs });
    const next = (fault: Fault) => smsc.faults.next(fault);
    const before = smsc.received.length;
    next({ kind: 'status', status: Status.RSYSERR });
    assert.equal((await submit()).status, Status.RSYSERR);
    next({ kind: 'nack' });
    await assert.rejects(submit(), Nacked);
    next({ kind: 'hang' });
    await assert.rejects(submit(), TimedOut);
    next({ kind: 'drop' });
    await assert.rejects(submit(), (error) => error instanceof Closed && error.sent);
    assert.deepEqual(
      smsc.received.slice(before).map(({ message }) => message),
      [null, null, null, null],
    );
  });

  it('that take it and spoil the answer', async () => {
    await open({ responseTimeoutMs: shortPatienceMs });
    const before = smsc.received.length;
    smsc.faults.next({ kind: 'lost-answer' });
    await assert.rejects(submit(), TimedOut);
    smsc.faults.next({ kind: 'malformed' });
    await assert.rejects(submit(), BadAnswer);
    smsc.faults.next({ kind: 'late', delayMs: 20 });
    assert.equal((await submit()).status, 0);
    smsc.faults.next({ kind: 'doubled' });
    smsc.faults.next({ kind: 'stray' });
    await Promise.all([submit(), submit()]);
    await until(() => session.strayAnswers === 2);
    await until(() => taken.length === 5);
    assert.ok(smsc.received.slice(before).every(({ message }) => message?.state === 'DELIVERED'));
  });

  it('answers in reverse order', async () => {
    await open();
    smsc.faults.next({ kind: 'reversed', group: 3 }, { count: 3 });
    const order: string[] = [];
    await Promise.all(['1', '2', '3'].map((to) => submit(to).then(() => order.push(to))));
    assert.deepEqual(order, ['3', '2', '1']);
  });

  for (const kind of ['garbage', 'huge-length', 'short-length'] as const) {
    it(`${kind}: the session of the client ends, and it can bind again`, async () => {
      await open();
      smsc.faults.next({ kind });
      assert.equal((await submit()).status, 0);
      assert.match((await session.closed)!.message, /length/);
      await open();
      assert.equal((await submit()).status, 0);
    });
  }

  it('the n-th part alone is refused', async () => {
    await open();
    smsc.faults.next({ kind: 'status', status: Status.RSUBMITFAIL }, { skip: 1 });
    const parts = [await submit(), await submit(), await submit()];
    assert.deepEqual(
      parts.map(({ status }) => status),
      [0, Status.RSUBMITFAIL, 0],
    );
  });

  it('receipts: before the answer, doubled, in the other base, for ids nobody knows, none at all', async () => {
    await open();
    smsc.settings.answerAfterMs = 30;
    smsc.faults.next({ kind: 'receipt-first' });
    const { message_id: early } = await submit();
    assert.deepEqual([receipts()[0]?.id, unansweredThen], [early, [1]]);
    smsc.settings.answerAfterMs = 0;
    taken.length = 0;
    smsc.faults.next({ kind: 'receipt-doubled' });
    const { message_id: doubled } = await submit();
    await until(() => taken.length === 2);
    assert.deepEqual(
      receipts().map(({ id }) => id),
      [doubled, doubled],
    );
    smsc.faults.next({ kind: 'receipt-other-base' });
    const { message_id: other } = await submit();
    await until(() => taken.length === 3);
    assert.equal(receipts()[2]!.id, Number(other).toString(16).toUpperCase());
    smsc.faults.next({ kind: 'receipt-unknown' });
    const { message_id: known } = await submit();
    await until(() => taken.length === 5);
    assert.notEqual(receipts()[3]!.id, known);
    assert.equal(receipts()[4]!.id, known);
  });
});

describe('what people write', () => {
  it('long texts come in parts, by header, by parameters, or whole', async () => {
    await open();
    const text = '😀'.repeat(100);
    const from = '+34600111222';
    const to = '+34900111222';
    // 66 units to a part: a pair is not cut.
    assert.deepEqual(await smsc.write({ from, to, text }), [0, 0, 0, 0]);
    const bodies = taken.map(({ short_message }) => short_message.subarray(6));
    assert.equal(Buffer.concat(bodies).swap16().toString('utf16le'), text);
    assert.ok(bodies.every(({ length }) => length <= 134));
    taken.length = 0;
    await smsc.write({ from, to, text, long: 'sar' });
    assert.deepEqual(
      taken.map(({ tlvs }) => tlvs.sar_segment_seqnum),
      [1, 2, 3, 4],
    );
    taken.length = 0;
    await smsc.write({ from, to, text, long: 'payload' });
    assert.equal(taken[0]!.tlvs.message_payload?.length, 400);
  });

  it('waits until somebody is bound to hear it', async () => {
    const writing = smsc.write({ from: '+346', to: '+349', text: 'early' });
    await open();
    assert.deepEqual(await writing, [0]);
    assert.equal(taken[0]!.short_message.toString(), 'early');
  });
});

describe('controls over HTTP', () => {
  async function control(method: string, path: string, body?: unknown) {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const response = await fetch(`${smsc.controlUrl}${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes
    return { status: response.status, body: (await response.json()) as any };
  }

  it('show, change, write, disturb, record', async () => {
    await open();
    assert.equal((await control('GET', '/')).body.connections[0].systemId, 'parley');
    assert.equal((await control('PATCH', '/settings', { idFormat: 'HEX' })).body.idFormat, 'HEX');
    assert.match((await control('PATCH', '/settings', { nonsense: 1 })).body.error, /no "nonsense"/);
    const written = await control('POST', '/messages', { from: '+346', to: '+349', text: '你好' });
    assert.deepEqual(written.body, { answers: [0] });
    assert.equal((await control('POST', '/messages', { text: 'to nobody' })).status, 400);
    await control('POST', '/faults', { kind: 'status', status: 8, skip: 1 });
    assert.equal((await control('POST', '/faults', { kind: 'sings' })).status, 400);
    assert.equal((await submit()).status, 0);
    assert.equal((await submit()).status, 8);
    await control('POST', '/faults', { kind: 'hang' });
    await control('DELETE', '/faults');
    assert.equal((await submit()).status, 0);
    const { messages } = (await control('GET', '/received')).body;
    assert.equal(messages.at(-1).pdu.source_addr, 'Shop');
    assert.equal(messages.at(-2).id, null);
    const { deliveries } = (await control('GET', '/deliveries')).body;
    assert.equal(
      deliveries.find(({ pdu }: { pdu: { data_coding: number } }) => pdu.data_coding === 8).pdu.text,
      '你好',
    );
    assert.deepEqual((await control('POST', '/drop')).body, { dropped: 1 });
    assert.ok(await session.closed);
    assert.ok((await control('DELETE', '/received')).body.removed >= 3);
  });
});
