import { phoneDigits } from '../../../platform/phone.ts';
import type { Outcome } from '../../ports/chat.ts';
import type { Receipt } from '../../ports/inbox.ts';
import { echoes, fillsIn, pressesFirst, type Reply, reacts, says } from './replies.ts';

/** The ways in which the sandbox does not take a message, or does not say so. */
export type Refusal = Exclude<Outcome, { kind: 'accepted' }>;

export const notAUser: Refusal = {
  kind: 'rejected',
  code: '131026',
  description: 'The number does not use the chat app.',
};
export const noSuchNumber: Extract<Refusal, { kind: 'rejected' }> = {
  kind: 'rejected',
  code: 'ESME_RINVDSTADR',
  description: 'The carrier does not accept this recipient.',
};
export const tooMany: Refusal = { kind: 'retry', description: 'Too many messages; slow down.', afterMs: 500 };
export const carrierDown: Refusal = { kind: 'retry', description: 'The carrier is down.' };
export const answerLost: Refusal = { kind: 'unknown', description: 'The answer never came.' };
/** Our own database, which the sandbox has its memory in, refused. */
export const notKept: Extract<Refusal, { kind: 'retry' }> = {
  kind: 'retry',
  description: 'The carrier could not keep it.',
};
/** Our own database was away before the sandbox had taken anything. */
export const notAsked: Extract<Refusal, { kind: 'retry' }> = {
  kind: 'retry',
  description: 'It could not be made ready to leave.',
  afterMs: 1000,
  isOurs: true,
  isOutage: true,
};

/** A receipt the person's phone causes, some time after the step before it. */
interface ReceiptStep {
  afterMs: number;
  status: Receipt['status'];
  code?: string;
  description?: string;
}

/** The person answers, if the message offers what it takes. */
interface ReplyStep {
  afterMs: number;
  reply: Reply;
}

export type Step = ReceiptStep | ReplyStep;

/** What happens to a message to a number: the answer to the hand-over, then receipts, then perhaps a reply. */
export interface Behaviour {
  title: string;
  /** The answer to attempt n (from 1); undefined: accepted. */
  answer?(attempt: number): Refusal | undefined;
  /** With `answer` unknown: the message was taken all the same, only the answer was lost. */
  takenAnyway?: boolean;
  answerDelayMs?: number;
  steps: readonly Step[];
}

const delivered: ReceiptStep = { afterMs: 700, status: 'DELIVERED' };
const read: ReceiptStep = { afterMs: 1500, status: 'READ' };
const hour = 3_600_000;

const failing = (code: string, description: string): Behaviour => ({
  title: `accepted, then fails with ${code}: ${description}`,
  steps: [{ afterMs: 700, status: 'FAILED', code, description }],
});

const replying = (title: string, reply: Reply): Behaviour => ({
  title: `delivered, read, then the person ${title}`,
  steps: [delivered, read, { afterMs: 1000, reply }],
});

export const usual: Behaviour = { title: 'delivered and read', steps: [delivered, read] };

/** By the last two digits of a number that ends in 90NN. `docs/sandbox.md` is generated from this table. */
export const behaviours: ReadonlyMap<number, Behaviour> = new Map<number, Behaviour>([
  [0, usual],
  [1, { title: 'delivered, never read', steps: [delivered] }],
  [2, { title: 'sent, then no receipt at all', steps: [] }],
  [10, { title: 'refused at once with 131026: not a chat-app user', answer: () => notAUser, steps: [] }],
  [11, failing('131047', 'More than 24 hours have passed since the person last wrote; send a template.')],
  [12, failing('131049', 'Held back by the platform to keep its users from being flooded; try another day.')],
  [13, failing('131053', 'The media could not be fetched or is not what its type says.')],
  [14, failing('130472', 'The person is part of an experiment and gets no marketing messages.')],
  [20, { title: 'late: delivered after an hour, read an hour later', steps: [late(delivered), late(read)] }],
  [21, { title: 'every receipt comes twice', steps: [delivered, delivered, read, read].map(quick) }],
  [22, { title: 'receipts out of order: read, delivered, sent', steps: outOfOrder() }],
  [30, replying('writes STOP', says('STOP'))],
  [31, replying('presses the first button, or picks the first row of the list', pressesFirst)],
  [32, replying('fills in the flow', fillsIn)],
  [33, replying('writes START', says('START'))],
  [34, replying('reacts with 👍', reacts('👍'))],
  [35, replying('writes back the text of the message', echoes)],
  [40, { title: 'slow carrier: the response takes two seconds', answerDelayMs: 2000, steps: [delivered, read] }],
  [
    41,
    {
      title: 'throttled twice, then delivered and read',
      answer: (attempt) => (attempt <= 2 ? tooMany : undefined),
      steps: [delivered, read],
    },
  ],
  [
    42,
    {
      title: 'accepted, but the response is lost; the receipts come',
      answer: () => answerLost,
      takenAnyway: true,
      steps: [delivered, read],
    },
  ],
  [43, { title: 'not accepted, and no response: the outcome stays unknown', answer: () => answerLost, steps: [] }],
  [44, { title: 'carrier down: every attempt is postponed', answer: () => carrierDown, steps: [] }],
]);

/** The behaviour of a number: any number is usual unless its last four digits are 9000 to 9099. */
export function behaviourOf(number: string): Behaviour {
  const match = /90(\d\d)$/.exec(phoneDigits(number));
  return (match && behaviours.get(Number(match[1]))) ?? usual;
}

function late(step: ReceiptStep): Step {
  return { ...step, afterMs: hour };
}

function quick(step: ReceiptStep): Step {
  return { ...step, afterMs: 300 };
}

function outOfOrder(): Step[] {
  return (['READ', 'DELIVERED', 'SENT'] as const).map((status) => ({ afterMs: 300, status }));
}
