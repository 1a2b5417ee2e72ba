import type { Listener } from '../../platform/db/connect/listener.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { clockTopic } from '../ports/clocks.ts';
import { type ClockSetting, furthestAheadSeconds, readClocksAnyAccount, virtualNow } from './clock.ts';

/** The clocks of the accounts that moved theirs, as they were last read. */
export interface Clocks {
  get(accountId: string): ClockSetting | undefined;
  /** No clock is further ahead of the real time than this. */
  aheadMs(): number;
  /** Reads all of them. */
  read(): Promise<void>;
  /** Reads those of the accounts: whatever was done before the call is known after it. */
  catchUp(accountIds: Iterable<string>): Promise<void>;
}

interface ClocksDeps {
  db: Db;
  listener: Listener;
  clock: Clock;
  log: Log;
  onMoved(): void;
}

/** Follows the clocks: a notice names the account whose clock moved, and only that one is read. Without a name all are. */
export function followClocks({ db, listener, clock, log, onMoved }: ClocksDeps): Clocks {
  const settings = new Map<string, ClockSetting>();
  const moved = new Set<string>();
  let aheadMs = 0;
  let isBehind = false;
  let last: Promise<void> = Promise.resolve();

  /** What moved while the last read was under way may have been missed by it. One read at a time: an older one never comes last. */
  const readMoved = async (): Promise<void> => {
    if (!isBehind && moved.size === 0) return;
    const accountIds = isBehind ? undefined : [...moved];
    isBehind = false;
    moved.clear();
    try {
      take(await readClocksAnyAccount(db, accountIds), accountIds);
    } catch (error) {
      isBehind = true;
      throw error;
    }
    onMoved();
  };

  const take = (found: Map<string, ClockSetting>, accountIds: string[] | undefined): void => {
    if (accountIds === undefined) {
      settings.clear();
      aheadMs = 0;
    }
    // One that is gone was set back to the real time.
    for (const accountId of accountIds ?? []) settings.delete(accountId);
    const nowMs = clock.now().getTime();
    for (const [accountId, setting] of found) {
      settings.set(accountId, setting);
      aheadMs = Math.max(aheadMs, aheadOf(setting, nowMs));
    }
  };

  const next = (): Promise<void> => {
    last = last.catch(() => {}).then(readMoved);
    return last;
  };
  const read = (): Promise<void> => {
    isBehind = true;
    return next();
  };
  const catchUp = (accountIds: Iterable<string>): Promise<void> => {
    for (const accountId of accountIds) moved.add(accountId);
    return next();
  };
  const refresh = (accountId: string): void => {
    if (accountId === '') isBehind = true;
    else moved.add(accountId);
    next().catch((error) => log.warn({ err: error }, 'The sandbox clocks could not be read'));
  };
  listener.on(clockTopic, refresh);
  refresh('');
  return { get: (accountId) => settings.get(accountId), aheadMs: () => aheadMs, read, catchUp };
}

/** How far ahead a clock is, and will be until it is moved again. */
const aheadOf = (setting: ClockSetting, nowMs: number): number =>
  setting.speed > 1 ? furthestAheadSeconds * 1000 : Math.max(0, virtualNow(setting, nowMs).getTime() - nowMs);
