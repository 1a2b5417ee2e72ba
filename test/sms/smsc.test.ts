// The whole way: from the API over SMPP to an SMS centre and back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../simulators/smsc/index.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { until } from '../kit/until.ts';

let app: TestApp;
let smsc: Smsc;
const from = 'Parley';

before(async () => {
  smsc = await startSmsc({ settings: { receiptAfterMs: 20, deliveryRetryMs: 50 } });
  app = await startTestApp({ SMPP_ALLOW: '127.0.0.1' });
  const link = { name: 'Centre', host: smsc.host, port: smsc.port, system_id: 'parley', password: 'parley' };
  await post('/v2/sms-senders/', { sender: from });
  await post('/v2/sms-links/', { ...link, messages_per_second: 1000 });
  await until('the link is up', async () => smsc.connections.size > 0);
});
after(async () => {
  await app.close();
  await smsc.close();
});

async function post(url: string, body: object) {
  const answer = await app.call('POST', url, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}
const send = async (to: string, text = 'Hello'): Promise<string> =>
  (await post('/v2/send-sms/', { from, to, text })).uuid;
const record = async (uuid: string) => (await app.call('GET', `/v2/send-sms/${uuid}/`)).body;
const ends = (uuid: string, status: string) =>
  until(`${uuid} is ${status}`, async () => {
    const sms = await record(uuid);
    return sms.status === status && sms;
  });
const submitsTo = (to: string) => smsc.received.filter(({ pdu }) => `+${pdu.destination_addr}` === to);

describe('out', () => {
  it('a short and a long text are delivered', async () => {
    const [short, long] = [await send('+447711000001'), await send('+447711000002', 'Žluťoučký kůň '.repeat(20))];
    await ends(short, 'DELIVERED');
    assert.equal((await ends(long, 'DELIVERED')).segments, 5);
    assert.deepEqual([submitsTo('+447711000001').length, submitsTo('+447711000002').length], [1, 5]);
  });

  it('a refusal and a bad receipt end FAILED, and say why', async () => {
    const [refused, lost] = [await send('+447711009110'), await send('+447711009101')];
    assert.match((await ends(refused, 'FAILED')).status_description, /ESME_RINVDSTADR/);
    assert.match((await ends(lost, 'FAILED')).status_description, /UNDELIV/);
  });

  it('of ten parts the seventh is refused for a moment: only that is sent again', async () => {
    smsc.faults.next({ kind: 'status', status: 0x08 }, { skip: 6 });
    const to = '+447711000003';
    await ends(await send(to, 'x'.repeat(1500)), 'DELIVERED');
    const parts = submitsTo(to).map(({ pdu, status }) => [pdu.short_message![5], status]);
    assert.equal(parts.length, 11);
    assert.deepEqual(parts.slice(6, 7).concat(parts.slice(10)), [
      [7, 0x08],
      [7, 0],
    ]);
  });

  it('receipts that come first, twice, or after one for nobody find their message', async () => {
    for (const kind of ['receipt-first', 'receipt-doubled', 'receipt-unknown'] as const) {
      smsc.faults.next({ kind });
      await ends(await send('+447711000004'), 'DELIVERED');
    }
  });
});

describe('in', () => {
  const to = '+447700900001';
  const inbound = async (sender: string) =>
    (await app.call('GET', `/v2/sms-records/?direction=INBOUND&from=${encodeURIComponent(sender)}`)).body.results;

  it('a text is there when it is acknowledged, in one piece however it came', async () => {
    const long = 'Wie die Zeit vergeht, fürwahr! '.repeat(12);
    for (const [index, way] of (['udh', 'sar', 'payload'] as const).entries()) {
      const sender = `+44771100001${index}`;
      assert.ok((await smsc.write({ from: sender, to, text: long, long: way })).every((status) => status === 0));
      const [sms, ...others] = await inbound(sender);
      assert.deepEqual([sms.text, sms.status, sms.from, sms.to, others], [long, 'RECEIVED', sender, to, []], way);
    }
  });

  it('STOP stops', async () => {
    const person = '+447711000020';
    await smsc.write({ from: person, to, text: 'stop' });
    const { status, body } = await app.call('POST', '/v2/send-sms/', { from, to: person, text: 'Hello' });
    assert.deepEqual([status, body.code], [400, 'recipient_opted_out']);
  });
});

it('network status tells of the link', async () => {
  const status = await until('a report with traffic', async () => {
    const { body } = await app.call('GET', '/v2/network-status/sms/');
    const link = (body.results ?? body.links).find(({ name }: { name: string }) => name === 'Centre');
    return link?.state === 'UP' && link.sent > 0 && link;
  });
  assert.equal(typeof status.latency_ms.p50, 'number');
});

it('a link that is switched off unbinds', async () => {
  const { body } = await app.call('GET', '/v2/sms-links/');
  const { uuid } = body.results.find(({ name }: { name: string }) => name === 'Centre');
  await app.call('PATCH', `/v2/sms-links/${uuid}/`, { enabled: false });
  await until('it is closed', async () => smsc.connections.size === 0);
  await app.call('PATCH', `/v2/sms-links/${uuid}/`, { enabled: true });
  await until('it is back', async () => smsc.connections.size > 0);
  await ends(await send('+447711000030'), 'DELIVERED');
});
