import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../../../simulators/smsc/index.ts';
import { missingPeers } from '../../../../test/kit/peers.ts';
import { type Foreign, freePorts, startForeign } from '../../../../test/kit/program/foreign.ts';
import { until } from '../../../../test/kit/until.ts';

const bearerbox = '/usr/sbin/bearerbox';
const smsbox = '/usr/sbin/smsbox';
const skip = missingPeers(['test', '-x', bearerbox], ['test', '-x', smsbox]);

describe("our centre with Kannel's bearerbox as its client", { skip }, () => {
  let smsc: Smsc;
  let directory: string;
  let sendsms: string;
  const boxes: Foreign[] = [];
  /** What Kannel told our sink: paths with their queries. */
  const told: URL[] = [];
  const sink = http.createServer((request, response) => {
    told.push(new URL(request.url!, 'http://sink'));
    response.end();
  });

  before(async () => {
    smsc = await startSmsc({ settings: { receiptAfterMs: 20 } });
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-kannel-'));
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    const [admin, boxPort, sendPort] = (await freePorts(3)) as [number, number, number];
    const file = path.join(directory, 'kannel.conf');
    const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
    await writeFile(file, configuration({ admin, boxPort, sendPort, smscPort: smsc.port, sinkUrl }));
    boxes.push(startForeign(bearerbox, ['-v', '1', file]));
    await until('the bind', () => [...smsc.connections].some(({ session }) => session.state === 'bound'));
    boxes.push(startForeign(smsbox, ['-v', '1', file]));
    sendsms = `http://127.0.0.1:${sendPort}/cgi-bin/sendsms?username=tester&password=tester&from=34900111222`;
    sendsms += `&dlr-mask=31&dlr-url=${encodeURIComponent(`${sinkUrl}/dlr?type=%d&state=%A`)}`;
    await until('smsbox', () =>
      fetch(sendsms).then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    await Promise.all(boxes.map((box) => box.stop()));
    await smsc.close();
    sink.closeAllConnections();
    sink.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function send(to: string, text: string, more = ''): Promise<void> {
    const response = await fetch(`${sendsms}&to=${to}&text=${encodeURIComponent(text)}${more}`);
    assert.equal(response.status, 202, await response.text());
  }
  const receivedFor = (to: string) => smsc.received.filter(({ pdu }) => pdu.destination_addr === to);
  const toldOf = (pathname: string) => told.filter((url) => url.pathname === pathname);

  it('binds as a transceiver', () => {
    assert.deepEqual(
      [...smsc.connections].map(({ systemId, mode }) => [systemId, mode]),
      [['parley', 'transceiver']],
    );
  });

  it('a message arrives, and its receipt finds it', async () => {
    await send('34600111222', 'hello');
    await until(() => receivedFor('34600111222').length === 1);
    assert.equal(receivedFor('34600111222')[0]!.pdu.short_message?.toString(), 'hello');
    // 8: taken by the centre; 1: delivered.
    await until(() => new Set(toldOf('/dlr').map((url) => url.searchParams.get('type'))).has('1'));
    assert.ok(toldOf('/dlr').some((url) => url.searchParams.get('type') === '8'));
  });

  it('an undeliverable message is reported so', async () => {
    told.length = 0;
    await send('346009101', 'hello');
    await until(() => toldOf('/dlr').some((url) => url.searchParams.get('type') === '2'));
  });

  it('a refusal is reported so', async () => {
    told.length = 0;
    await send('346009110', 'hello');
    await until(() => toldOf('/dlr').some((url) => url.searchParams.get('type') === '16'));
  });

  it('a long text in UCS-2 arrives in parts that fit together', async () => {
    const text = 'Grüße, 你好! '.repeat(12);
    await send('34600111333', text, '&coding=2&charset=utf-8');
    await until(() => receivedFor('34600111333').length === Math.ceil(text.length / 67));
    const parts = receivedFor('34600111333').map(({ pdu }) => pdu.short_message!);
    assert.ok(receivedFor('34600111333').every(({ pdu }) => pdu.esm_class! & 0x40 && pdu.data_coding === 8));
    const whole = Buffer.concat(parts.toSorted((a, b) => a[5]! - b[5]!).map((part) => part.subarray(6)));
    assert.equal(whole.swap16().toString('utf16le'), text);
  });

  it('what a person writes arrives, whole and in parts', async () => {
    told.length = 0;
    assert.deepEqual(await smsc.write({ from: '+34600111222', to: '+34900111222', text: 'hola' }), [0]);
    const long = 'En un lugar de la Mancha, de cuyo nombre no quiero acordarme. '.repeat(4).trim();
    const answers = await smsc.write({ from: '+34600111222', to: '+34900111222', text: long });
    assert.deepEqual(new Set(answers), new Set([0]));
    await until(() => toldOf('/mo').length === 2);
    // Kannel tells them side by side.
    const texts = toldOf('/mo').map((url) => url.searchParams.get('text'));
    assert.deepEqual(new Set(texts), new Set(['hola', long]));
  });

  it('binds again after a cut, and goes on', async () => {
    const [connection] = smsc.connections;
    smsc.dropAll();
    await connection!.session.closed;
    await until('the bind', () => [...smsc.connections].some(({ session }) => session.state === 'bound'));
    await send('34600111444', 'again');
    await until(() => receivedFor('34600111444').length === 1);
  });
});

interface Ports {
  admin: number;
  boxPort: number;
  sendPort: number;
  smscPort: number;
  sinkUrl: string;
}

const configuration = ({ admin, boxPort, sendPort, smscPort, sinkUrl }: Ports): string => `
group = core
admin-port = ${admin}
admin-interface = "127.0.0.1"
admin-password = tester
smsbox-port = ${boxPort}
smsbox-interface = "127.0.0.1"
box-allow-ip = "127.0.0.1"
dlr-storage = internal
sms-incoming-queue-limit = 1000
sms-combine-concatenated-mo = true

group = smsc
smsc = smpp
host = 127.0.0.1
port = ${smscPort}
transceiver-mode = true
smsc-username = parley
smsc-password = parley
system-type = ""
interface-version = 34
address-range = ""
enquire-link-interval = 1
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendPort}
sendsms-interface = "127.0.0.1"

group = sendsms-user
username = tester
password = tester
max-messages = 10
concatenation = true

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "${sinkUrl}/mo?from=%p&text=%b"
`;
