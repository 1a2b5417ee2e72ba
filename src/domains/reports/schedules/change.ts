import type { Deps } from '../../../deps.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { within } from '../../../platform/within.ts';
import { findAccount } from '../../accounts/index.ts';
import { checkQuestion, mostDaysByHour } from '../question.ts';
import { countSchedules, insertSchedule, lockSchedule, type ScheduleRow, updateSchedule } from './queries.ts';
import { nextDue } from './run.ts';
import { fieldsOf, type ScheduleFields } from './schemas.ts';

/** Of an account. */
const mostSchedules = 100;

export const createSchedule = (deps: Deps, accountId: string, fields: ScheduleFields): Promise<ScheduleRow> =>
  within(deps, async (deps) => {
    check(fields);
    if ((await countSchedules(deps.db, accountId)) >= mostSchedules) {
      throw new ValidationError({ non_field_errors: [`An account has at most ${mostSchedules} report schedules.`] });
    }
    return insertSchedule(deps.db, accountId, newId(), fields, await dueOf(deps, accountId, fields));
  });

export const changeSchedule = (
  deps: Deps,
  accountId: string,
  uuid: string,
  change: Partial<ScheduleFields>,
): Promise<ScheduleRow> =>
  within(deps, async (deps) => {
    const row = await lockSchedule(deps.db, accountId, uuid);
    if (!row) throw notFound();
    const fields = { ...fieldsOf(row), ...change };
    check(fields);
    const dueAt = await dueOf(deps, accountId, fields);
    return updateSchedule(deps.db, accountId, uuid, fields, { dueAt, now: deps.clock.now() });
  });

async function dueOf({ db, clock }: Deps, accountId: string, fields: ScheduleFields): Promise<Date | null> {
  if (!fields.enabled) return null;
  const { time_zone } = await findAccount(db, accountId);
  return nextDue(clock.now(), fields, time_zone);
}

const longest = { day: 1, week: 7, month: 31 };

function check({ metric, group_by, direction, days, every }: ScheduleFields): void {
  checkQuestion({ metric, group_by, ...(direction !== null && { direction }) });
  if (group_by === 'hour' && (days ?? longest[every]) > mostDaysByHour) {
    throw new ValidationError({ days: [`By the hour, ask for no more than ${mostDaysByHour} days at once.`] });
  }
}
