import type { Deps } from '../../deps.ts';
import { isDatabaseAway, isDatabaseError } from '../../platform/db/connect/failure.ts';
import { Unreadable } from '../../platform/secrets.ts';
import { AnswerMissed } from '../../platform/work/hands.ts';

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
