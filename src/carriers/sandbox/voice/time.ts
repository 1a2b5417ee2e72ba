import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waiting by the accounts' own time. When that was stepped, or runs fast, more is due at once than can happen at once: what is
 * due first happens first, and the time of calls stands still at that moment until those concerned have gone on. So a ringing
 * of 25 seconds is one of 25 seconds, also when the clock was stepped by an hour, or what a database takes for a step is a
 * second of a fast clock.
 */
export interface VoiceTime {
  /** The time of an account's calls, in milliseconds. */
  now(accountId: string): number;
  wait(accountId: string, ms: number, signal?: AbortSignal): Promise<void>;
  /** Something has just begun: a fast clock gives those concerned the time to begin, too. */
  begin(accountId: string): void;
  /** Nobody is on the phone: the next call begins when the clock says, not where the time of the last one stands. */
  skipAhead(accountId: string): void;
  /** The clocks were read anew. */
  moved(): void;
}

interface Waiter {
  dueMs: number;
  done(): void;
}

interface AccountTime {
  waiting: Set<Waiter>;
  timer: NodeJS.Timeout | undefined;
  /** Where the calls stand while they catch up. */
  standsAtMs: number | undefined;
  /** Somebody began to wait since the last look. */
  wentOn: boolean;
  /** How long the time may still stand. */
  patienceMs: number;
}

interface Clocks {
  nowMs(accountId: string): number;
  speed(accountId: string): number;
}

/** What is late by no more than this happened in time. */
const punctualMs = 250;
/** What is due within this span happens together. */
const togetherMs = 50;
const longestTimerMs = 2 ** 31 - 1;
/** How long others are given to go on: a moment after the first did, or as long as a slow database takes. */
const momentMs = 30;
const patienceMs = 300;
/** A call that begins is sure to go on. */
const patienceAtBeginMs = 3000;

export function makeVoiceTime(clocks: Clocks): VoiceTime {
  const accounts = new Map<string, AccountTime>();

  const now = (accountId: string): number => accounts.get(accountId)?.standsAtMs ?? clocks.nowMs(accountId);

  function arm(accountId: string): void {
    const time = accounts.get(accountId)!;
    clearTimeout(time.timer);
    if (time.standsAtMs !== undefined) return;
    let first = Number.POSITIVE_INFINITY;
    for (const { dueMs } of time.waiting) first = Math.min(first, dueMs);
    const speed = clocks.speed(accountId);
    const leftMs = first - clocks.nowMs(accountId);
    if (leftMs <= 0) void happen(accountId, time);
    else if (Number.isFinite(first) && speed > 0) {
      time.timer = setTimeout(() => arm(accountId), Math.min(Math.ceil(leftMs / speed), longestTimerMs));
    } else if (time.waiting.size === 0) accounts.delete(accountId);
  }

  async function happen(accountId: string, time: AccountTime): Promise<void> {
    for (;;) {
      const due = [...time.waiting]
        .filter(({ dueMs }) => dueMs <= clocks.nowMs(accountId))
        .sort((one, other) => one.dueMs - other.dueMs);
      const first = due[0]?.dueMs;
      if (first === undefined) break;
      const isLate = clocks.speed(accountId) > 1 || clocks.nowMs(accountId) - first > punctualMs;
      if (isLate) time.standsAtMs = Math.max(first, time.standsAtMs ?? first);
      expect(time, patienceMs);
      for (const waiter of due) if (!isLate || waiter.dueMs - first <= togetherMs) waiter.done();
      if (isLate) await othersGoOn(time);
    }
    time.standsAtMs = undefined;
    arm(accountId);
  }

  async function stand(accountId: string, time: AccountTime): Promise<void> {
    time.standsAtMs = clocks.nowMs(accountId);
    clearTimeout(time.timer);
    await othersGoOn(time);
    await happen(accountId, time);
  }

  return {
    now,
    begin(accountId) {
      const time = accounts.get(accountId);
      if (!time || clocks.speed(accountId) <= 1) return;
      expect(time, patienceAtBeginMs);
      if (time.standsAtMs === undefined) void stand(accountId, time);
    },
    skipAhead(accountId) {
      const time = accounts.get(accountId);
      if (time?.standsAtMs !== undefined) time.standsAtMs = Math.max(time.standsAtMs, clocks.nowMs(accountId));
    },
    wait: (accountId, ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const time = accounts.get(accountId) ?? newTime();
        accounts.set(accountId, time);
        const waiter: Waiter = {
          dueMs: now(accountId) + ms,
          done() {
            time.waiting.delete(waiter);
            signal?.removeEventListener('abort', waiter.done);
            resolve();
          },
        };
        signal?.addEventListener('abort', waiter.done, { once: true });
        time.waiting.add(waiter);
        // Who waits for ever has gone nowhere.
        if (Number.isFinite(ms)) time.wentOn = true;
        arm(accountId);
      }),
    moved() {
      for (const accountId of [...accounts.keys()]) arm(accountId);
    },
  };
}

const newTime = (): AccountTime => ({
  waiting: new Set(),
  timer: undefined,
  standsAtMs: undefined,
  wentOn: false,
  patienceMs: 0,
});

/** Somebody is about to go on. */
function expect(time: AccountTime, patienceMs: number): void {
  time.wentOn = false;
  time.patienceMs = patienceMs;
}

async function othersGoOn(time: AccountTime): Promise<void> {
  while (time.patienceMs > 0) {
    const { wentOn } = time;
    await sleep(momentMs);
    time.patienceMs -= momentMs;
    // Another call may have begun meanwhile.
    if (wentOn && time.wentOn) return;
  }
}
