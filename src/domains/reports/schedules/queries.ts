import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { ReportRuns, ReportSchedules } from '../../../platform/db/types.ts';
import { isInactiveSql } from '../../accounts/index.ts';
import type { DaySpan } from '../days.ts';
import type { ScheduleFields } from './schemas.ts';

export type ScheduleRow = Selectable<ReportSchedules>;
export type RunRow = Omit<Selectable<ReportRuns>, 'from_day' | 'to_day'> & { from_day: string; to_day: string };

const schedulesOf = (db: Db, accountId: string) =>
  db.selectFrom('report_schedules').selectAll().where('account_id', '=', accountId);

export const findSchedule = (db: Db, accountId: string, uuid: string): Promise<ScheduleRow | undefined> =>
  schedulesOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

export const lockSchedule = (db: Db, accountId: string, uuid: string): Promise<ScheduleRow | undefined> =>
  schedulesOf(db, accountId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();

export const listSchedules = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, schedulesOf(db, accountId), query);

export async function countSchedules(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from report_schedules where account_id = ${accountId}`.execute(db);
  return rows[0]!.count;
}

const columnsOf = ({ enabled: _, ...fields }: ScheduleFields, dueAt: Date | null) => ({
  ...fields,
  due_at: dueAt?.toISOString() ?? null,
});

export const insertSchedule = (
  db: Db,
  accountId: string,
  uuid: string,
  fields: ScheduleFields,
  dueAt: Date | null,
): Promise<ScheduleRow> =>
  db
    .insertInto('report_schedules')
    .values({ account_id: accountId, uuid, ...columnsOf(fields, dueAt) })
    .returningAll()
    .executeTakeFirstOrThrow();

export const updateSchedule = (
  db: Db,
  accountId: string,
  uuid: string,
  fields: ScheduleFields,
  { dueAt, now }: { dueAt: Date | null; now: Date },
): Promise<ScheduleRow> =>
  db
    .updateTable('report_schedules')
    .set({ ...columnsOf(fields, dueAt), modified: now.toISOString() })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** With all that came of it; the files go by their age. */
export async function deleteSchedule(db: Db, accountId: string, uuid: string): Promise<boolean> {
  await db.deleteFrom('report_runs').where('account_id', '=', accountId).where('schedule', '=', uuid).execute();
  const { numDeletedRows } = await db
    .deleteFrom('report_schedules')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Schedules that are due, with the zones of their accounts; other processes take others. */
export async function lockDueSchedulesAnyAccount(db: Db, now: Date, most: number) {
  const isDue = sql`due_at <= ${now.toISOString()} and not ${isInactiveSql('account_id')}`;
  return perAccount(db, sql`select account_id from report_schedules where ${isDue}`, async (ofAccount) => {
    const { rows } = await sql<ScheduleRow & { zone: string }>`
      select schedule.*, (select time_zone from accounts where uuid = schedule.account_id) as zone
      from (
        select * from report_schedules where ${isDue} and ${ofAccount('account_id')}
        order by due_at limit ${most} for update skip locked) as schedule`.execute(db);
    return rows;
  });
}

export async function setDue(db: Db, accountId: string, uuid: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('report_schedules')
    .set({ due_at: dueAt.toISOString() })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

export const insertRun = (
  db: Db,
  accountId: string,
  { uuid, schedule, from, to }: DaySpan & { uuid: string; schedule: string },
): Promise<RunRow> =>
  db
    .insertInto('report_runs')
    .values({ account_id: accountId, uuid, schedule, from_day: from as never, to_day: to as never })
    .returningAll()
    .$castTo<RunRow>()
    .executeTakeFirstOrThrow();

export const listRuns = (db: Db, accountId: string, schedule: string, query: PageQuery) =>
  keysetPage(
    db,
    db
      .selectFrom('report_runs')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('schedule', '=', schedule)
      .$castTo<RunRow>(),
    query,
  );

/** Notes that the file of a run is there; undefined: the job was not a schedule's. */
export const finishRun = (
  db: Db,
  accountId: string,
  uuid: string,
  { rows, now }: { rows: number; now: Date },
): Promise<RunRow | undefined> =>
  db
    .updateTable('report_runs')
    .set({ rows, ready_at: now.toISOString() })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('ready_at', 'is', null)
    .returningAll()
    .$castTo<RunRow>()
    .executeTakeFirst();
