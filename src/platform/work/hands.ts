/**
 * What this process has claimed and has in hand. A claim is a statement of PostgreSQL whose answer may be lost: then rows name this
 * process, and it does not know them. So every claim has a number that counts as in hand before the statement is sent. Rows whose
 * number is not in hand are recovered.
 */
export interface Hands {
  /** The number of a claim that is about to be made. */
  take(): number;
  /** The outcome of every row is stored, or there was nothing to claim. */
  settle(claim: number): void;
  /** The statement failed, but may have been carried out all the same. None of its rows went to a carrier. */
  lose(claim: number): void;
  /** The outcome of the hand-over could not be found out or stored: the carrier has to be asked. */
  letGo(claim: number): void;
  /** Something else failed that may have left rows behind. */
  doubt(): void;
  /** The numbers of the claims that are still being worked on. */
  inHand(): number[];
  /** What to look for now; undefined while nothing is in doubt and the last look is recent. */
  doubts(): Doubts | undefined;
}

export interface Doubts {
  /** Claims that are still being worked on, to be left alone. */
  inHand: number[];
  /** Claims that never went to a carrier. */
  unsent: number[];
}

/** After its connection broke, a statement may still be running in PostgreSQL for this long. */
const lateMs = 5_000;
/** For how long after a failure to look for what it left behind, and how often to look without one. */
const doubtMs = 60_000;
const lookMs = 30_000;
/** How many lost claims are remembered. One that is forgotten is handled like any other: the carrier is asked. */
const mostUnsent = 1000;

export function makeHands(nowMs: () => number = () => performance.now()): Hands {
  const inHand = new Set<number>();
  const unsent = new Set<number>();
  /** Claims that were let go of, with the moment at which they stop being in hand. */
  const late = new Map<number, number>();
  let last = 0;
  let doubtUntilMs = Number.NEGATIVE_INFINITY;
  let lookAtMs = nowMs() + lookMs;

  const doubt = (): void => {
    doubtUntilMs = nowMs() + doubtMs;
  };
  const current = (): number[] => {
    for (const [claim, untilMs] of late) {
      if (untilMs > nowMs()) continue;
      late.delete(claim);
      inHand.delete(claim);
    }
    return [...inHand];
  };
  return {
    take() {
      inHand.add(++last);
      return last;
    },
    settle(claim) {
      inHand.delete(claim);
    },
    lose(claim) {
      inHand.delete(claim);
      unsent.add(claim);
      for (const oldest of unsent) if (unsent.size > mostUnsent) unsent.delete(oldest);
      doubt();
    },
    letGo(claim) {
      late.set(claim, nowMs() + lateMs);
      doubt();
    },
    doubt,
    inHand: current,
    doubts() {
      const now = nowMs();
      if (now > doubtUntilMs && now < lookAtMs) return undefined;
      lookAtMs = now + lookMs;
      return { inHand: current(), unsent: [...unsent] };
    },
  };
}

/**
 * A failure of our own came between a hand-over and its answer. It says nothing of what the carrier answered; the carrier can be
 * asked.
 */
export class AnswerMissed extends Error {
  override name = 'AnswerMissed';
}
