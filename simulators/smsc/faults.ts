/**
 * What can go wrong with one submit (or another command).
 *
 * Nothing was taken: `status` it is refused; `nack` it is answered with a generic_nack; `hang` no answer; `drop` the
 * connection is cut.
 *
 * It was taken: `lost-answer` no answer; `drop-after` the connection is cut instead of an answer; `late` answered after a time;
 * `reversed` the answers of so many are kept and leave in reverse order; `doubled` answered twice; `stray` an answer to
 * something nobody asked comes first; `malformed` the answer has the right length and makes no sense.
 *
 * It was taken and answered, and then: `garbage` octets that are no PDU; `huge-length` a PDU that claims 4 GB; `short-length` one that claims
 * 4 octets. Or about its receipt: `receipt-first`, `receipt-doubled`, `receipt-unknown` (one more for an id nobody knows),
 * `receipt-other-base`, `no-receipt`.
 */
export type Fault =
  | { kind: 'status'; status: number }
  | { kind: 'late'; delayMs: number }
  | { kind: 'reversed'; group: number }
  | { kind: (typeof plainKinds)[number] };

const plainKinds = [
  'nack',
  'hang',
  'drop',
  'lost-answer',
  'drop-after',
  'doubled',
  'stray',
  'malformed',
  'garbage',
  'huge-length',
  'short-length',
  'receipt-first',
  'receipt-doubled',
  'receipt-unknown',
  'receipt-other-base',
  'no-receipt',
] as const;
export const faultKinds: readonly string[] = ['status', 'late', 'reversed', ...plainKinds];

export interface FaultPlan {
  /** So many requests end so. */
  count?: number;
  /** So many pass before the first does: the n-th part of a message. */
  skip?: number;
  /** `submit_sm` unless named; `bind_transceiver`, `data_sm` … */
  command?: string;
}

export interface Faults {
  next(fault: Fault, plan?: FaultPlan): void;
  clear(): void;
  /** The fault of the request that is at hand, if it has one. */
  pick(command: string): Fault | undefined;
}

export function makeFaults(): Faults {
  let planned: { fault: Fault; left: number; skip: number; command: string }[] = [];
  return {
    next(fault, { count = 1, skip = 0, command = 'submit_sm' } = {}) {
      planned.push({ fault, left: count, skip, command });
    },
    clear() {
      planned = [];
    },
    pick(command) {
      const found = planned.find((plan) => plan.command === command);
      if (!found) return undefined;
      if (found.skip > 0) {
        found.skip--;
        return undefined;
      }
      found.left--;
      planned = planned.filter(({ left }) => left > 0);
      return found.fault;
    },
  };
}
