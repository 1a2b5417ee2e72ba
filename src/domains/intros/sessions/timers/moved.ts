import { clockTopic } from '../../../../carriers/ports/carriers.ts';
import type { Deps } from '../../../../deps.ts';
import { steadyMs } from '../../../../platform/time/clock.ts';
import { quietMs } from '../steps.ts';
import { dueTopic, findMovedAnyAccount, listMovedAnyAccount, type MovedSender, type WaitingSender } from './due.ts';

/**
 * Accounts that moved their sandbox clocks have moments of their own, which no index is sorted by. Each is looked at when something of it
 * is due, which is known since the last look: what is written later is due seven of its days later, or told of (`tellMoved`).
 */

/** When to look at an account again, and how often it was since somebody told of it. */
interface Place {
  atMs: number;
  looks: number;
}

/** How many are looked at by one statement. */
const mostAtOnce = 1000;
/** After somebody told of an account: whoever was writing at that moment may not have been seen, nor the clock as it is now. */
const lookAgainMs = [2_000, 10_000, 60_000];
/** For those that may be let go on at any moment. */
const inactivePauseMs = 2_000;
/** However long nothing is due. */
const longestMs = 3_600_000;

export interface Moved {
  /** The senders of those that are to be looked at, and whether there may be more of them. */
  find(): Promise<{ senders: WaitingSender[]; isMore: boolean }>;
  stop(): void;
}

/** `wake` is called when there is somebody to look at. */
export function followMoved({ db, carriers, clock, listener }: Deps, wake: () => void): Moved {
  const places = new Map<string, Place>();
  let isBehind = true;
  let timer: NodeJS.Timeout | undefined;

  const hear = (accountId: string): void => {
    if (accountId === '') isBehind = true;
    else places.set(accountId, { atMs: 0, looks: 0 });
    wake();
  };
  listener.on(clockTopic, hear);
  listener.on(dueTopic, hear);

  /** Milliseconds until something of an account may be due, by the real time. */
  const untilDue = (senders: MovedSender[]): number => {
    const [{ is_inactive, speed }] = senders as [MovedSender];
    if (is_inactive) return inactivePauseMs;
    const times = senders.flatMap((sender) => {
      if (sender.uuid === null) return [];
      const carrier = carriers.all().find(({ name }) => name === sender.carrier);
      const nowMs = (carrier?.clock(sender.account_id) ?? clock).now().getTime();
      return [msOf(sender.notify_due_at) - nowMs, msOf(sender.quiet_since) + quietMs - nowMs];
    });
    // Senders of other carriers live in the real time.
    return Math.min(quietMs, ...times) / Math.max(1, speed);
  };

  const plan = (asked: [string, Place][], found: Map<string, MovedSender[]>): void => {
    const nowMs = steadyMs();
    for (const [accountId, place] of asked) {
      // Somebody told of it meanwhile.
      if (places.get(accountId) !== place) continue;
      const senders = found.get(accountId);
      const againMs = lookAgainMs[place.looks] ?? longestMs;
      if (senders)
        places.set(accountId, { atMs: nowMs + Math.min(untilDue(senders), againMs), looks: place.looks + 1 });
      // Its clock was set back to the real time.
      else places.delete(accountId);
    }
  };

  const schedule = (): void => {
    clearTimeout(timer);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { atMs } of places.values()) nextMs = Math.min(nextMs, atMs);
    if (nextMs < Number.POSITIVE_INFINITY) timer = setTimeout(wake, Math.max(1000, nextMs - steadyMs())).unref();
  };

  const readAll = async (): Promise<void> => {
    isBehind = false;
    try {
      for (const { account_id } of await listMovedAnyAccount(db)) places.set(account_id, { atMs: 0, looks: 0 });
    } catch (error) {
      isBehind = true;
      throw error;
    }
  };

  return {
    async find() {
      if (isBehind) await readAll();
      const nowMs = steadyMs();
      const due = [...places].filter(([, { atMs }]) => atMs <= nowMs);
      const asked = due.slice(0, mostAtOnce);
      const found =
        asked.length > 0
          ? await findMovedAnyAccount(
              db,
              asked.map(([accountId]) => accountId),
            )
          : [];
      plan(
        asked,
        Map.groupBy(found, ({ account_id }) => account_id),
      );
      schedule();
      const senders = found.filter(
        (sender): sender is MovedSender & WaitingSender => sender.uuid !== null && !sender.is_inactive,
      );
      return { senders, isMore: due.length > asked.length };
    },
    stop: () => clearTimeout(timer),
  };
}

const msOf = (moment: string | null): number => (moment === null ? Number.POSITIVE_INFINITY : Date.parse(moment));
