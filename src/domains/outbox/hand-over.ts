import type { Deps } from '../../deps.ts';
import { isDatabaseAway, isDatabaseError } from '../../platform/db/connect/failure.ts';
import { Unreadable } from '../../platform/secrets.ts';
import { AnswerMissed } from '../../platform/work/hands.ts';
import { longestTryMs, retryPauseMs } from '../../platform/work/retry.ts';
import type { Move } from './moves.ts';

interface HandOver<C, O> {
  /** For the log. */
  name: string;
  /** Finds those that must not leave, or not yet, each with its outcome. */
  findBlocked(): Promise<Map<C, O>>;
  send(leaving: C[]): Promise<O[]>;
  /** The outcome of all of them if a failure of our own kept them from the carrier. */
  unready(retry: { kind: 'retry'; description: string; afterMs: number; isOutage: boolean }): O;
}

/**
 * Gives claimed messages to the carrier, except those that must not leave now. It throws nothing but `AnswerMissed`, which says that a
 * failure of our own kept the carrier's answer from us.
 */
export async function handOver<C, O>({ log }: Deps, claimed: C[], steps: HandOver<C, O>): Promise<O[]> {
  try {
    const outcomes = await steps.findBlocked();
    const leaving = claimed.filter((one) => !outcomes.has(one));
    const answers = leaving.length === 0 ? [] : await steps.send(leaving);
    leaving.forEach((one, index) => {
      outcomes.set(one, answers[index]!);
    });
    return claimed.map((one) => outcomes.get(one)!);
  } catch (error) {
    if (error instanceof AnswerMissed) throw error;
    // The carrier has been given nothing yet.
    log.warn({ err: error }, `${steps.name} could not be made ready to leave`);
    const description = error instanceof Unreadable ? error.message : 'It could not be made ready to leave.';
    const outcome = steps.unready({ kind: 'retry', description, afterMs: 1000, isOutage: isDatabaseAway(error) });
    return claimed.map(() => outcome);
  }
}

/** The carrier's answers. A carrier that throws may or may not have taken what it was given. */
export const answersOf = <O>(
  { log }: Deps,
  carrier: string,
  answers: Promise<O[]>,
  unknown: (outcome: { kind: 'unknown'; description: string }) => O[],
): Promise<O[]> =>
  answers.catch((error: Error) => {
    if (isDatabaseError(error)) throw new AnswerMissed('The database failed during a hand-over.', { cause: error });
    log.error({ err: error, carrier }, 'A carrier broke down during a hand-over');
    return unknown({ kind: 'unknown', description: 'The carrier broke down during the hand-over.' });
  });

/** The failure code of a message whose recipient opted out after it was accepted. */
export const optedOutCode = 'recipient_opted_out';
export const optedOutDescription = 'The recipient has opted out.';

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');

/** What is claimed, as far as its hand-over is concerned. */
export interface Attempted {
  uuid: string;
  attempts: number;
  /** When to stop trying; null until a first attempt was put off. */
  give_up_at: string | null;
}

/** What stays in the queue: until a moment or, where that is null, until a receipt tells what became of it. */
export interface Postponement {
  uuid: string;
  dueAt: Date | null;
  giveUpAt: Date | null;
  description: string;
  /** false: the carrier has not had it, and the next attempt has the same number. */
  isAttempt?: boolean;
}

/** The outcomes of a hand-over other than success; the same for all channels (see the ports). */
export type Refusal =
  | { kind: 'rejected'; code: string; description: string }
  | {
      kind: 'retry';
      description: string;
      afterMs?: number;
      isOurs?: boolean;
      isOutage?: boolean;
      slowsSender?: boolean;
    }
  | { kind: 'unknown'; description: string };

/** What an outcome means: a step forward, or another place in the queue. */
export function meaningOf(one: Attempted, outcome: Refusal, now: Date): Omit<Move, 'accountId'> | Postponement {
  const { uuid } = one;
  switch (outcome.kind) {
    case 'rejected': {
      const { code } = outcome;
      const failed = { uuid, status: 'FAILED', description: describe(outcome), failureCode: code } as const;
      return code === optedOutCode ? { ...failed, countsAs: 'opted_out' } : failed;
    }
    case 'unknown':
      return { uuid, dueAt: null, giveUpAt: null, description: `${outcome.description} It waits for its receipt.` };
    case 'retry': {
      const { isOurs = false, slowsSender = false, description } = outcome;
      // The carrier has four hours. They do not begin while it is our own database that does not answer.
      const last = one.give_up_at ?? (outcome.isOutage ? null : now.getTime() + longestTryMs);
      const giveUpAt = last === null ? null : new Date(last);
      if (giveUpAt && now >= giveUpAt && !outcome.isOutage) {
        const givenUp = `${description} Given up after four hours.`;
        return { uuid, status: 'FAILED', description: givenUp, failureCode: 'given_up' };
      }
      const dueAt = new Date(now.getTime() + retryPauseMs(one.attempts, outcome.afterMs));
      return { uuid, dueAt, giveUpAt, description, isAttempt: !isOurs && !slowsSender };
    }
  }
}

/**
 * What becomes of a message whose hand-over was interrupted and that the carrier did not take: it is tried again at a moment or,
 * where that is null, nobody can say whether it left.
 */
export const interrupted = (
  { uuid, give_up_at }: { uuid: string; give_up_at: string | null },
  dueAt: Date | null,
  { isAttempt = true } = {},
): Postponement => ({
  uuid,
  dueAt,
  giveUpAt: give_up_at === null ? null : new Date(give_up_at),
  description: dueAt ? '' : 'The hand-over was interrupted. It waits for its receipt.',
  isAttempt,
});
