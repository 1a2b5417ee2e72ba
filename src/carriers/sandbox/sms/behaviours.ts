import { phoneDigits } from '../../../platform/phone.ts';
import { answerLost, type Behaviour, carrierDown, noSuchNumber, type Step, tooMany } from '../chat/behaviours.ts';
import { echoes, type Reply, says } from '../chat/replies.ts';

const delivered = { afterMs: 700, status: 'DELIVERED' } as const;
const hour = 3_600_000;

const failing = (code: string, description: string): Behaviour => ({
  title: `accepted, then fails with ${code}: ${description}`,
  steps: [{ afterMs: 700, status: 'FAILED', code, description }],
});

const replying = (title: string, reply: Reply): Behaviour => ({
  title: `delivered, then the person ${title}`,
  steps: [delivered, { afterMs: 1000, reply }],
});

const quickly = (...statuses: ('SENT' | 'DELIVERED')[]): Step[] => statuses.map((status) => ({ afterMs: 300, status }));

export const usualForSms: Behaviour = { title: 'delivered', steps: [delivered] };

/** What an SMS meets, by the same endings as in `behaviours.ts`. Nobody reads, taps or reacts here. */
export const smsBehaviours: ReadonlyMap<number, Behaviour> = new Map<number, Behaviour>([
  [0, usualForSms],
  [2, { title: 'sent, then no receipt at all', steps: [] }],
  [10, { title: `refused at once with ${noSuchNumber.code}`, answer: () => noSuchNumber, steps: [] }],
  [11, failing('UNDELIV', 'The phone could not be reached.')],
  [12, failing('EXPIRED', 'The message could not be delivered in time.')],
  [13, failing('REJECTD', 'The message was refused by the network.')],
  [14, failing('DELETED', 'The carrier deleted the message.')],
  [20, { title: 'late: delivered after an hour', steps: [{ ...delivered, afterMs: hour }] }],
  [21, { title: 'every receipt comes twice', steps: quickly('SENT', 'SENT', 'DELIVERED', 'DELIVERED') }],
  [22, { title: 'receipts out of order: delivered, sent', steps: quickly('DELIVERED', 'SENT') }],
  [30, replying('writes STOP', says('STOP'))],
  [33, replying('writes START', says('START'))],
  [35, replying('writes back the text of the message', echoes)],
  [40, { title: 'slow carrier: the response takes two seconds', answerDelayMs: 2000, steps: [delivered] }],
  [
    41,
    {
      title: 'throttled twice, then delivered',
      answer: (attempt) => (attempt <= 2 ? tooMany : undefined),
      steps: [delivered],
    },
  ],
  [
    42,
    {
      title: 'accepted, but the response is lost; the receipts come',
      answer: () => answerLost,
      takenAnyway: true,
      steps: [delivered],
    },
  ],
  [43, { title: 'not accepted, and no response: the outcome stays unknown', answer: () => answerLost, steps: [] }],
  [44, { title: 'carrier down: every attempt is postponed', answer: () => carrierDown, steps: [] }],
]);

export function smsBehaviourOf(number: string): Behaviour {
  const match = /90(\d\d)$/.exec(phoneDigits(number));
  return (match && smsBehaviours.get(Number(match[1]))) ?? usualForSms;
}
