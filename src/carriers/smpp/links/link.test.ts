import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../../../simulators/smsc/index.ts';
import { type ManualTiming, makeManualTiming, testTls } from '../../../../test/kit/smpp/session-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import { makeLog } from '../../../platform/log.ts';
import { type PduOf, Status } from '../codec/index.ts';
import { Closed } from '../errors.ts';
import { readReceipt } from '../messages/receipt.ts';
import { type Link, type LinkOptions, startLink } from './link.ts';

const log = makeLog({ level: 'fatal', pretty: false });
let smsc: Smsc;
let timing: ManualTiming;
let taken: PduOf<'deliver_sm'>[];
const links: Link[] = [];

beforeEach(async () => {
  smsc = await startSmsc({ settings: { receiptAfterMs: 1, deliveryRetryMs: 5 } });
  timing = makeManualTiming();
  taken = [];
});
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.stop(0)));
  await smsc.close();
});

function start(options: Partial<LinkOptions> = {}): Link {
  const link = startLink({
    name: 'test',
    peer: { host: smsc.host, port: smsc.port, systemId: 'parley', password: 'parley' },
    handle: async (pdu) => void taken.push(pdu as PduOf<'deliver_sm'>),
    log,
    timing,
    random: () => 0.5,
    ...options,
  });
  links.push(link);
  return link;
}
const bound = (link: Link) => until('the bind', () => link.snapshot().state === 'bound');
const submit = (link: Link, to = '34600111222') =>
  link.submit({ destination_addr: to, registered_delivery: 1, short_message: Buffer.from('hi') });

it('binds, hands over, hears of the delivery and counts', async () => {
  const link = start();
  await bound(link);
  const { message_id } = await submit(link);
  await until(() => taken.length === 1);
  const receipt = readReceipt(taken[0]!)!;
  assert.deepEqual([receipt.id, receipt.state], [message_id, 'DELIVERED']);
  assert.equal((await submit(link, '346009110')).status, Status.RINVDSTADR);
  const { lastMinute, latencyMs, lastError, underWay, waiting } = link.snapshot();
  assert.deepEqual(lastMinute, { sent: 1, failed: 1, throttled: 0 });
  assert.ok(latencyMs);
  assert.match(lastError!.message, /ESME_RINVDSTADR/);
  assert.deepEqual([underWay, waiting], [0, 0]);
});

it('what cannot be stored is brought again', async () => {
  let tries = 0;
  const link = start({
    handle: async () => {
      if (++tries < 3) throw new Error('no database');
      return undefined;
    },
  });
  await bound(link);
  assert.deepEqual(await smsc.write({ from: '+34600111222', to: '+34900111222', text: 'hola' }), [0]);
  assert.equal(tries, 3);
});

describe('when the centre is gone', () => {
  it('a submit fails at once and never left', async () => {
    const link = start({ peer: { host: '127.0.0.1', port: 1, systemId: 'parley', password: 'parley' } });
    await assert.rejects(submit(link), (error) => error instanceof Closed && !error.sent);
    await until(() => link.snapshot().lastError !== null);
    assert.match(link.snapshot().lastError!.message, /ECONNREFUSED/);
    assert.equal(link.snapshot().state, 'connecting');
  });

  it('comes back after waits that double up to a minute, half of each by chance', async () => {
    const link = start({ peer: { host: '127.0.0.1', port: 1, systemId: 'parley', password: 'parley' } });
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      await until(() => link.snapshot().binds[0]!.state === 'waiting');
      let waitedMs = 0;
      for (; link.snapshot().binds[0]!.state === 'waiting'; waitedMs += 250) {
        timing.advance(250);
        await Promise.resolve();
        await Promise.resolve();
      }
      waits.push(waitedMs);
    }
    assert.deepEqual(waits, [750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000]);
  });

  it('a link that was cut binds again, and what was under way is told apart', async () => {
    const link = start();
    await bound(link);
    smsc.faults.next({ kind: 'drop-after' });
    await assert.rejects(submit(link), (error) => error instanceof Closed && error.sent);
    await until(() => link.snapshot().binds[0]!.state === 'waiting');
    const { since } = link.snapshot();
    timing.advance(1_000);
    await bound(link);
    assert.equal((await submit(link)).status, 0);
    assert.ok(link.snapshot().since.getTime() > since.getTime());
    // The receipt of the one that was cut came on the new bind.
    await until(() => taken.length === 2);
  });

  it('a refused bind is shown and tried again', async () => {
    const link = start({ peer: { host: smsc.host, port: smsc.port, systemId: 'parley', password: 'wrong' } });
    await until(() => link.snapshot().lastError !== null);
    assert.match(link.snapshot().lastError!.message, /ESME_RINVPASWD/);
    smsc.settings.accounts = [{ systemId: 'parley', password: 'wrong' }];
    timing.advance(1_000);
    await bound(link);
  });
});

it('is slowed down by the centre, and recovers', async () => {
  const link = start({ perSecond: 100 });
  await bound(link);
  smsc.faults.next({ kind: 'status', status: Status.RTHROTTLED });
  assert.equal((await submit(link)).status, Status.RTHROTTLED);
  assert.equal(link.snapshot().perSecond, 50);
  assert.equal(link.snapshot().lastMinute.throttled, 1);
  timing.advance(10_000);
  assert.equal(link.snapshot().perSecond, 100);
});

it('several binds share the work; with some of them down it is degraded and goes on', async () => {
  smsc.settings.answerAfterMs = 20;
  const link = start({ binds: ['transmitter', 'transmitter', 'receiver'], session: { window: 1 } });
  await bound(link);
  const both = await Promise.all([submit(link), submit(link)]);
  assert.ok(both.every(({ status }) => status === 0));
  await until(() => taken.length === 2);
  const senders = [...smsc.connections].filter(({ mode }) => mode === 'transmitter');
  senders[0]!.session.destroy('The test cuts it.');
  await until(() => link.snapshot().state === 'degraded');
  assert.equal((await submit(link)).status, 0);
});

it('stop drains, unbinds and is final', async () => {
  smsc.settings.answerAfterMs = 50;
  const link = start();
  await bound(link);
  const last = submit(link);
  await until(() => link.snapshot().underWay === 1);
  await link.stop();
  assert.equal((await last).status, 0);
  assert.equal(link.snapshot().state, 'stopped');
  await until(() => smsc.connections.size === 0);
  await assert.rejects(submit(link), (error) => error instanceof Closed && !error.sent);
});

describe('TLS', () => {
  const tlsLink = async (secure: object) => {
    const secret = await startSmsc({ tls: testTls });
    const link = start({
      peer: { host: secret.host, port: secret.port, systemId: 'parley', password: 'parley', tls: secure },
    });
    await until(() => link.snapshot().state === 'bound' || link.snapshot().lastError !== null);
    const { state, lastError } = link.snapshot();
    await link.stop(0);
    await secret.close();
    return { state, lastError };
  };

  it('binds to a centre whose certificate is known, under its name', async () => {
    assert.equal((await tlsLink({ servername: 'smsc.test', ca: testTls.cert })).state, 'bound');
  });

  it('refuses an unknown certificate and a wrong name', async () => {
    assert.match((await tlsLink({ servername: 'smsc.test' })).lastError!.message, /self-signed/);
    assert.match((await tlsLink({ servername: 'other.test', ca: testTls.cert })).lastError!.message, /altnames/);
    assert.equal((await tlsLink({ rejectUnauthorized: false })).state, 'bound');
  });
});
