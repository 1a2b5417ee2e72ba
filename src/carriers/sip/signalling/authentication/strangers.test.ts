// What comes from those whom nobody knows, and from those who mean harm.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  makeManualTiming,
  makeNet,
  ourAddress,
  startRawPeer,
  startTestAgent,
} from '../../../../../test/kit/sip/raw-peer.ts';
import { makeAdmission } from '../../trunks/admission.ts';
import type { TrunkRow } from '../../trunks/queries.ts';
import { trunkOf } from '../../trunks/trunk.ts';
import { header, makeResponse, type SipRequest } from '../message/message.ts';
import { parse } from '../message/parse.ts';
import { makeLimiter } from '../transport/limiter.ts';
import { authorise } from './digest.ts';

const row: TrunkRow = {
  account_id: 'a',
  uuid: 't',
  name: 'Trunk',
  host: 'carrier.example.com',
  port: 5060,
  transport: 'udp',
  username: 'carrier',
  password: 'secret',
  register: false,
  allowed_addresses: ['198.51.100.0/24'],
  codecs: ['PCMU'],
  from_domain: '',
  srtp: 'off',
  tls_verify: true,
  tls_ca: null,
  tls_client_name: null,
  weight: 1,
  modified: '',
};
const open = { open: (sealed: string) => sealed };

let count = 0;
function invite(headers: string[] = []): SipRequest {
  const id = count++;
  const text = `INVITE sip:900441234567@${ourAddress} SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.2:5060;branch=z9hG4bK${id}\r\nFrom: <sip:100@x>;tag=${id}\r\nTo: <sip:900441234567@x>\r\nCall-ID: ${id}\r\nCSeq: 1 INVITE\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
  const parsed = parse(Buffer.from(text));
  return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail(parsed.problem);
}

async function scene(trunks = [trunkOf(open, row, { addresses: ['203.0.113.5'], problem: '' })]) {
  const net = makeNet();
  const admission = makeAdmission(net.timing.nowMs);
  admission.change({ gone: [], come: trunks });
  const calls: string[] = [];
  const agent = await startTestAgent(net, {
    admit: (request, from) => {
      const admitted = admission.admit(request, from);
      return admitted.kind === 'admitted' ? { kind: 'admitted', caller: admitted.caller[0]!.name } : admitted;
    },
    onInvite(request, transaction, caller) {
      calls.push(caller);
      transaction.respond(makeResponse(request, 486, { toTag: 'x' }));
    },
  });
  return { net, agent, calls };
}

describe('calls from strangers', () => {
  it('are asked who they are, leave no trace, and get 403 for a wrong password', async () => {
    const { net, agent, calls } = await scene();
    const peer = startRawPeer(net);
    const first = invite();
    peer.send(first);
    await net.timing.advance(10);
    assert.deepEqual(peer.news(), ['401 INVITE']);
    const challenges = peer.response('INVITE').headers.get('www-authenticate')!;
    assert.deepEqual(
      challenges.map((line) => /algorithm=([\w-]+)/.exec(line)![1]),
      ['SHA-256', 'MD5'],
    );
    assert.equal(agent.transactions(), 0);
    const proved = (password: string) => {
      const { value } = authorise(peer.response('INVITE'), first, { username: 'carrier', password })!;
      return invite([`Authorization: ${value}`]);
    };
    const [wrong, right] = [proved('guess'), proved('secret')];
    peer.send(wrong);
    await net.timing.advance(10);
    assert.deepEqual(peer.news(), ['403 INVITE']);
    assert.deepEqual(calls, []);
    peer.send(right);
    await net.timing.advance(10);
    assert.deepEqual([peer.news(), calls], [['486 INVITE'], ['Trunk']]);
    // Sent again because the answer was lost: the proof was used up, but it is the same request.
    peer.send(right);
    await net.timing.advance(10);
    assert.deepEqual([peer.news(), calls], [['486 INVITE'], ['Trunk']]);
    await agent.close();
  });

  it('are refused outright where no trunk has a password', async () => {
    const { net, agent } = await scene([trunkOf(open, { ...row, password: null }, { addresses: [], problem: '' })]);
    const peer = startRawPeer(net);
    peer.send(invite());
    await net.timing.advance(10);
    assert.deepEqual(peer.news(), ['403 INVITE']);
    await agent.close();
  });

  it('in a flood are answered a few times a second, and the rest is dropped and counted; a trunk is served meanwhile', async () => {
    const { net, agent, calls } = await scene();
    const [flood, trunk] = [startRawPeer(net), startRawPeer(net, '203.0.113.5')];
    for (let sent = 0; sent < 1_000; sent++) flood.send(invite());
    trunk.send(invite());
    await net.timing.advance(10);
    assert.equal(flood.news().length, 20);
    assert.equal(agent.counts.flooded, 980);
    assert.equal(agent.transactions(), 1, 'only the call of the trunk costs anything');
    assert.deepEqual(calls, ['Trunk']);
    await net.timing.advance(1_000);
    flood.send(invite());
    await net.timing.advance(10);
    assert.equal(flood.news().length, 1);
    await agent.close();
  });

  it('come from a network that a trunk allows', async () => {
    const { net, agent, calls } = await scene();
    startRawPeer(net, '198.51.100.77').send(invite());
    startRawPeer(net, '198.51.101.77').send(invite());
    await net.timing.advance(10);
    assert.deepEqual(calls, ['Trunk']);
    await agent.close();
  });

  it('octets that are no message are counted, and the next message is heard', async () => {
    const { net, agent, calls } = await scene();
    const trunk = startRawPeer(net, '203.0.113.5');
    for (const rubbish of [
      'GET / HTTP/1.1\r\n\r\n',
      '\0\0\0\0\0\0',
      'INVITE sip:x SIP/2.0\r\n\r\n',
      'SIP/2.0 200 OK\r\n\r\n',
    ]) {
      trunk.sendText(rubbish);
    }
    trunk.send(invite());
    await net.timing.advance(10);
    assert.equal(agent.counts.malformed, 4);
    assert.deepEqual(calls, ['Trunk']);
    await agent.close();
  });

  it('a bad request that can be answered gets 400 with what is wrong', async () => {
    const { net, agent } = await scene();
    const peer = startRawPeer(net);
    const bad = invite();
    bad.headers.set('cseq', ['1 BYE']);
    peer.sendText(
      Buffer.from(
        `INVITE sip:a@b SIP/2.0\r\n${[...bad.headers].map(([name, [line]]) => `${name}: ${line}`).join('\r\n')}\r\n\r\n`,
      ),
    );
    await net.timing.advance(10).catch(() => {});
    const { message } = net.sent.at(-1)!;
    assert.equal(message.kind === 'response' && message.status, 400);
    assert.equal(header(message, 'call-id'), header(bad, 'call-id'));
    await agent.close();
  });
});

describe('the limit per source', () => {
  it('made-up sources share one measure when there are too many, and quiet ones are forgotten', async () => {
    const timing = makeManualTiming();
    const limiter = makeLimiter({ burst: 2, perSecond: 1, nowMs: timing.nowMs });
    for (let source = 0; source < 10_000; source++) assert.ok(limiter.allows(`s${source}`));
    const beyond = Array.from({ length: 100 }, (_, index) => limiter.allows(`t${index}`));
    assert.equal(beyond.filter(Boolean).length, 2);
    await timing.advance(5_000);
    assert.ok(limiter.allows('new'));
    assert.ok(limiter.allows('t99'));
  });
});
