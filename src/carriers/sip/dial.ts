import { kindOf } from '../ports/legs.ts';
import type { DialOutcome, DialRequest, OutboundLeg } from '../ports/voice.ts';
import { type Endpoint, nearOf } from './endpoint.ts';
import { type LiveLeg, makeLeg } from './leg.ts';
import type { Credentials } from './signalling/authentication/digest.ts';
import { type CallOut, placeCall } from './signalling/dialogs/call-out.ts';
import type { Given } from './signalling/message/message.ts';
import { newCallId } from './signalling/message/message.ts';
import { escapeUser, hostPortText, Malformed, parseUri } from './signalling/message/uri.ts';
import { type Agreed, makeNegotiation } from './signalling/sdp/negotiate.ts';
import { defaultPortOf, protocolOf, transportParam } from './signalling/transport/routing.ts';
import type { Peer, Protocol } from './signalling/transport/wire.ts';
import { speechAddresses } from './speech-addresses.ts';
import { credentialsOf, encryptionOf, peerOf, type Trunk } from './trunks/trunk.ts';

/** One way to reach somebody. */
export interface Way {
  trunk: Trunk;
  peer: Peer;
  uri: string;
  /** Proof of who we are is for the trunk alone: anybody else could try passwords against it at leisure. */
  credentials: Credentials | undefined;
}

/** One who has not even said that he is trying is passed over after that. */
const silenceMs = 4_000;

interface Failure {
  code: number;
  description: string;
  /** Whether another way may do better. */
  isOfTheWay: boolean;
}

/** Rings somebody, by one trunk after the other until one has an answer. */
export function dial(endpoint: Endpoint, request: DialRequest, findWays: () => Promise<Way[]>): OutboundLeg {
  const { promise: outcome, resolve } = Promise.withResolvers<DialOutcome>();
  const id = newCallId('parley');
  let call: CallOut | undefined;
  let gaveUp: Exclude<DialOutcome, { kind: 'answered' }> | undefined;
  let isAnswered = false;

  const live: LiveLeg = makeLeg({
    id,
    accountIds: [request.accountId],
    hangUp() {
      giveUp({ kind: 'cancelled', code: 487, description: 'Cancelled.' });
    },
    // Nothing is played before the answer.
    ringBefore: () => (isAnswered ? undefined : () => {}),
    onOver: ({ leg }) => void endpoint.legs.delete(leg),
  });
  endpoint.legs.set(live.leg, live);

  function giveUp(how: NonNullable<typeof gaveUp>): void {
    if (isAnswered) return void call!.hangUp();
    gaveUp ??= how;
    call?.hangUp();
    conclude(gaveUp);
  }

  function conclude(how: NonNullable<typeof gaveUp>): void {
    clearTimeout(timer);
    resolve(how);
    const by = how.kind === 'cancelled' ? 'us' : how.kind === 'unreachable' ? 'network' : 'peer';
    live.end({ by, code: how.code, description: how.description });
  }

  const timer = setTimeout(
    () => giveUp({ kind: 'unanswered', code: 480, description: 'Nobody answered.' }),
    request.timeoutMs,
  );

  async function run(): Promise<void> {
    let last: Failure = { code: 503, description: 'There is no trunk for this call.', isOfTheWay: true };
    for (const [index, way] of (await findWays()).entries()) {
      if (gaveUp) return;
      const failure = await tryWay(way, index === 0 ? id : `${id}-${index}`);
      if (!failure) return;
      last = failure;
      if (!last.isOfTheWay) break;
    }
    if (!gaveUp) conclude({ kind: kindOf(last.code), code: last.code, description: last.description });
  }

  /** undefined: answered, or given up. */
  async function tryWay({ trunk, peer, uri, credentials }: Way, callId: string): Promise<Failure | undefined> {
    const { agent, media, mayReach } = endpoint;
    if (trunk.encryption === 'required' && peer.protocol !== 'tls')
      return {
        code: 488,
        description: 'The call must be encrypted, and this address is not reached by TLS.',
        isOfTheWay: true,
      };
    const local = await agent.addressing.localFor(peer);
    const session = live.media ?? (await media.open({ near: nearOf(request.onBehalfOf ?? request.from) }));
    if (live.media === undefined && !live.attach(session)) return undefined;
    live.trunk = trunk.uuid;
    const { port } = session.local;
    const { codecs } = trunk;
    const onAgreed = (agreed: Agreed): void => live.agreed(speechAddresses(agreed, mayReach));
    const encryption = encryptionOf(trunk.encryption, peer);
    const negotiation = makeNegotiation({ address: local.address, port, codecs, encryption, onAgreed });
    return new Promise((resolveWay) => {
      let silence: NodeJS.Timeout | undefined;
      function fail(code: number, description: string, isSilent: boolean): void {
        clearTimeout(silence);
        const isOfTheWay = isSilent || (code >= 300 && code < 400) || [408, 500, 502, 503, 504].includes(code);
        resolveWay(gaveUp ? undefined : { code, description, isOfTheWay });
        if (isSilent) attempt.hangUp();
      }
      const attempt = placeCall(agent, {
        callId,
        uri,
        ...identity(request, trunk, uri),
        peer,
        local,
        credentials,
        negotiation,
        onTrying: () => clearTimeout(silence),
        onRinging: () => {},
        onAnswered() {
          isAnswered = true;
          clearTimeout(timer);
          clearTimeout(silence);
          resolve({ kind: 'answered' });
          resolveWay(undefined);
        },
        onFailed: fail,
        onDigit: live.press,
        onEnd: live.end,
      });
      call = attempt;
      silence = setTimeout(() => fail(408, 'The trunk is silent.', true), silenceMs);
    });
  }

  void run().catch((error: Error) =>
    conclude({ kind: 'unreachable', code: error instanceof Malformed ? 400 : 503, description: error.message }),
  );
  return Object.assign(live.leg, { outcome });
}

/** Who calls, as the person called and the carrier see it. */
function identity({ from, onBehalfOf }: DialRequest, { fromDomain }: Trunk, uri: string) {
  const address = (number: string): string => `<sip:${escapeUser(number)}@${fromDomain}>`;
  const isWithheld = from === '';
  const headers: Given = {
    ...(isWithheld && { privacy: 'id' }),
    'p-asserted-identity': address((isWithheld && onBehalfOf) || from || 'anonymous'),
    // RFC 5806: whose number the caller had dialled.
    ...(onBehalfOf !== undefined && { diversion: `${address(onBehalfOf)};reason=unconditional` }),
    'user-agent': 'Parley',
  };
  const shown = isWithheld ? '"Anonymous" <sip:anonymous@anonymous.invalid>' : address(from);
  return { from: shown, to: `<${uri}>`, headers };
}

function uriOf(number: string, { host, port, protocol }: Trunk): string {
  const user = number.replace(/[^\d+*#]/g, '');
  const place = hostPortText(host, port === defaultPortOf(protocol) ? undefined : port);
  return `sip:${escapeUser(user)}@${place}${transportParam(protocol)}`;
}

export const isSipAddress = (to: string): boolean => /^sips?:/i.test(to);

/** A SIP address that somebody gave: whom to ask, and by which protocol. */
export function sipTarget(to: string): { host: string; port: number; protocol: Protocol } {
  const { scheme, host, port, params } = parseUri(to);
  const protocol = protocolOf(scheme, params.get('transport'), 'udp');
  return { host, port: port ?? defaultPortOf(protocol), protocol };
}

export const wayBy = (trunk: Trunk, number: string): Way[] => {
  const peer = peerOf(trunk);
  return peer ? [{ trunk, peer, uri: uriOf(number, trunk), credentials: credentialsOf(trunk) }] : [];
};
