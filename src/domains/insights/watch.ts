import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { findKeywords } from '../../platform/text/keywords.ts';
import { afterOpenMinutes } from '../../platform/time/week-hours.ts';
import { within } from '../../platform/within.ts';
import { startLoop } from '../../platform/work/loop.ts';
import { noteSetAside } from '../../platform/work/set-aside.ts';
import { isBadValue } from '../../platform/work/split-on-failure.ts';
import { appendEvents } from '../timeline/index.ts';
import { takeMissedAnyAccount } from '../voice/index.ts';
import { announce } from '../webhooks/index.ts';
import { findInsightSettings, type InsightSettings } from './config.ts';
import { sendDigest } from './digest.ts';
import {
  type DueWatch,
  findConfigsAnyAccount,
  insertCallbackWatches,
  insertWatches,
  lockDueDigestsAnyAccount,
  setDigestDue,
  takeDueCallbacksAnyAccount,
  takeDueWatchesAnyAccount,
} from './queries.ts';
import { settingsOf } from './schemas.ts';

/** Something that a person wrote to one of the account's numbers. */
export interface Heard {
  uuid: string;
  /** Whom they wrote to, and who, as they are written; and what these are compared by. */
  number: string;
  person: string;
  numberDigits: string;
  personDigits: string;
  text: string;
  at: string;
  /** Whether an answer can be expected; to a reaction nobody says anything. */
  wantsAnswer: boolean;
}

export type WrittenChannel = 'CHATAPP' | 'SMS';
const subjectTypes = { CHATAPP: 'message', SMS: 'sms' } as const;

/** Looks at what came in, in the transaction that stored it: spots keywords, and watches for the answers. */
export async function noticeInbound(deps: Deps, accountId: string, channel: WrittenChannel, heard: Heard[]) {
  if (heard.length === 0) return;
  const settings = await findInsightSettings(deps, accountId);
  if (!settings) return;
  await spotKeywords(deps, accountId, channel, heard, settings);
  const watched = heard.flatMap((one) => {
    const dueAt = one.wantsAnswer ? replyDueAt(settings, new Date(one.at)) : undefined;
    const { uuid: message, numberDigits: number, personDigits: person, at: since } = one;
    return dueAt ? [{ accountId, channel, number, person, message, since, dueAt }] : [];
  });
  await insertWatches(deps.db, watched);
}

/** Until when somebody who wrote should have been answered; undefined: nobody watches. */
function replyDueAt(settings: Omit<InsightSettings, 'digest' | 'keyword_groups'>, since: Date): Date | undefined {
  const { reply_time_target_minutes: target, business_hours, zone } = settings;
  if (target === null) return undefined;
  if (business_hours === null) return new Date(since.getTime() + target * 60_000);
  return afterOpenMinutes(business_hours, zone, since, target);
}

async function spotKeywords(
  deps: Deps,
  accountId: string,
  channel: WrittenChannel,
  heard: Heard[],
  { keyword_groups }: InsightSettings,
): Promise<void> {
  const spotted = heard.flatMap((one) =>
    keyword_groups.flatMap(({ name: group, keywords }) => {
      const found = findKeywords(one.text, keywords);
      return found.length === 0 ? [] : [{ one, data: { group, keywords: found } }];
    }),
  );
  const subjectType = subjectTypes[channel];
  await appendEvents(
    deps.db,
    spotted.map(({ one, data }) => ({ accountId, subjectType, subject: one.uuid, kind: 'insight.keyword', data })),
  );
  await announce(
    deps.db,
    deps,
    spotted.map(({ one, data }) => ({
      accountId,
      type: 'insight.keyword',
      data: { ...data, channel, [subjectType]: one.uuid, number: one.number, from: one.person, text: one.text },
    })),
  );
}

const mostAtOnce = 500;
const pauseMs = 5000;
/** SQL text: whether a call was missed, or something is due. */
const somethingText = `exists (select 1 from missed_calls)
  or exists (select 1 from reply_watches where due_at <= now())
  or exists (select 1 from callback_watches where due_at <= now())
  or exists (select 1 from insights_configs where digest_due_at <= now())`;
const dayMs = 86_400_000;

/** Looks for what is due. Nobody is told twice: what is taken is taken in the transaction that tells. */
export function startInsights(deps: Deps): { stop(): Promise<void> } {
  const watch = deps.listener.poll.watch(somethingText);
  return startLoop(deps.log, 'insights', async () => ((await lookOnce(deps)) ? 0 : pauseMs), { watch });
}

/** Whether there may be more. */
export async function lookOnce(deps: Deps): Promise<boolean> {
  const looked = [
    await watchMissedCalls(deps, mostAtOnce),
    await judge(deps, judgeReplies, takeDueWatchesAnyAccount),
    await judge(deps, judgeCallbacks, takeDueCallbacksAnyAccount),
  ];
  const sent = await sendDigest(deps).catch((error) => {
    if (!isBadValue(error)) throw error;
    return skipDigest(deps, error);
  });
  return sent || looked.some((count) => count >= mostAtOnce);
}

type Take = (db: Db, now: Date, most: number) => Promise<{ accountId: string }[]>;

/** Judges what is due. After a failure, the first of it alone; if that fails, too, it is taken and set aside. */
async function judge(deps: Deps, work: (deps: Deps, most: number) => Promise<number>, take: Take): Promise<number> {
  for (const most of [mostAtOnce, 1]) {
    try {
      const judged = await work(deps, most);
      return most === 1 ? mostAtOnce : judged;
    } catch (error) {
      if (!isBadValue(error)) throw error;
      if (most > 1) continue;
      const [first] = await take(deps.db, deps.clock.now(), 1);
      if (first) noteSetAside(deps, 'insights', error as Error, { accountId: first.accountId });
    }
  }
  return mostAtOnce;
}

/** A digest that cannot be made is left out for a day. */
const skipDigest = (deps: Deps, error: Error): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [config] = await lockDueDigestsAnyAccount(db, now, 1);
    if (!config) return false;
    await setDigestDue(db, config.account_id, new Date(now.getTime() + dayMs));
    noteSetAside(deps, 'digests', error, { accountId: config.account_id });
    return true;
  });

/** Tells of people who were not answered in time; answers how many were looked at. One who was, and wrote again, is watched on. */
const judgeReplies = (deps: Deps, most: number): Promise<number> =>
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
const watchMissedCalls = (deps: Deps, most: number): Promise<number> =>
  within(deps, async ({ db }) => {
    const missed = await takeMissedAnyAccount(db, most);
    await insertCallbackWatches(db, missed);
    return missed.length;
  });

/** Tells of callers whom nobody called back; answers how many were looked at. */
const judgeCallbacks = (deps: Deps, most: number): Promise<number> =>
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
