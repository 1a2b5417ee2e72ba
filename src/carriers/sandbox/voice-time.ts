import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waiting by the accounts' own time. When that was stepped, or runs fast, more is due at once than can happen at once: what is
 * due first happens first, and the time of calls stands still at that moment until those concerned have gone on. So a ringing
 * of 25 seconds is one of 25 seconds, also when the clock was stepped by an hour.
 */
export interface VoiceTime {
  /** The time of an account's calls, in milliseconds. */
  now(accountId: string): number;
  wait(accountId: string, ms: number, signal?: AbortSignal): Promise<void>;
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
const momentMs = 15;
const patienceMs = 300;

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
      const isLate = clocks.nowMs(accountId) - first > punctualMs;
      if (isLate) time.standsAtMs = Math.max(first, time.standsAtMs ?? first);
      time.wentOn = false;
      for (const waiter of due) if (!isLate || waiter.dueMs - first <= togetherMs) waiter.done();
      if (isLate) await othersGoOn(time);
    }
    time.standsAtMs = undefined;
    arm(accountId);
  }

  return {
    now,
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
        time.wentOn = true;
        arm(accountId);
      }),
    moved() {
      for (const accountId of [...accounts.keys()]) arm(accountId);
    },
  };
}

const newTime = (): AccountTime => ({ waiting: new Set(), timer: undefined, standsAtMs: undefined, wentOn: false });

async function othersGoOn(time: AccountTime): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += momentMs) {
    const wentOn = time.wentOn;
    await sleep(momentMs);
    if (wentOn) return;
  }
}
