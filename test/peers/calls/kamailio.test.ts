// A trunk that registers, through Kamailio as a carrier's edge: digest, Record-Route, and calls both ways.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { missingPeers } from '../../kit/peers.ts';
import { type Foreign, freePorts } from '../../kit/program/foreign.ts';
import { until } from '../../kit/until.ts';
import { calleeHost, callerHost, type House, startHouse, startSipp } from './house.ts';
import { kamailio, startKamailio } from './kamailio.ts';

const skip = missingPeers(['which', 'sipp'], ['test', '-x', kamailio]);
const edge = '127.0.0.4';

describe('a trunk through Kamailio', { skip }, () => {
  let house: House;
  let proxy: Foreign;
  let [edgePort, calleePort] = [0, 0];
  before(async () => {
    [edgePort, calleePort] = (await freePorts(2)) as [number, number];
    house = await startHouse(edgePort, {
      trunk: { host: edge, username: 'parley', password: 'a long secret', register: true, allowed_addresses: [] },
    });
    proxy = await startKamailio({
      directory: house.directory,
      host: edge,
      port: edgePort,
      callee: `${calleeHost}:${calleePort}`,
    });
  });
  after(async () => {
    await house.close();
    await proxy?.stop();
  });
  const link = async () =>
    (await house.get('/v2/network-status/voice/')).results.find(
      ({ carrier }: { carrier: string }) => carrier === 'sip',
    );

  it('registers with proof, though the carrier comes up later, and tells how long the answer takes', async () => {
    const up = await until('the trunk is up', async () => {
      const one = await link();
      return one?.state === 'UP' && one;
    }).catch((error) => assert.fail(`${error.message}\n${proxy.lines.slice(-20).join('\n')}`));
    assert.ok(up.latency_ms >= 0);
  });

  it('a call to the registered name comes in, and leaves again by the proxy, which asks for proof', async (t) => {
    const number = await house.buy();
    const callee = await startSipp(house.directory, 'uas', ['-i', calleeHost, '-p', String(calleePort)]);
    t.after(() => callee.stop());
    const [port] = (await freePorts(1)) as [number];
    const caller = await startSipp(house.directory, callingTheRegistered(number), [
      ...['-i', callerHost, '-p', String(port), '-m', '1', '-timeout', '30s'],
      `${edge}:${edgePort}`,
    ]);
    assert.equal(await caller.done, 0, `${await caller.errors()}\n${proxy.lines.slice(-20).join('\n')}`);
    const [record] = await house.records(number, 1);
    assert.deepEqual([record.result, record.hung_up_by, record.caller], ['ANSWERED', 'CALLER', '+447700900111']);
  });
});

/** Dials the name that we registered; the number stands in To, as carriers do it. */
const callingTheRegistered = (number: string): string => `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="registered">
<send retrans="500"><![CDATA[
INVITE sip:parley@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:${number}@[remote_ip]:[remote_port]>
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
<recv response="200" rrs="true"/>
<send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
[routes]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:${number}@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
<pause milliseconds="1000"/>
<send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
[routes]
From: <sip:+447700900111@[local_ip]:[local_port]>;tag=[call_number]
To: <sip:${number}@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200"/>
</scenario>`;
