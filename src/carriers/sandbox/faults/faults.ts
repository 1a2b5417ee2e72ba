import { isDatabaseAway } from '../../../platform/db/connect/failure.ts';
import { type Listener, notify } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Behaviour } from '../chat/behaviours.ts';
import { answerLost, carrierDown, notAUser, tooMany } from '../outcomes.ts';
import { type FaultRow, insertFault, readFaultyAnyAccount, takeFaults } from './queries.ts';

/** How a hand-over is made to end, whatever the number's own behaviour is. */
export interface Fault extends Pick<Behaviour, 'title' | 'answer' | 'takenAnyway' | 'answerDelayMs'> {
  /** The hand-over fails as a whole, with all that leaves with it. */
  breaks?: boolean;
}

/** By kind. Kinds without an answer of their own leave that to the number. */
export const faults = {
  reject: { title: 'refused with 131026', answer: () => notAUser },
  retry: { title: 'the carrier is down: the message is postponed', answer: () => carrierDown },
  throttle: {
    title: 'too many messages: the whole sender is slowed down',
    answer: () => ({ ...tooMany, slowsSender: true }),
  },
  unknown_taken: { title: 'accepted, but the response is lost', answer: () => answerLost, takenAnyway: true },
  unknown_lost: { title: 'not accepted, and no response', answer: () => answerLost },
  slow: { title: 'the response takes two seconds', answerDelayMs: 2000 },
  break: { title: 'the carrier breaks down: it accepts nothing of the whole hand-over', breaks: true },
} satisfies Record<string, Fault>;
export type FaultKind = keyof typeof faults;

export const faultTopic = 'sandbox-faults';

/**
 * The faults that await hand-overs. Which accounts have any is remembered until somebody sets one, so a hand-over
 * without faults asks nobody.
 */
export function followFaults(db: Db, listener: Listener) {
  let faulty: Promise<Set<string>> | undefined;
  const forget = (): void => {
    faulty = undefined;
  };
  listener.on(faultTopic, forget);

  const read = (): Promise<Set<string>> => {
    const reading = readFaultyAnyAccount(db);
    reading.catch(forget);
    return reading;
  };

  return {
    /**
     * Uses up the faults of the next `count` messages of an account, in their order; fewer when there are fewer. undefined: the
     * database is away.
     */
    async next(accountId: string, count: number): Promise<Fault[] | undefined> {
      try {
        faulty ??= read();
        const accounts = await faulty;
        if (!accounts.has(accountId)) return [];
        const kinds = await takeFaults(db, accountId, count);
        if (kinds.length < count) accounts.delete(accountId);
        return kinds.map((kind) => faults[kind]);
      } catch (error) {
        if (isDatabaseAway(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Makes the next hand-overs of an account end in a certain way. */
export async function setFault(
  { db, listener }: { db: Db; listener: Listener },
  accountId: string,
  fault: { kind: string; count: number },
): Promise<FaultRow> {
  const row = await insertFault(db, accountId, fault);
  // With the commit for every process; and in this one before the caller has the answer and sends a message.
  await notify(db, faultTopic);
  listener.signal(faultTopic, '');
  return row;
}
