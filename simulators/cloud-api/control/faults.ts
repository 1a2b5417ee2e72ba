import type { Random } from '../ids.ts';
import type { Time } from '../time.ts';

/**
 * What can go wrong with one call:
 * `error` the platform says no, nothing was taken; `hang` no answer, nothing taken; `reset` the connection breaks,
 * nothing taken; `lost-answer` the call is carried out and then the connection breaks; `late` carried out, answered later.
 */
export type Fault =
  | { kind: 'error'; code: number; status?: number }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'lost-answer' }
  | { kind: 'late'; delayMs: number };

export interface Faults {
  /** The next `count` calls of that edge (`messages`, `media` …; `*` for all) end so. */
  next(count: number, fault: Fault, edge?: string): void;
  /** From now on this share of the calls ends so; the simulator's seed decides which. */
  random(share: number, fault: Fault, edge?: string): void;
  /** Every call ends so for a while, by default with the platform's own 503. */
  outage(durationMs: number, fault?: Fault): void;
  clear(): void;
  /** The fault of the call that is at hand, if it has one. */
  pick(edge: string): Fault | undefined;
}

interface Planned {
  edge: string;
  fault: Fault;
  left: number;
  share: number;
}

const unavailable: Fault = { kind: 'error', code: 2, status: 503 };

export function makeFaults(time: Time, random: Random): Faults {
  let planned: Planned[] = [];
  let outage: { until: number; fault: Fault } | undefined;
  return {
    next(count, fault, edge = 'messages') {
      planned.push({ edge, fault, left: count, share: 1 });
    },
    random(share, fault, edge = 'messages') {
      planned.push({ edge, fault, left: Number.POSITIVE_INFINITY, share });
    },
    outage(durationMs, fault = unavailable) {
      outage = { until: time.elapsedMs() + durationMs, fault };
    },
    clear() {
      planned = [];
      outage = undefined;
    },
    pick(edge) {
      if (outage && time.elapsedMs() < outage.until) return outage.fault;
      const found = planned.find(
        (plan) =>
          plan.left > 0 && (plan.edge === '*' || plan.edge === edge) && (plan.share >= 1 || random() < plan.share),
      );
      if (!found) return undefined;
      found.left--;
      planned = planned.filter(({ left }) => left > 0);
      return found.fault;
    },
  };
}
