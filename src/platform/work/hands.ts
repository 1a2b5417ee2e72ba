/**
 * What this process has claimed and has in hand. A claim is a statement of PostgreSQL, whose answer can get lost while it is
 * carried out: then rows say that they are this process's, and it knows nothing of them. So every claim has a number, which is in
 * hand before the statement is sent, and rows whose number is not in hand are taken up again.
 */
export interface Hands {
  /** The number of a claim that is about to be made. */
  take(): number;
  /** All of it is settled, or there was nothing to claim. */
  settle(claim: number): void;
  /** The statement failed, and may have been carried out all the same. Nothing of it was given to anybody. */
  lose(claim: number): void;
  /** How its hand-over ended could not be found out or stored: somebody has to ask. */
  letGo(claim: number): void;
  /** Something else failed that may have left rows behind. */
  doubt(): void;
  /** The numbers that are being seen through. */
  inHand(): number[];
  /** To be looked for now, if anything is in doubt or nobody has looked for a while. */
  doubts(): Doubts | undefined;
}

export interface Doubts {
  /** These are being seen through, and are nobody else's business. */
  inHand: number[];
  /** These were never given to anybody. */
  unsent: number[];
}

/** So long a statement may still be under way in PostgreSQL after its connection broke. */
const lateMs = 5_000;
/** How long is looked for what a failure left behind, and how often without one. */
const doubtMs = 60_000;
const lookMs = 30_000;
/** Lost claims that are remembered: one that is forgotten is asked about like any other. */
const mostUnsent = 1000;

export function makeHands(nowMs: () => number = () => performance.now()): Hands {
  const inHand = new Set<number>();
  const unsent = new Set<number>();
  /** Let go of, and when they stop being in hand. */
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

/** Our own failure came between a hand-over and its answer. What became of it can be asked; it is not what the carrier answered. */
export class AnswerMissed extends Error {
  override name = 'AnswerMissed';
}
