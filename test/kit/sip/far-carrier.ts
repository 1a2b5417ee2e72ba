import { type Agent, startAgent } from '../../../src/carriers/sip/signalling/agent.ts';
import { makeChallenger } from '../../../src/carriers/sip/signalling/authentication/digest.ts';
import { type CallIn, takeCall } from '../../../src/carriers/sip/signalling/dialogs/call-in.ts';
import { type CallOut, placeCall } from '../../../src/carriers/sip/signalling/dialogs/call-out.ts';
import type { CallEnd } from '../../../src/carriers/sip/signalling/dialogs/established.ts';
import {
  header,
  makeResponse,
  newCallId,
  type SipRequest,
} from '../../../src/carriers/sip/signalling/message/message.ts';
import { makeNegotiation } from '../../../src/carriers/sip/signalling/sdp/negotiate.ts';
import type { Peer, Protocol } from '../../../src/carriers/sip/signalling/transport/wire.ts';
import { everyNetwork } from '../../../src/platform/networks.ts';
import { makeGuard } from '../../../src/platform/outbound/guard.ts';

/** What a carrier does with a call: answers it, lets it ring, says nothing at all, or refuses it with a status. */
export type Manner = 'answer' | 'ring' | number;

export interface Taken {
  request: SipRequest;
  call: CallIn | undefined;
  ends: CallEnd[];
}

export interface Placed {
  call: CallOut;
  /** trying, ringing, answered, failed 486 … and how it ended. */
  told: string[];
}

/** A carrier on a loopback address of its own, for tests. */
export interface TestCarrier {
  address: string;
  port: number;
  manner: Manner;
  taken: Taken[];
  /** What came in REGISTER, after the proof. */
  registered: { contact: string; expires: string }[];
  agent: Agent;
  call(to: string, peer: { port: number; protocol?: Protocol }, from?: string): Promise<Placed>;
  close(): Promise<void>;
}

export async function startCarrier(
  address: string,
  options: { manner?: Manner; password?: string; port?: number } = {},
): Promise<TestCarrier> {
  const challenger = makeChallenger('carrier', () => Date.now());
  const negotiation = () => makeNegotiation({ address, port: 40_000, codecs: ['PCMA', 'PCMU'], onAgreed: () => {} });
  const local = { address, hostPort: '' };

  /** Registrations are answered at the door: nothing else of them is needed here. */
  function register(request: SipRequest) {
    carrier.registered.push({ contact: header(request, 'contact')!, expires: header(request, 'expires')! });
    const headers = { contact: `${header(request, 'contact')};expires=${header(request, 'expires')}` };
    return { kind: 'refused' as const, status: 200, headers };
  }

  const agent = await startAgent<string>({
    host: address,
    port: options.port ?? 0,
    publicAddress: '',
    guard: makeGuard(everyNetwork),
    admit(request, from: Peer) {
      const { password } = options;
      const proof = password === undefined ? {} : challenger.check(request, from.address, () => [{ password }]);
      if (request.method === 'OPTIONS') return { kind: 'admitted', caller: from.address };
      if (typeof proof === 'string') {
        if (proof === 'wrong') return { kind: 'refused', status: 403 };
        return {
          kind: 'refused',
          status: 401,
          headers: { 'www-authenticate': challenger.challenge(from.address, proof === 'stale') },
        };
      }
      return request.method === 'REGISTER' ? register(request) : { kind: 'admitted', caller: from.address };
    },
    onInvite(request, transaction) {
      const ends: CallEnd[] = [];
      if (typeof carrier.manner === 'number') {
        carrier.taken.push({ request, call: undefined, ends });
        return transaction.respond(makeResponse(request, carrier.manner, { toTag: 'carrier' }));
      }
      const call = takeCall(agent, request, transaction, { onDigit: () => {}, onEnd: (end) => ends.push(end) });
      carrier.taken.push({ request, call, ends });
      call?.ring();
      if (carrier.manner === 'answer') call?.answer(negotiation(), local);
    },
    onError(error) {
      throw error;
    },
  });
  local.hostPort = `${address}:${agent.port}`;

  const carrier: TestCarrier = {
    address,
    port: agent.port,
    manner: options.manner ?? 'answer',
    taken: [],
    registered: [],
    agent,
    async call(to, { port, protocol = 'udp' }, from = `<sip:+447700900111@${address}>`) {
      const told: string[] = [];
      const call = placeCall(agent, {
        callId: newCallId(address),
        uri: `sip:${to}@127.0.0.1`,
        from,
        to: `<sip:${to}@127.0.0.1>`,
        peer: { protocol, address: '127.0.0.1', port },
        local,
        credentials: undefined,
        negotiation: negotiation(),
        onTrying: () => void told.push('trying'),
        onRinging: () => void told.push('ringing'),
        onAnswered: () => void told.push('answered'),
        onFailed: (status) => void told.push(`failed ${status}`),
        onDigit: () => {},
        onEnd: ({ by }) => void told.push(`ended by ${by}`),
      });
      return { call, told };
    },
    close: () => agent.close(),
  };
  return carrier;
}
