import { type Agent, type AgentOptions, startAgent } from '../../../src/carriers/sip/signalling/agent.ts';
import type { SipMessage, SipRequest, SipResponse } from '../../../src/carriers/sip/signalling/message/message.ts';
import { parse } from '../../../src/carriers/sip/signalling/message/parse.ts';
import { serialise } from '../../../src/carriers/sip/signalling/message/serialise.ts';
import { Malformed } from '../../../src/carriers/sip/signalling/message/uri.ts';
import {
  type Agreed,
  type Encryption,
  makeNegotiation,
  type Negotiation,
} from '../../../src/carriers/sip/signalling/sdp/negotiate.ts';
import type { Timing } from '../../../src/carriers/sip/signalling/transactions/timing.ts';
import type { OnOctets, Peer, Wire } from '../../../src/carriers/sip/signalling/transport/wire.ts';
import { everyNetwork } from '../../../src/platform/networks.ts';
import { makeGuard } from '../../../src/platform/outbound/guard.ts';

/** Time that stands still until it is moved. */
export interface ManualTiming extends Timing {
  /** Moves it, letting everything that is due happen in order, with what follows from it. */
  advance(ms: number): Promise<void>;
}

export function makeManualTiming(startMs = 1_790_000_000_000): ManualTiming {
  let nowMs = startMs;
  let timers: { dueMs: number; order: number; run(): void }[] = [];
  let order = 0;
  return {
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { dueMs: nowMs + ms, order: order++, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settled();
        const next = timers.toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
        if (!next || next.dueMs > untilMs) break;
        timers = timers.filter((other) => other !== next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.run();
      }
      nowMs = untilMs;
    },
  };
}

/** Lets promises that are done be noticed by those who wait for them. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A network without sockets: datagrams take a millisecond, and those that `isLost` picks never arrive. */
export interface Net {
  timing: ManualTiming;
  /** All that was sent, in order, lost or not. */
  sent: { from: string; to: string; message: SipMessage; isLost: boolean }[];
  isLost(message: SipMessage, from: string): boolean;
  attach(address: string, onOctets: OnOctets): Wire;
  /** Gives octets to a host at once. */
  deliver(octets: Buffer, to: string, from: string): void;
}

export function makeNet(timing = makeManualTiming()): Net {
  const hosts = new Map<string, OnOctets>();
  const net: Net = {
    timing,
    sent: [],
    isLost: () => false,
    deliver: (octets, to, from) => hosts.get(to)?.(octets, { protocol: 'udp', address: from, port: 5060 }),
    attach(address, onOctets) {
      hosts.set(address, onOctets);
      return {
        port: 5060,
        async send(octets, to) {
          const message = read(octets);
          const isLost = net.isLost(message, address);
          net.sent.push({ from: address, to: to.address, message, isLost });
          if (isLost) return;
          timing.after(1, () => net.deliver(octets, to.address, address));
        },
        async close() {
          hosts.delete(address);
        },
      };
    },
  };
  return net;
}

function read(octets: Buffer): SipMessage {
  const parsed = parse(octets);
  if (parsed.kind === 'bad') throw new Malformed(parsed.problem);
  return parsed.message;
}

export const ourAddress = '192.0.2.1';
export const theirAddress = '192.0.2.2';

/** An agent of ours on the network, which lets everybody in unless told otherwise. */
export const startTestAgent = (
  net: Net,
  options: Partial<AgentOptions<string>> & { address?: string } = {},
): Promise<Agent> => {
  const { address = ourAddress, ...rest } = options;
  return startAgent<string>({
    host: address,
    port: 5060,
    publicAddress: address,
    guard: makeGuard(everyNetwork),
    admit: (_request, from) => ({ kind: 'admitted', caller: from.address }),
    onInvite: () => {},
    onError(error) {
      throw error;
    },
    timing: net.timing,
    open: async ({ onOctets }) => net.attach(address, onOctets),
    ...rest,
  });
};

/** A peer that does only what the test tells it. */
export interface RawPeer {
  heard: SipMessage[];
  /** What came since the last look, as `INVITE` or `200 INVITE`. */
  news(): string[];
  /** The last request of a method. */
  request(method: string): SipRequest;
  /** The last answer to a method. */
  response(method: string): SipResponse;
  send(message: SipMessage): void;
  sendText(text: string | Buffer): void;
}

export function startRawPeer(net: Net, address = theirAddress): RawPeer {
  const heard: SipMessage[] = [];
  let seen = 0;
  const wire = net.attach(address, (octets) => heard.push(read(octets)));
  const us: Peer = { protocol: 'udp', address: ourAddress, port: 5060 };
  const find = <M extends SipMessage>(isIt: (message: SipMessage) => boolean, what: string): M => {
    const found = heard.findLast(isIt);
    if (!found) throw new Error(`${what} did not come`);
    return found as M;
  };
  return {
    heard,
    news() {
      const fresh = heard.slice(seen);
      seen = heard.length;
      return fresh.map(nameOf);
    },
    request: (method) => find((message) => message.kind === 'request' && message.method === method, method),
    response: (method) =>
      find((message) => message.kind === 'response' && methodOf(message) === method, `an answer to ${method}`),
    send: (message) => void wire.send(serialise(message), us),
    sendText: (text) => void deliver(text),
  };

  /** Past the network's eyes: what is no message at all can be sent too. */
  function deliver(text: string | Buffer): void {
    const octets = typeof text === 'string' ? Buffer.from(text.replaceAll(/\r?\n/g, '\r\n')) : text;
    net.timing.after(1, () => net.deliver(octets, us.address, address));
  }
}

const methodOf = (message: SipMessage): string => message.headers.get('cseq')?.[0]?.split(' ')[1] ?? '';
const nameOf = (message: SipMessage): string =>
  message.kind === 'request' ? message.method : `${message.status} ${methodOf(message)}`;

export const audioSdp = (lines = '', address = '192.0.2.2'): string =>
  `v=0\r\no=- 1 1 IN IP4 ${address}\r\ns=-\r\nc=IN IP4 ${address}\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8 0 101\r\n` +
  `a=rtpmap:101 telephone-event/8000\r\n${lines}`;

/** What a call agreed on, for tests to look at. */
export function testNegotiation(encryption: Encryption = 'off'): Negotiation & { agreed: Agreed[] } {
  const agreed: Agreed[] = [];
  const negotiation = makeNegotiation({
    address: ourAddress,
    port: 20_000,
    codecs: ['PCMU', 'PCMA'],
    encryption,
    onAgreed: (one) => void agreed.push(one),
  });
  return { ...negotiation, agreed };
}
