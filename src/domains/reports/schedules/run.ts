import type { Deps } from '../../../deps.ts';
import { originOf } from '../../../platform/config.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { startLoop } from '../../../platform/work/loop.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce } from '../../webhooks/index.ts';
import { todayIn } from '../days.ts';
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
import { fieldsOf, fileUrlOf } from './schemas.ts';
import { nextDue, spanBefore } from './times.ts';

/** The kind of job that makes the file of a report. */
export const exportJob = 'reports.export';

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
  return startLoop(deps.log, 'reports', async () => ((await runDue(deps, accept)) ? 0 : pauseMs));
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
