import type { Clock } from '../../../platform/time/clock.ts';

/** How long a sender keeps quiet after being told that it is too fast. Known to this process only. */
export interface Pauses {
  /** The sender was told to slow down: how long it should wait. */
  lengthen(sender: string, askedMs: number | undefined): number;
  /** Something of the sender was taken: the next pause is a short one again. */
  reset(sender: string): void;
}

const firstMs = 1_000;
const longestMs = 60_000;

export function makePauses(clock: Clock): Pauses {
  const pauses = new Map<string, { lengthMs: number; untilMs: number }>();
  return {
    lengthen(sender, askedMs = 0) {
      const now = clock.now().getTime();
      const last = pauses.get(sender);
      // Messages that were under way together are told together: that is one slow-down and not a hundred.
      const again = last !== undefined && now >= last.untilMs;
      const lengthMs = last ? Math.min(again ? last.lengthMs * 2 : last.lengthMs, longestMs) : firstMs;
      const waitMs = Math.max(lengthMs, askedMs);
      pauses.set(sender, { lengthMs, untilMs: again || !last ? now + waitMs : last.untilMs });
      return waitMs;
    },
    reset: (sender) => void pauses.delete(sender),
  };
}
