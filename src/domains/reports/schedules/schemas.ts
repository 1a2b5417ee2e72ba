import { type Static, Type } from 'typebox';
import { PageOf, Timestamp, Uuid } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { type Weekday, weekdays } from '../../../platform/time/week-hours.ts';
import { groupings, metrics } from '../metrics.ts';
import { mostDays } from '../question.ts';
import type { RunRow, ScheduleRow } from './queries.ts';

const name = Type.String({ minLength: 1, maxLength: 255 });
const metric = Type.Enum([...metrics], { description: 'What is counted.' });
const every = Type.Enum(['day', 'week', 'month'], {
  description: 'How often: every day, on a weekday, or on the first of the month.',
});
const optional = {
  group_by: Type.Enum([...groupings], { description: 'What a row stands for.' }),
  compare: Type.Enum(['none', 'previous', 'year'], { description: 'What it is compared with.' }),
  direction: nullable(Type.Enum(['INBOUND', 'OUTBOUND'], { description: 'Of calls alone; null: both.' })),
  days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: mostDays,
      description: 'How many days, up to the one before it is made; null: the day, the seven days or the month before.',
    }),
  ),
  weekday: Type.Enum([...weekdays], { description: 'Of a weekly report.' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'At this hour in the time zone of the account.' }),
  enabled: Type.Boolean({ description: 'Whether it is made at all.' }),
};

const fields = { name, metric, every, ...optional };
const Fields = Type.Object(fields);
export type ScheduleFields = Static<typeof Fields>;

export const scheduleDefaults: Omit<ScheduleFields, 'name' | 'metric' | 'every'> = {
  group_by: 'day',
  compare: 'previous',
  direction: null,
  days: null,
  weekday: 'monday',
  hour: 8,
  enabled: true,
};

export const ReportScheduleCreate = Type.Object(
  { name, metric, every, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'ReportScheduleCreate' },
);
export const ReportSchedulePatch = Type.Partial(Fields, { title: 'ReportSchedulePatch' });

export const ReportSchedule = Type.Object(
  {
    uuid: Uuid(),
    ...fields,
    next_run: nullable(Timestamp('When the next one is made; null: it is switched off.')),
    created: Timestamp(),
    modified: Timestamp(),
  },
  { title: 'ReportSchedule' },
);
export const ReportSchedulePage = PageOf(ReportSchedule, 'ReportSchedulePage');

const runFields = {
  uuid: Uuid('Its id, which is also that of the job that makes it.'),
  schedule: Uuid('The schedule.'),
  from: Type.String({ format: 'date', description: 'The first day.' }),
  to: Type.String({ format: 'date', description: 'The last day, included.' }),
};
export const ReportRun = Type.Object(
  {
    ...runFields,
    rows: nullable(Type.Integer({ description: 'How many rows the file has; null: it is not ready.' })),
    file_url: nullable(Type.String({ description: 'Where the CSV file is, for a week; null: it is not ready.' })),
    ready: nullable(Timestamp('When it was ready; null: it is not.')),
    created: Timestamp(),
  },
  { title: 'ReportRun' },
);
export const ReportRunPage = PageOf(ReportRun, 'ReportRunPage');

export const ReportReady = Type.Object(
  {
    ...runFields,
    name: Type.String({ description: 'The name of the schedule.' }),
    metric,
    group_by: optional.group_by,
    rows: Type.Integer({ description: 'How many rows the file has.' }),
    file_url: Type.String({ description: 'Where the CSV file is, for a week. It needs a token.' }),
  },
  { title: 'ReportReady' },
);

export const fieldsOf = (row: ScheduleRow): ScheduleFields => ({
  name: row.name,
  metric: row.metric as ScheduleFields['metric'],
  every: row.every as ScheduleFields['every'],
  group_by: row.group_by as ScheduleFields['group_by'],
  compare: row.compare as ScheduleFields['compare'],
  direction: row.direction as ScheduleFields['direction'],
  days: row.days,
  weekday: row.weekday as Weekday,
  hour: row.hour,
  enabled: row.due_at !== null,
});

export const presentSchedule = (row: ScheduleRow) => ({
  uuid: row.uuid,
  ...fieldsOf(row),
  next_run: row.due_at,
  created: row.created,
  modified: row.modified,
});

export const fileUrlOf = (origin: string, job: string): string => `${origin}/v3/jobs/${job}/file/`;

export const presentRun = (origin: string) => (row: RunRow) => ({
  uuid: row.uuid,
  schedule: row.schedule,
  from: row.from_day,
  to: row.to_day,
  rows: row.rows,
  file_url: row.ready_at === null ? null : fileUrlOf(origin, row.uuid),
  ready: row.ready_at,
  created: row.created,
});
