import type { Deps } from '../../deps.ts';
import { isDatabaseAway, isDatabaseError } from '../../platform/db/connect/failure.ts';
import { Unreadable } from '../../platform/secrets.ts';
import { AnswerMissed } from '../../platform/work/hands.ts';
import { longestTryMs, retryPauseMs } from '../../platform/work/retry.ts';
import type { Move } from './moves.ts';

interface HandOver<C, O> {
  /** For the log. */
  name: string;
  /** Those that must not leave, or not yet. */
  findHeldBack(): Promise<Map<C, O>>;
  send(leaving: C[]): Promise<O[]>;
  /** The outcome of each, if something of ours failed before the carrier got any. */
  unready(retry: { kind: 'retry'; description: string; afterMs: number; isOutage: boolean }): O;
}

/**
 * Gives what is claimed to the carrier, but for what is held back. Throws `AnswerMissed` alone: when our own failure kept the answer
 * from us.
 */
export async function handOver<C, O>({ log }: Deps, claimed: C[], steps: HandOver<C, O>): Promise<O[]> {
  try {
    const outcomes = await steps.findHeldBack();
    const leaving = claimed.filter((one) => !outcomes.has(one));
    const answers = leaving.length === 0 ? [] : await steps.send(leaving);
    leaving.forEach((one, index) => {
      outcomes.set(one, answers[index]!);
    });
    return claimed.map((one) => outcomes.get(one)!);
  } catch (error) {
    if (error instanceof AnswerMissed) throw error;
    // Nothing was given to the carrier yet.
    log.warn({ err: error }, `${steps.name} could not be made ready to leave`);
    const description = error instanceof Unreadable ? error.message : 'It could not be made ready to leave.';
    const outcome = steps.unready({ kind: 'retry', description, afterMs: 1000, isOutage: isDatabaseAway(error) });
    return claimed.map(() => outcome);
  }
}

/** The carrier's answers. One that breaks down may have taken what it was given, or not. */
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

/** By which a failure is told from others: the recipient opted out since it was accepted. */
export const optedOutCode = 'recipient_opted_out';
export const optedOutDescription = 'The recipient has opted out.';

/** Words a person can act on, with the carrier's code. */
export const describe = ({ code, description }: { code?: string; description?: string }): string =>
  code ? `${description ?? 'The carrier refused it.'} (code ${code})` : (description ?? '');

/** What is claimed, as far as its hand-over is concerned. */
export interface Attempted {
  uuid: string;
  attempts: number;
  /** When to stop trying, once a first attempt was put off. */
  give_up_at: string | null;
}

/** What stays in the queue: until a moment, or (null) until its receipt tells what became of it. */
export interface Postponement {
  uuid: string;
  dueAt: Date | null;
  giveUpAt: Date | null;
  description: string;
  /** false: the carrier has not had it, and the next attempt has the same number. */
  isAttempt?: boolean;
}

/** How a hand-over ended that was no success; the same for all channels (see the ports). */
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
      // The carrier has four hours, and is not asked for them while it is our own database that does not answer.
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

/** Where something stands whose hand-over was interrupted and that was not taken: at a moment, or (null) nobody can say. */
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
