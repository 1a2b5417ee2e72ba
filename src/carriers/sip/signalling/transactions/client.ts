// A request of ours (RFC 3261 17.1, with the `accepted` state of RFC 6026).
//
//   INVITE   calling ──1xx──▶ proceeding ──2xx──▶ accepted ──timer M──▶ over
//              │                  └──3xx-6xx──▶ completed ──timer D──▶ over
//              └──timer B: nobody answered──▶ over
//   others   trying ──1xx──▶ proceeding ──final──▶ completed ──timer K──▶ over
import { callIdOf, cseqOf } from '../message/fields.ts';
import { type Headers, noBody, type SipRequest, type SipResponse } from '../message/message.ts';
import { serialise } from '../message/serialise.ts';
import type { Peer } from '../transport/wire.ts';
import { giveUpMs, lingerMs, t1Ms, t2Ms, t4Ms } from './timing.ts';
import { type ClientHandlers, type ClientTransaction, type Ground, isReliable, makeAlarms } from './transaction.ts';

type State = 'calling' | 'proceeding' | 'accepted' | 'completed' | 'over';

export function startClient(
  ground: Ground,
  request: SipRequest,
  peer: Peer,
  handlers: ClientHandlers,
  onOver: () => void,
): ClientTransaction {
  const alarms = makeAlarms(ground.timing);
  const octets = serialise(request);
  const isInvite = request.method === 'INVITE';
  let state: State = 'calling';
  /** What a refusal was acknowledged with. */
  let ack: Buffer | undefined;

  function over(): void {
    if (state === 'over') return;
    state = 'over';
    alarms.clearAll();
    onOver();
  }

  function fail(status: 408 | 503, description: string): void {
    if (state !== 'calling' && state !== 'proceeding') return;
    over();
    handlers.onFailure(status, description);
  }

  function again(waitMs: number): void {
    alarms.set('again', waitMs, () => {
      // An INVITE that is being worked on is not sent again; anything else is, at the slowest pace.
      if (state === 'calling' || (!isInvite && state === 'proceeding')) {
        send(octets);
        again(isInvite ? waitMs * 2 : Math.min(waitMs * 2, t2Ms));
      }
    });
  }

  const send = (what: Buffer): void =>
    void ground.send(what, peer).catch((error: Error) => fail(503, `It could not be sent: ${error.message}`));

  function enter(next: State, ms: number): void {
    state = next;
    alarms.clearAll();
    if (ms === 0) over();
    else alarms.set('over', ms, over);
  }

  function finish(response: SipResponse, from: Peer): void {
    if (!isInvite) enter('completed', isReliable(peer) ? 0 : t4Ms);
    else if (response.status < 300) enter('accepted', giveUpMs);
    else {
      ack = serialise(ackOfRefusal(request, response));
      send(ack);
      enter('completed', isReliable(peer) ? 0 : lingerMs);
    }
    handlers.onResponse(response, from);
  }

  send(octets);
  if (!isReliable(peer)) again(t1Ms);
  alarms.set('giveUp', giveUpMs, () => fail(408, 'Nobody answered.'));

  return {
    request,
    peer,
    get isOpen() {
      return state === 'calling' || state === 'proceeding';
    },
    receive(response, from) {
      if (state === 'accepted' && response.status >= 200 && response.status < 300) handlers.onResponse(response, from);
      else if (state === 'completed' && ack && response.status >= 300) send(ack);
      else if (state === 'calling' || state === 'proceeding') {
        if (response.status >= 200) return finish(response, from);
        state = 'proceeding';
        // An INVITE may ring for long; anything else is answered or given up.
        if (isInvite) alarms.clearAll();
        else if (!isReliable(peer)) again(t2Ms);
        handlers.onResponse(response, from);
      }
    },
    end: over,
  };
}

/** RFC 3261 17.1.1.3: the same branch, the To of the answer. */
function ackOfRefusal(request: SipRequest, response: SipResponse): SipRequest {
  const headers: Headers = new Map();
  const [via = ''] = request.headers.get('via') ?? [];
  headers.set('via', [via]);
  headers.set('max-forwards', ['70']);
  headers.set('from', request.headers.get('from')!);
  headers.set('to', response.headers.get('to')!);
  headers.set('call-id', [callIdOf(request)]);
  headers.set('cseq', [`${cseqOf(request).number} ACK`]);
  const routes = request.headers.get('route');
  if (routes) headers.set('route', routes);
  return { kind: 'request', method: 'ACK', uri: request.uri, headers, body: noBody };
}

/** RFC 3261 9.1: takes back an INVITE, hop by hop, under the branch of that. */
export function cancelOf(invite: SipRequest): SipRequest {
  const headers: Headers = new Map();
  for (const name of ['via', 'from', 'to', 'call-id', 'route']) {
    const lines = invite.headers.get(name);
    if (lines) headers.set(name, name === 'via' ? lines.slice(0, 1) : lines);
  }
  headers.set('cseq', [`${cseqOf(invite).number} CANCEL`]);
  headers.set('max-forwards', ['70']);
  return { kind: 'request', method: 'CANCEL', uri: invite.uri, headers, body: noBody };
}
