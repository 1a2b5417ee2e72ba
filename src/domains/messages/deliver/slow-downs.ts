import type { Outcome } from '../../../carriers/ports/chat.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { firstPauseMs } from '../../../platform/work/retry.ts';

type Retry = Extract<Outcome, { kind: 'retry' }>;

/**
 * When carriers told senders of this process to slow down. The rate in the database keeps later claims back; a batch that was claimed before
 * is put back instead of handed over.
 */
export interface SlowDowns {
  /** How each of a sender's batch ended. */
  note(sender: string, outcomes: Outcome[]): void;
  /** What becomes of a batch that was claimed at that moment, if its sender was told to slow down since. */
  since(sender: string, claimedMs: number): Retry | undefined;
}

/** More than senders are slowed down at once. */
const mostKept = 10_000;

export function makeSlowDowns(nowMs: () => number = steadyMs): SlowDowns {
  const told = new Map<string, { atMs: number; untilMs: number; outcome: Retry }>();
  return {
    note(sender, outcomes) {
      const outcome = outcomes.find((one): one is Retry => senderPauseMs(one) > 0);
      if (!outcome) return;
      if (told.size >= mostKept) told.clear();
      told.set(sender, { atMs: nowMs(), untilMs: nowMs() + senderPauseMs(outcome), outcome });
    },
    since(sender, claimedMs) {
      const last = told.get(sender);
      if (!last || last.untilMs <= nowMs()) {
        told.delete(sender);
        return undefined;
      }
      return last.atMs < claimedMs ? undefined : { ...last.outcome, afterMs: last.untilMs - nowMs() };
    },
  };
}

/** How long the whole sender must wait, because its carrier said so. */
export const senderPauseMs = (outcome: Outcome): number =>
  outcome.kind === 'retry' && outcome.slowsSender ? (outcome.afterMs ?? firstPauseMs) : 0;
