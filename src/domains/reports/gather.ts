import type { Deps, Task } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { allOf, countRows, findBeginning } from './count-rows.ts';
import { findKeptDays, type KeptCount, type KeptDay, keepDays, readKeptCounts } from './day-queries.ts';
import { addDays, type DaySpan, daysBetween, daysOf, momentsOf, todayIn } from './days.ts';
import { type CountedBy, type Metric, metricRules } from './metrics.ts';

/** Counts the days that are still to be counted, when a request has no time for all of them. */
const countTask = 'reports.count';

/** Today and yesterday are counted from the rows by every report, and not kept. */
const liveDays = 2;
/** What a day's messages became may change for so long: receipts come late. */
const settledAfterDays = 35;
/** How old the counts of a kept day may be, by its age, until then. */
const refreshing = [
  { untilDays: 7, everyMs: 10 * 60_000 },
  { untilDays: settledAfterDays, everyMs: 24 * 60 * 60_000 },
];
/** Days that are counted by one statement: more while that takes a moment, one alone where it takes long. */
const mostDaysAtOnce = 64;
const quickMs = 200;
const slowMs = 1000;

export interface Asked {
  metric: Metric;
  span: DaySpan;
  timeZone: string;
  by: CountedBy;
  /** Whether each day is wanted, or all together. */
  daily: boolean;
}

/** What was counted; days that are missing are being counted. */
export interface Gathered {
  counts: KeptCount[];
  isComplete: boolean;
}

/**
 * The counts of a span of days: of those that are kept, and of the last two from the rows. Days that nobody asked for before are counted
 * first, the newest first, for as long as `budgetMs` allows; the rest by a task.
 */
export async function gather(deps: Deps, accountId: string, asked: Asked, budgetMs: number): Promise<Gathered> {
  const { db, clock } = deps;
  const { metric, span, timeZone, by, daily } = asked;
  const today = todayIn(timeZone, clock.now());
  const firstLive = metricRules[metric].isKept ? addDays(today, 1 - liveDays) : '0001-01-01';
  const live = { from: span.from > firstLive ? span.from : firstLive, to: span.to < today ? span.to : today };
  const kept = { from: span.from, to: span.to < firstLive ? span.to : addDays(firstLive, -1) };
  const isComplete = kept.from > kept.to || (await keepUp(deps, accountId, { metric, span: kept, timeZone }, budgetMs));
  const counts = kept.from > kept.to ? [] : await readKeptCounts(db, accountId, metric, kept, { by, daily });
  if (live.from <= live.to) counts.push(...(await countRows(db, accountId, metric, live, { timeZone, by: [by] })));
  return { counts, isComplete };
}

/** Counts what is missing or old among these days. Whether none is missing any more. */
export async function keepUp(
  deps: Deps,
  accountId: string,
  { metric, span, timeZone }: Pick<Asked, 'metric' | 'span' | 'timeZone'>,
  budgetMs: number,
): Promise<boolean> {
  const { db, clock } = deps;
  const end = performance.now() + budgetMs;
  const beginning = await findBeginning(db, accountId, metric);
  if (!beginning) return true;
  const first = todayIn(timeZone, beginning);
  const known = new Map((await findKeptDays(db, accountId, metric, span)).map((day) => [day.day, day]));
  const now = clock.now();
  // Of days before the oldest row nothing is left to count, and of its own day maybe not all.
  const isMissing = (day: string): boolean => day >= first && !known.has(day);
  const isOld = (day: string): boolean =>
    day > first && known.has(day) && needsCounting(known.get(day)!, timeZone, now);
  const due = daysOf({ from: span.from > first ? span.from : first, to: span.to })
    .filter((day) => isMissing(day) || isOld(day))
    .reverse();
  let atOnce = 1;
  for (let done = 0; done < due.length; ) {
    if (performance.now() > end) {
      await countLater(deps, { account: accountId, metric, ...span });
      return !due.slice(done).some(isMissing);
    }
    const days = runOf(due, done, atOnce);
    const started = performance.now();
    const some = { from: days.at(-1)!, to: days[0]! };
    const counts = await countRows(db, accountId, metric, some, { timeZone, by: allOf(metric) });
    await inTransaction(db, (db) => keepDays(db, accountId, metric, some, { zone: timeZone, countedAt: now, counts }));
    const tookMs = performance.now() - started;
    if (tookMs < quickMs) atOnce = Math.min(atOnce * 2, mostDaysAtOnce);
    else if (tookMs > slowMs) atOnce = Math.max(1, Math.floor(atOnce / 2));
    done += days.length;
  }
  return true;
}

/** Leaves the rest to a task, unless this process did so a moment ago. */
async function countLater({ db, queue, caches }: Deps, wanted: DaySpan & { account: string; metric: Metric }) {
  const asked = caches.of<true>(countTask);
  const key = Object.values(wanted).join(' ');
  if (asked.get(key)) return;
  asked.set(key, true, asked.stamp());
  await queue.enqueue(db, countTask, [wanted]);
}

/** Days one after the other, from a place in the list on; the list begins with the newest. */
function runOf(days: string[], from: number, most: number): string[] {
  const run = [days[from]!];
  while (run.length < most && days[from + run.length] === addDays(run.at(-1)!, -1)) run.push(days[from + run.length]!);
  return run;
}

function needsCounting({ day, zone, counted_at }: KeptDay, timeZone: string, now: Date): boolean {
  if (zone !== timeZone) return true;
  const countedMs = Date.parse(counted_at);
  const settledMs = momentsOf({ from: day, to: addDays(day, settledAfterDays) }, timeZone).to.getTime();
  if (countedMs >= settledMs) return false;
  const age = daysBetween(day, todayIn(timeZone, now));
  const rule = refreshing.find(({ untilDays }) => age <= untilDays);
  return rule === undefined || countedMs < now.getTime() - rule.everyMs;
}

/** The queue takes a task for dead after five minutes. */
const mostMs = 200_000;

interface Wanted {
  account: string;
  metric: Metric;
  from: string;
  to: string;
}

/** Counts the days that a report found missing. What is left when time is over is a task again. */
export const tasks: Task[] = [
  {
    name: countTask,
    batchSize: 1,
    async handler(deps, payloads) {
      for (const { account, metric, ...span } of payloads as Wanted[]) {
        const query = deps.db.selectFrom('accounts').select('time_zone').where('uuid', '=', account);
        const found = await query.executeTakeFirst();
        // It may be deleted by now.
        if (found) await keepUp(deps, account, { metric, span, timeZone: found.time_zone }, mostMs);
      }
    },
  },
];
