import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { InboundLeg, OnCall } from '../ports/voice.ts';
import { type Endpoint, nearOf } from './endpoint.ts';
import { type LiveLeg, makeLeg } from './leg.ts';
import { takeCall } from './signalling/dialogs/call-in.ts';
import { callIdOf, fromOf, listOf, parseAddress, toOf } from './signalling/message/fields.ts';
import { header, type SipRequest } from './signalling/message/message.ts';
import { Malformed, parseUri } from './signalling/message/uri.ts';
import { type Agreed, type Encryption, makeNegotiation, type Negotiation } from './signalling/sdp/negotiate.ts';
import type { ServerTransaction } from './signalling/transactions/transaction.ts';
import type { LocalAddress } from './signalling/transport/addressing.ts';
import type { Peer } from './signalling/transport/wire.ts';
import { speechAddresses } from './speech-addresses.ts';
import type { CallerTrunks } from './trunks/admission.ts';
import { encryptionOf, type Trunk } from './trunks/trunk.ts';

interface Receiving {
  endpoint: Endpoint;
  clock: Clock;
  log: Log;
  onCall: OnCall;
}

/** Makes the leg of an inbound call and hands it to `onCall`, which decides what happens. */
export function receiveCall(
  { endpoint, clock, log, onCall }: Receiving,
  request: SipRequest,
  transaction: ServerTransaction,
  admitted: CallerTrunks,
): void {
  const { agent, media, legs, mayReach } = endpoint;
  const trunks = calledByName(request, admitted);
  const accountIds = [...new Set(trunks.map(({ accountId }) => accountId))];
  let ready: { negotiation: Negotiation; local: LocalAddress } | undefined;
  let isAnswered = false;

  // Before there is a call to be forgotten: what these cannot read is answered with 400.
  const from = callerOf(request);
  const to = calledOf(request, trunks);

  const call = takeCall(agent, request, transaction, {
    onDigit: (digit) => live.press(digit),
    onEnd: (end) => live.end(end),
  });
  if (!call) return;
  const live: LiveLeg = makeLeg({
    id: callIdOf(request),
    accountIds,
    hangUp: call.hangUp,
    ringBefore() {
      if (isAnswered) return undefined;
      call.ring();
      return () => {};
    },
    onOver: ({ leg }) => void legs.delete(leg),
  });
  const isShared = accountIds.length > 1;
  // Where accounts share a carrier's address, the trunk is that of the account whose number is called.
  if (!isShared) live.trunk = trunks[0]!.uuid;
  legs.set(live.leg, live);
  const leg: InboundLeg = Object.assign(live.leg, {
    belongTo(accountId: string) {
      live.trunk = trunks.find((trunk) => trunk.accountId === accountId)?.uuid ?? live.trunk;
    },
    async answer() {
      if (ready && !isAnswered) isAnswered = call.answer(ready.negotiation, ready.local);
    },
    async reject(code: number) {
      call.reject(code >= 300 && code <= 699 ? code : 603);
    },
  });

  function refuse(reason: string): void {
    log.warn({ trunk: trunks[0]!.name, from, to, reason }, 'A call was refused (488)');
    call!.reject(488, reason);
  }

  async function prepare(): Promise<boolean> {
    const [local, session] = await Promise.all([
      agent.addressing.localFor(transaction.peer),
      media.open({ near: nearOf(to) }),
    ]);
    if (!live.attach(session)) return false;
    const codecs = [...new Set(trunks.flatMap((trunk) => trunk.codecs))];
    const onAgreed = (agreed: Agreed): void => live.agreed(speechAddresses(agreed, mayReach));
    const { port } = session.local;
    const encryption = strictest(trunks, transaction.peer);
    const negotiation = makeNegotiation({ address: local.address, port, codecs, encryption, onAgreed });
    ready = { negotiation, local };
    if (encryption === 'required' && transaction.peer.protocol !== 'tls') {
      refuse('The call must be encrypted (SRTP), and does not come by TLS.');
      return false;
    }
    // Checked now, so that a call without a common codec is refused before anybody's phone rings.
    if (call!.offer !== undefined && negotiation.answer(call!.offer, transaction.peer.address) === undefined) {
      refuse(negotiation.problem());
      return false;
    }
    return true;
  }

  void prepare().then(
    (isReady) => {
      const accountId = isShared ? null : accountIds[0]!;
      if (isReady) void onCall({ carrier: 'sip', accountId, among: accountIds, from, to, leg, at: clock.now() });
    },
    // No port left for speech, or a description that nobody can read.
    (error) => call.reject(error instanceof Malformed ? 400 : 503),
  );
}

/** RFC 3325 and 3323: what the carrier vouches for goes before what the caller writes, and one who wants no name has none. */
function callerOf(request: SipRequest): string {
  const privacy = (header(request, 'privacy') ?? '').toLowerCase();
  const from = parseUri(fromOf(request).uri);
  const isWithheld = /\b(id|user|full)\b/.test(privacy) || from.host.toLowerCase() === 'anonymous.invalid';
  if (isWithheld || from.user.toLowerCase() === 'anonymous') return '';
  return assertedOf(request) || from.user;
}

function assertedOf(request: SipRequest): string {
  try {
    const [first] = listOf(request, 'p-asserted-identity');
    return first === undefined ? '' : parseUri(parseAddress(first).uri).user;
  } catch (error) {
    if (error instanceof Malformed) return '';
    throw error;
  }
}

/** Where several trunks share an address, one that insists on encryption does so for all. */
function strictest(trunks: readonly Trunk[], peer: Peer): Encryption {
  const wanted = trunks.map((trunk) => encryptionOf(trunk.encryption, peer));
  return (['required', 'optional'] as const).find((one) => wanted.includes(one)) ?? 'off';
}

/** A carrier that several trunks have registered with says by the name which of them it calls. */
function calledByName(request: SipRequest, trunks: CallerTrunks): CallerTrunks {
  const { user } = parseUri(request.uri);
  const named = trunks.filter(({ username }) => username !== '' && username === user);
  return named.length > 0 ? named : trunks;
}

/** A carrier that we registered with calls the name we registered; which number was dialled stands in To. */
function calledOf(request: SipRequest, trunks: readonly Trunk[]): string {
  const { user } = parseUri(request.uri);
  const isOurName = user === '' || user === 'parley' || trunks.some(({ username }) => username === user);
  return isOurName ? parseUri(toOf(request).uri).user || user : user;
}
