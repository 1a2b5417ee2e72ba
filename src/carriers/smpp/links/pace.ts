import type { Timing } from '../session/session.ts';

/** How fast messages may leave: what was agreed, and less for a while after the centre said that it is too much. */
export interface Pace {
  /** Resolves when the next one may leave, in the order of the calls. */
  turn(): Promise<void>;
  /** The centre is throttling: half as fast from here, then a little faster every second. */
  slower(): void;
  /** null: as fast as it goes. */
  perSecond(): number | null;
  waiting(): number;
}

/** How much of a late timer is caught up with. No more: a centre that counts by the second takes a burst for too fast. */
const burstMs = 20;
/** Messages that were under way together are told together: that is one slow-down and not a hundred. */
const slowEveryMs = 1_000;
/** Of the rate it comes back to, added every second. */
const recovery = 0.05;
const slowest = 1;

export function makePace(agreedPerSecond: number | null, timing: Timing): Pace {
  const agreed = agreedPerSecond ?? Number.POSITIVE_INFINITY;
  const queue: (() => void)[] = [];
  let rate = agreed;
  let step = Number.POSITIVE_INFINITY;
  let ratedMs = timing.nowMs();
  let slowedMs = Number.NEGATIVE_INFINITY;
  /** When the next one is due if all come evenly. */
  let dueMs = Number.NEGATIVE_INFINITY;
  let second = { number: 0, left: 0, before: 0 };
  let pumping = false;

  /** What left in the last whole second, or in this one if that is more: the only measure of a rate nobody agreed on. */
  function seen(nowMs: number): typeof second {
    const number = Math.floor(nowMs / 1000);
    if (number !== second.number) second = { number, left: 0, before: number === second.number + 1 ? second.left : 0 };
    return second;
  }

  function recover(nowMs: number): void {
    if (rate < agreed) rate = Math.min(agreed, rate + (step * (nowMs - ratedMs)) / 1000);
    ratedMs = nowMs;
  }

  /** 0 when one may leave, and then it is counted; else how long to wait. */
  function claim(): number {
    const nowMs = timing.nowMs();
    recover(nowMs);
    if (dueMs > nowMs) return dueMs - nowMs;
    if (rate !== Number.POSITIVE_INFINITY) dueMs = Math.max(dueMs, nowMs - burstMs) + 1000 / rate;
    seen(nowMs).left++;
    return 0;
  }

  function pump(): void {
    pumping = false;
    while (queue.length > 0) {
      const waitMs = claim();
      if (waitMs > 0) {
        pumping = true;
        timing.after(Math.ceil(waitMs), pump);
        return;
      }
      queue.shift()!();
    }
  }

  return {
    turn() {
      if (queue.length === 0 && claim() === 0) return Promise.resolve();
      return new Promise((resolve) => {
        queue.push(resolve);
        if (!pumping) pump();
      });
    },
    slower() {
      const nowMs = timing.nowMs();
      recover(nowMs);
      if (nowMs - slowedMs < slowEveryMs) return;
      slowedMs = nowMs;
      const { left, before } = seen(nowMs);
      const from = rate === Number.POSITIVE_INFINITY ? Math.max(left, before, 2 * slowest) : rate;
      rate = Math.max(slowest, from / 2);
      step = Math.max(slowest, (agreed === Number.POSITIVE_INFINITY ? from : agreed) * recovery);
      dueMs = Math.max(dueMs, nowMs + 1000 / rate);
    },
    perSecond() {
      recover(timing.nowMs());
      return rate === Number.POSITIVE_INFINITY ? null : rate;
    },
    waiting: () => queue.length,
  };
}
