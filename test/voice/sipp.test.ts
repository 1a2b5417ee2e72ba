// The whole way with SIPp at both ends: callers on 127.0.0.3, the people called on 127.0.0.2.
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { freePorts } from '../../src/carriers/smpp/peers/foreign.ts';
import { missingPeers } from '../../src/platform/testing/peers.ts';
import { calleeHost, callerHost, type House, startHouse, startSipp, until } from './house.ts';
import { holding, pressing, refusing, unanswering } from './scenarios.ts';

const skip = missingPeers(['which', 'sipp']);

describe('calls over SIP, with SIPp', { skip, timeout: 240_000 }, () => {
  let house: House;
  let calleePort: number;
  before(async () => {
    [calleePort] = (await freePorts(1)) as [number];
    house = await startHouse(calleePort);
  });
  after(() => house.close());

  async function callee(t: TestContext, scenario: string, args: string[] = []): Promise<void> {
    const sipp = await startSipp(house.directory, scenario, [
      '-i',
      calleeHost,
      '-p',
      String(calleePort),
      '-rtp_echo',
      ...args,
    ]);
    t.after(() => sipp.stop());
  }

  async function caller(number: string, scenario: string, args: string[] = []): Promise<void> {
    const [port, mediaPort] = (await freePorts(2)) as [number, number];
    const sipp = await startSipp(house.directory, scenario, [
      ...['-i', callerHost, '-p', String(port), '-mp', String(mediaPort), '-s', number, '-timeout', '60s'],
      ...args,
      `127.0.0.1:${house.port}`,
    ]);
    assert.equal(await sipp.done, 0, await sipp.errors());
  }

  it('a call is forwarded, answered, and ended by the caller', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '1', '-d', '1000']);
    const [record] = await house.records(number, 1);
    assert.deepEqual(
      [record.result, record.hung_up_by, record.sip_code, record.talk_seconds],
      ['ANSWERED', 'CALLER', 200, 1],
    );
  });

  it('over TCP, too', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '5', '-r', '5', '-d', '200', '-t', 't1']);
    const records = await house.records(number, 5);
    assert.ok(records.every(({ result }: { result: string }) => result === 'ANSWERED'));
  });

  it('hold is answered, and so is its end', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, holding, ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].result, 'ANSWERED');
  });

  it('busy', async (t) => {
    const number = await house.buy();
    await callee(t, refusing('486 Busy Here'));
    await caller(number, refused(486), ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].result, 'BUSY');
  });

  it('nobody answers: the callee’s phone falls silent, and the caller leaves a message', async (t) => {
    const number = await house.buy({ features: ['VOICEMAIL_LITE'] });
    await callee(t, unanswering);
    await caller(number, 'uac', ['-m', '1', '-d', '2000']);
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.voicemail], ['VOICEMAIL', true]);
  });

  it('keys that the caller presses are captured', async (t) => {
    const number = await house.buy({ features: ['CAPTURE_DIGITS'] });
    await callee(t, 'uas');
    await caller(number, pressing(500), ['-m', '1']);
    assert.equal((await house.records(number, 1))[0].digits, '1');
  });

  it('with 2 % of all datagrams lost, every call still goes through', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas', ['-lost', '2']);
    await caller(number, 'uac', ['-m', '50', '-r', '10', '-d', '500', '-lost', '2', '-timeout', '120s']);
    const records = await house.records(number, 50);
    assert.equal(records.filter(({ result }: { result: string }) => result === 'ANSWERED').length, 50);
  });

  it('of 300 calls none is lost', async (t) => {
    const number = await house.buy();
    await callee(t, 'uas');
    await caller(number, 'uac', ['-m', '300', '-r', '30', '-d', '1000', '-timeout', '120s']);
    const answered = async () =>
      (await house.get(`/v2/cdr/?number=${encodeURIComponent(number)}&result=ANSWERED`)).count;
    await until('300 answered calls', async () => (await answered()) === 300);
  });
});

/** A caller who expects to be refused. */
const refused = (status: number): string => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="refused">
<send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:caller@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=user1 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0
]]></send>
<recv response="100" optional="true"/>
<recv response="180" optional="true"/>
<recv response="${status}"/>
<send><![CDATA[
ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
CSeq: 1 ACK
Content-Length: 0

]]></send>
</scenario>`;
