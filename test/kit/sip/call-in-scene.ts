import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Agent } from '../../../src/carriers/sip/signalling/agent.ts';
import { type CallIn, takeCall } from '../../../src/carriers/sip/signalling/dialogs/call-in.ts';
import type { CallEnd } from '../../../src/carriers/sip/signalling/dialogs/established.ts';
import { header, type SipRequest } from '../../../src/carriers/sip/signalling/message/message.ts';
import { parse } from '../../../src/carriers/sip/signalling/message/parse.ts';
import {
  audioSdp,
  makeNet,
  type Net,
  ourAddress,
  type RawPeer,
  startRawPeer,
  startTestAgent,
  testNegotiation,
} from './raw-peer.ts';

/** A peer that calls us, and what becomes of it. */
export const local = { address: ourAddress, hostPort: `${ourAddress}:5060` };

export interface CallInScene {
  net: Net;
  agent: Agent;
  peer: RawPeer;
  calls: CallIn[];
  ends: CallEnd[];
  digits: string[];
  negotiation: ReturnType<typeof testNegotiation>;
  advance(ms?: number): Promise<void>;
}

export async function callInScene(t: TestContext): Promise<CallInScene> {
  const net = makeNet();
  const [calls, ends, digits, negotiation] = [[] as CallIn[], [] as CallEnd[], [] as string[], testNegotiation()];
  const agent = await startTestAgent(net, {
    onInvite(request, transaction) {
      const call = takeCall(agent, request, transaction, {
        onDigit: (digit) => digits.push(digit),
        onEnd: (end) => ends.push(end),
      });
      if (call) calls.push(call);
    },
  });
  t.after(() => agent.close());
  return {
    net,
    agent,
    peer: startRawPeer(net),
    calls,
    ends,
    digits,
    negotiation,
    advance: (ms = 10) => net.timing.advance(ms),
  };
}

export interface Ask {
  method?: string;
  cseq?: number;
  toTag?: string;
  fromTag?: string;
  branch?: string;
  headers?: string[];
  body?: string;
  callId?: string;
}
let branches = 0;
export function message(ask: Ask = {}): SipRequest {
  const {
    method = 'INVITE',
    cseq = 1,
    toTag,
    fromTag = 'them',
    branch = `z9hG4bK-test-${branches++}`,
    body = '',
  } = ask;
  const text = [
    `${method} sip:+15550001@${ourAddress} SIP/2.0`,
    `Via: SIP/2.0/UDP 192.0.2.2:5060;branch=${branch}`,
    `From: <sip:+15550002@192.0.2.2>;tag=${fromTag}`,
    `To: <sip:+15550001@${ourAddress}>${toTag ? `;tag=${toTag}` : ''}`,
    `Call-ID: ${ask.callId ?? 'one'}`,
    `CSeq: ${cseq} ${method}`,
    'Contact: <sip:them@192.0.2.2>',
    ...(ask.headers ?? []),
    ...(body ? ['Content-Type: application/sdp'] : []),
  ];
  const parsed = parse(Buffer.from(`${text.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`));
  return parsed.kind === 'message' ? (parsed.message as SipRequest) : assert.fail(parsed.problem);
}
export const tagOf = (peer: RawPeer): string => /tag=(\w+)/.exec(header(peer.response('INVITE'), 'to')!)![1]!;

export async function answered(scene: CallInScene, invite = message({ body: audioSdp() })): Promise<void> {
  const { peer, calls, advance, negotiation } = scene;
  peer.send(invite);
  await advance();
  assert.ok(calls[0]!.answer(negotiation, local));
  await advance();
  peer.send(message({ method: 'ACK', toTag: tagOf(peer) }));
  await advance();
  peer.news();
}
