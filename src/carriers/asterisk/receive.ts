import type { Clock } from '../../platform/time/clock.ts';
import type { InboundLeg, OnCall } from '../ports/voice.ts';
import { answeredEnd, causeOf, unansweredEnd } from './ari/causes.ts';
import type { AriChannel } from './ari/events.ts';
import { type LiveLeg, makeLeg } from './leg.ts';
import type { Switchboard } from './switchboard.ts';

/** What carriers and Asterisk write where a caller wants no name. */
const withheld = /^(anonymous|restricted|withheld|private|unavailable|unknown|<unknown>)$/i;

/** A call that the dialplan hands to us: gets its leg and is handed on; whoever takes it decides what happens. */
export function receiveCall(
  board: Switchboard,
  { id, state, callerNumber, exten }: AriChannel,
  args: string[],
  { clock, onCall }: { clock: Clock; onCall: OnCall },
): void {
  const live: LiveLeg = makeLeg(board, {
    id,
    accountId: null,
    // A dialplan may have answered it.
    isAnswered: state === 'Up',
    canSignalRinging: true,
    endOf: (how) => (live.isAnswered ? answeredEnd(how) : unansweredEnd(how)),
    giveUp: () => ({ by: 'us', code: 487, description: 'Hung up.' }),
  });
  const leg: InboundLeg = Object.assign(live.leg, {
    async answer() {
      if (!live.isAnswered && (await live.order('POST', ['answer']))) live.isAnswered = true;
    },
    async reject(code: number) {
      if (live.isOver) return;
      if (live.isAnswered) return live.leg.hangUp();
      await live.dismiss({ by: 'us', code, description: 'Refused.' }, causeOf(code));
    },
  });
  const from = withheld.test(callerNumber) ? '' : callerNumber;
  // `Stasis(parley,${EXTEN})` says it even where the dialplan has moved on.
  const to = args[0] || exten;
  void onCall({ carrier: 'asterisk', accountId: null, from, to, leg, at: clock.now() });
}
