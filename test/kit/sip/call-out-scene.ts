import type { TestContext } from 'node:test';
import { type CallOut, placeCall } from '../../../src/carriers/sip/signalling/dialogs/call-out.ts';
import type { CallEnd } from '../../../src/carriers/sip/signalling/dialogs/established.ts';
import { viaOf } from '../../../src/carriers/sip/signalling/message/fields.ts';
import {
  type Given,
  makeResponse,
  type ResponseOptions,
  type SipRequest,
} from '../../../src/carriers/sip/signalling/message/message.ts';
import {
  audioSdp,
  makeNet,
  type Net,
  ourAddress,
  type RawPeer,
  startRawPeer,
  startTestAgent,
  testNegotiation,
  theirAddress,
} from './raw-peer.ts';

/** A call of ours to a peer that does what the test says. */
export interface CallOutScene {
  net: Net;
  peer: RawPeer;
  call: CallOut;
  told: string[];
  ends: CallEnd[];
  negotiation: ReturnType<typeof testNegotiation>;
  advance(ms?: number): Promise<void>;
  left(): number;
  /** Answers the last INVITE. */
  answer(status: number, options?: ResponseOptions): void;
}

export async function callOutScene(t: TestContext, { listens = true } = {}): Promise<CallOutScene> {
  const net = makeNet();
  const agent = await startTestAgent(net);
  t.after(() => agent.close());
  const peer = listens ? startRawPeer(net) : startRawPeer(net, '192.0.2.77');
  const [told, ends, negotiation] = [[] as string[], [] as CallEnd[], testNegotiation()];
  const call = placeCall(agent, {
    callId: 'ours',
    uri: `sip:+15550003@${theirAddress}`,
    from: `<sip:+15550001@${ourAddress}>`,
    to: `<sip:+15550003@${theirAddress}>`,
    peer: { protocol: 'udp', address: theirAddress, port: 5060 },
    local: { address: ourAddress, hostPort: `${ourAddress}:5060` },
    credentials: { username: 'parley', password: 'secret', addresses: [theirAddress] },
    negotiation,
    onTrying: () => void told.push('trying'),
    onRinging: () => void told.push('ringing'),
    onAnswered: () => void told.push('answered'),
    onFailed: (status) => void told.push(`failed ${status}`),
    onDigit: () => {},
    onEnd: (end) => void ends.push(end),
  });
  return {
    net,
    peer,
    call,
    told,
    ends,
    negotiation,
    advance: (ms = 10) => net.timing.advance(ms),
    left: () => agent.transactions() + agent.dialogs.size,
    answer: (status, options) => peer.send(makeResponse(peer.request('INVITE'), status, { toTag: 'them', ...options })),
  };
}

export const ok: ResponseOptions = {
  headers: { contact: `<sip:them@${theirAddress}>`, 'content-type': 'application/sdp' },
  body: Buffer.from(audioSdp()),
};
export const okWith = (headers: Given): ResponseOptions => ({ ...ok, headers: { ...ok.headers, ...headers } });
export const branchOf = (request: SipRequest) => viaOf(request).params.get('branch');
