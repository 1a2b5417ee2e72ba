// A request of the peer's (RFC 3261 17.2, with the `accepted` state of RFC 6026).
//
//   INVITE   proceeding ──2xx──▶ accepted ──timer L──▶ over         (whoever answered repeats the 2xx until its ACK)
//                └──3xx-6xx──▶ completed ──ACK──▶ confirmed ──timer I──▶ over
//                                  └──timer H──▶ over
//   others   proceeding ──final──▶ completed ──timer J──▶ over
import type { SipRequest, SipResponse } from '../message/message.ts';
import { serialise } from '../message/serialise.ts';
import { answerPeer } from '../transport/routing.ts';
import type { Peer } from '../transport/wire.ts';
import { giveUpMs, t1Ms, t2Ms, t4Ms } from './timing.ts';
import { type Ground, isReliable, makeAlarms, type ServerTransaction } from './transaction.ts';

type State = 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'over';

export function startServer(ground: Ground, request: SipRequest, from: Peer, onOver: () => void): ServerTransaction {
  const alarms = makeAlarms(ground.timing);
  const to = answerPeer(request, from);
  const isInvite = request.method === 'INVITE';
  let state: State = 'proceeding';
  let last: Buffer | undefined;
  let status = 0;

  function over(): void {
    if (state === 'over') return;
    state = 'over';
    alarms.clearAll();
    onOver();
  }

  // A lost response is retransmitted; if it cannot be sent at all, whoever waits for the ACK finds out.
  const send = (octets: Buffer): void => void ground.send(octets, to).catch(() => {});

  function repeat(waitMs: number): void {
    alarms.set('again', waitMs, () => {
      if (state !== 'completed') return;
      send(last!);
      repeat(Math.min(waitMs * 2, t2Ms));
    });
  }

  function settle(next: State, ms: number): void {
    state = next;
    alarms.clearAll();
    if (ms === 0) over();
    else alarms.set('over', ms, over);
  }

  return {
    request,
    peer: from,
    get status() {
      return status;
    },
    respond(response: SipResponse) {
      const octets = serialise(response);
      // The 2xx is repeated by whoever answered, and passes through here (RFC 6026 7.1).
      if (state === 'accepted' && response.status < 300) return send(octets);
      if (state !== 'proceeding') return;
      status = response.status;
      last = octets;
      send(octets);
      if (response.status < 200) return;
      if (!isInvite) return settle('completed', isReliable(from) ? 0 : giveUpMs);
      if (response.status < 300) return settle('accepted', giveUpMs);
      settle('completed', giveUpMs);
      if (!isReliable(from)) repeat(t1Ms);
    },
    receive({ method }) {
      if (method === 'ACK') {
        if (state === 'completed') settle('confirmed', isReliable(from) ? 0 : t4Ms);
      } else if (last && (state === 'proceeding' || state === 'completed')) send(last);
    },
    end: over,
  };
}
