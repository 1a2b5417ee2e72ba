import { phoneDigits } from '../../../platform/phone.ts';
import type { DialOutcome } from '../../ports/voice.ts';

/** What a person does with calls. */
export interface VoiceBehaviour {
  title: string;
  /** How long it takes until that happens, counted from when the phone rings. */
  afterMs: number;
  outcome: Exclude<DialOutcome, { kind: 'cancelled' }>;
  /** Until the person hangs up, counted from when they answered. */
  talksMs?: number;
  /** The connection breaks instead. */
  breaks?: boolean;
  /** As a caller: how long they speak to a mailbox before they hang up. */
  speaksMs?: number;
}

const second = 1000;
const answered = { kind: 'answered' } as const;

export const usualForCalls: VoiceBehaviour = {
  title: 'answers, and hangs up after 20 seconds',
  afterMs: 3 * second,
  outcome: answered,
  talksMs: 20 * second,
};

/** What a call meets, by the same endings as in `behaviours.ts`: 9050 to 9059 are for calls alone. */
export const voiceBehaviours: ReadonlyMap<number, VoiceBehaviour> = new Map<number, VoiceBehaviour>([
  [50, usualForCalls],
  [
    51,
    {
      title: 'is busy',
      afterMs: second,
      outcome: { kind: 'busy', code: 486, description: 'Busy here' },
    },
  ],
  [
    52,
    {
      title: 'does not answer',
      afterMs: Number.POSITIVE_INFINITY,
      outcome: { kind: 'unanswered', code: 480, description: 'Nobody answered' },
    },
  ],
  [
    53,
    {
      title: 'refuses the call',
      afterMs: 4 * second,
      outcome: { kind: 'refused', code: 603, description: 'Decline' },
    },
  ],
  [
    54,
    {
      title: 'picks up, and hangs up after 3 seconds',
      afterMs: 3 * second,
      outcome: answered,
      talksMs: 3 * second,
    },
  ],
  [
    55,
    {
      title: 'has a mailbox that answers; as a caller, leaves a voicemail of 12 seconds',
      afterMs: 15 * second,
      outcome: answered,
      talksMs: 30 * second,
      speaksMs: 12 * second,
    },
  ],
  [56, { title: 'answers late', afterMs: 20 * second, outcome: answered, talksMs: 20 * second }],
  [
    57,
    {
      title: 'cannot be reached',
      afterMs: 2 * second,
      outcome: { kind: 'unreachable', code: 503, description: 'Service unavailable' },
    },
  ],
  [
    58,
    {
      title: 'does not exist',
      afterMs: second,
      outcome: { kind: 'unreachable', code: 404, description: 'No such number' },
    },
  ],
  [
    59,
    {
      title: 'answers, and the connection breaks after 5 seconds',
      afterMs: 3 * second,
      outcome: answered,
      talksMs: 5 * second,
      breaks: true,
    },
  ],
]);

export function voiceBehaviourOf(number: string): VoiceBehaviour {
  const match = /90(\d\d)$/.exec(phoneDigits(number));
  return (match && voiceBehaviours.get(Number(match[1]))) ?? usualForCalls;
}

/** The table's last column. */
export const happeningOf = ({ afterMs, outcome, talksMs }: VoiceBehaviour): string => {
  const talk = talksMs === undefined ? '' : `, talk of ${talksMs / second} s`;
  return afterMs === Number.POSITIVE_INFINITY
    ? 'rings until it is given up'
    : `${outcome.kind === 'answered' ? 'answered' : `${outcome.kind} (${outcome.code})`} after ${afterMs / second} s${talk}`;
};
