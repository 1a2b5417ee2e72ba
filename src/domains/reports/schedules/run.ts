import type { Deps } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { newId } from '../../../platform/ids.ts';
import { type Weekday, wallMoment } from '../../../platform/time/week-hours.ts';
import { within } from '../../../platform/within.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { nextDigest } from '../../insights/index.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce, type EventData } from '../../webhooks/index.ts';
import { addDays, type DaySpan, todayIn } from '../days.ts';
import type { Metric } from '../metrics.ts';
import {
  findSchedule,
  finishRun,
  insertRun,
  lockDueSchedulesAnyAccount,
  type RunRow,
  type ScheduleRow,
  setDue,
} from './queries.ts';
import { fieldsOf, fileUrlOf, ReportReady } from './schemas.ts';

/** The kind of job that makes the file of a report. */
const exportJob = 'reports.export';

interface NewJob {
  uuid: string;
  type: string;
  input: object;
  callback_url: null;
  from_file: false;
  total: null;
}
/** Makes a job, in the transaction that `deps` is in. */
export type AcceptJob = (deps: Deps, accountId: string, job: NewJob) => Promise<unknown>;

const pauseMs = 5000;

/** Looks for reports that are due. Each is made once: its job and the time of the next one are one transaction. */
export function startReportSchedules(deps: Deps, accept: AcceptJob): { stop(): Promise<void> } {
  const watch = deps.listener.poll.watch('exists (select 1 from report_schedules where due_at <= now())');
  return startLoop(deps.log, 'reports', async () => ((await runDue(deps, accept)) ? 0 : pauseMs), { watch });
}

/** Begins one report that is due. Whether there may be more. One that is late by several turns is made once. */
export const runDue = (deps: Deps, accept: AcceptJob): Promise<boolean> =>
  within(deps, async (deps) => {
    const now = deps.clock.now();
    const due = await lockDueSchedulesAnyAccount(deps.db, now, 1);
    for (const schedule of due) {
      await beginRun(deps, schedule, schedule.zone, accept);
      await setDue(deps.db, schedule.account_id, schedule.uuid, nextDue(now, fieldsOf(schedule), schedule.zone));
    }
    return due.length > 0;
  });

/** A job for the days before today. */
export async function beginRun(deps: Deps, row: ScheduleRow, timeZone: string, accept: AcceptJob): Promise<RunRow> {
  const { metric, group_by, compare, direction, ...rhythm } = fieldsOf(row);
  const span = spanBefore(todayIn(timeZone, deps.clock.now()), rhythm);
  const uuid = newId();
  const input = { metric, group_by, compare, ...(direction !== null && { direction }), ...span };
  await accept(deps, row.account_id, {
    uuid,
    type: exportJob,
    input,
    callback_url: null,
    from_file: false,
    total: null,
  });
  return insertRun(deps.db, row.account_id, { uuid, schedule: row.uuid, ...span });
}

/** In the transaction that puts the file of a job in its place: if it was a schedule's, whoever listens is told. */
export async function noteReady(deps: Deps, accountId: string, job: string, rows: number): Promise<void> {
  const { db } = deps;
  const run = await finishRun(db, accountId, job, { rows, now: deps.clock.now() });
  const schedule = run && (await findSchedule(db, accountId, run.schedule));
  if (!schedule) return;
  const { uuid, from_day: from, to_day: to } = run;
  const { name, group_by } = fieldsOf(schedule);
  const metric = schedule.metric as Metric;
  const file_url = fileUrlOf(originOf(deps.config), uuid);
  const data = { uuid, schedule: schedule.uuid, from, to, name, metric, group_by, rows, file_url };
  await appendEvents(db, [{ accountId, subjectType: 'job', subject: uuid, kind: 'report.ready', data }]);
  await announce(db, deps, [{ accountId, type: 'report.ready', data }]);
}

/** When a report is made, and of which days. */
export interface Rhythm {
  every: 'day' | 'week' | 'month';
  /** Of a weekly one. */
  weekday: Weekday;
  hour: number;
  /** How many days before; null: as many as the rhythm has. */
  days: number | null;
}

/** The next moment after now at which it is due: every day, on a weekday, or on the first of the month, at its hour in the zone. */
export function nextDue(now: Date, { every, weekday, hour }: Rhythm, timeZone: string): Date {
  let due = nextDigest(now, hour, timeZone);
  const fits = (): boolean => {
    const wall = wallMoment(due, timeZone);
    if (every === 'week') return wall.weekday === weekday;
    return every === 'day' || wall.date.endsWith('-01');
  };
  while (!fits()) due = nextDigest(due, hour, timeZone);
  return due;
}

/** The days that a report tells of which is made on a day: those before it. */
export function spanBefore(today: string, { every, days }: Rhythm): DaySpan {
  const to = addDays(today, -1);
  if (days !== null) return { from: addDays(today, -days), to };
  if (every === 'day') return { from: to, to };
  if (every === 'week') return { from: addDays(today, -7), to };
  const last = addDays(`${today.slice(0, 8)}01`, -1);
  return { from: `${last.slice(0, 8)}01`, to: last };
}

export const reportEvents = { 'report.ready': ReportReady } satisfies EventData;
