import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { takeMissedAnyAccount } from '../voice/index.ts';
import { announce } from '../webhooks/index.ts';
import { replyDueAt, subjectTypes } from './notice.ts';
import { findConfigsAnyAccount } from './queries.ts';
import { settingsOf } from './schemas.ts';
import {
  type DueWatch,
  insertCallbackWatches,
  insertWatches,
  takeDueCallbacksAnyAccount,
  takeDueWatchesAnyAccount,
} from './watch-queries.ts';

/** Tells of people who were not answered in time; answers how many were looked at. One who was, and wrote again, is watched on. */
export const judgeReplies = (deps: Deps, most: number): Promise<number> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const due = await takeDueWatchesAnyAccount(db, deps.clock.now(), most);
    if (due.length === 0) return 0;
    const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
    const configs = await findConfigsAnyAccount(db, accountIds);
    const wantedBy = ({ accountId }: DueWatch) => {
      const row = configs.get(accountId);
      return row && row.reply_time_target_minutes !== null ? { ...settingsOf(row), zone: row.zone } : undefined;
    };
    const again = due.flatMap((watch) => {
      const settings = wantedBy(watch);
      if (!settings || watch.next === null || watch.nextAt === null) return [];
      const dueAt = replyDueAt(settings, new Date(watch.nextAt));
      return dueAt ? [{ ...watch, message: watch.next, since: watch.nextAt, dueAt }] : [];
    });
    await insertWatches(db, again);
    const late = due.flatMap((watch) => {
      const settings = wantedBy(watch);
      if (watch.answer !== null || !settings) return [];
      const { accountId, channel, message, number, person, since } = watch;
      const subjectType = subjectTypes[channel];
      const target_minutes = settings.reply_time_target_minutes;
      const data = { channel, [subjectType]: message, number, from: person, written_at: since, target_minutes };
      return [{ accountId, subjectType, subject: message, data }];
    });
    await tell(deps, 'insight.slow_reply', late);
    return due.length;
  });

/** Begins to watch over callers who did not get through; answers how many were looked at. */
export const watchMissedCalls = (deps: Deps, most: number): Promise<number> =>
  within(deps, async ({ db }) => {
    const missed = await takeMissedAnyAccount(db, most);
    await insertCallbackWatches(db, missed);
    return missed.length;
  });

/** Tells of callers whom nobody called back; answers how many were looked at. */
export const judgeCallbacks = (deps: Deps, most: number): Promise<number> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const due = await takeDueCallbacksAnyAccount(db, deps.clock.now(), most);
    const forgotten = due
      .filter(({ isSettled, minutes }) => !isSettled && minutes !== null)
      .map(({ accountId, call, number, caller, since, minutes }) => ({
        accountId,
        subjectType: 'call' as const,
        subject: call,
        data: { call, number, caller, missed_at: since, window_minutes: minutes },
      }));
    await tell(deps, 'insight.missed_call', forgotten);
    return due.length;
  });

interface Insight {
  accountId: string;
  subjectType: 'message' | 'sms' | 'call';
  subject: string;
  data: Record<string, unknown>;
}

/** On the timeline, and to whoever listens. */
async function tell(deps: Deps, type: 'insight.slow_reply' | 'insight.missed_call', insights: Insight[]) {
  await appendEvents(
    deps.db,
    insights.map((insight) => ({ ...insight, kind: type })),
  );
  await announce(
    deps.db,
    deps,
    insights.map(({ accountId, data }) => ({ accountId, type, data })),
  );
}
