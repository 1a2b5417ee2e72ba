import { type Static, Type } from 'typebox';
import { Timestamp } from '../../platform/http/openapi/models.ts';
import { nullable, record } from '../../platform/http/validation/index.ts';
import { groupings, type Metric, metricRules, metrics, namesOf } from './metrics.ts';

export const ReportMetric = Type.Enum([...metrics], {
  title: 'ReportMetric',
  description:
    'What is counted, by when it began. `intros`: sessions of chat intros. `campaigns`: recipients of launches.',
});
const groupingWords =
  'What a row stands for: a piece of time, an hour of the day or day of the week, or an agent, intro, number, campaign or source.';
export const ReportGrouping = Type.Enum([...groupings], { title: 'ReportGrouping', description: groupingWords });
const Direction = Type.Enum(['INBOUND', 'OUTBOUND'], { description: 'Of calls alone: only those in this direction.' });
const limit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: 'How many agents, intros, numbers, campaigns or sources at most, those with the highest counts.',
});

export const ReportQuery = Type.Object({
  metric: ReportMetric,
  group_by: Type.Enum([...groupings], { default: 'day', description: groupingWords }),
  from: Type.Optional(
    Type.String({ format: 'date', description: 'The first day; left out: 29 days before the last one.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day, included; left out: today.' })),
  compare: Type.Enum(['none', 'previous', 'year'], {
    default: 'none',
    description: '`previous`: the same number of days before the first. `year`: the same days a year before.',
  }),
  direction: Type.Optional(Direction),
  limit,
});
export type ReportQuery = Static<typeof ReportQuery>;

const figures = {
  count: Type.Integer({ description: 'How many.' }),
  counts: record(Type.Integer(), { description: 'How many by status, and how many took each further step.' }),
  talk_seconds: Type.Optional(Type.Integer({ description: 'Of calls: how long people talked, in all.' })),
  segments: Type.Optional(Type.Integer({ description: 'Of SMS: the parts they were sent or received in, in all.' })),
};
const Figures = Type.Object(figures, { title: 'ReportFigures' });

const FigureList = Type.Object(
  {
    path: Type.String({ description: 'The address of the list.' }),
    query: record(Type.String(), { description: 'Its filters.' }),
    status_filter: nullable(Type.String({ description: 'The filter that takes a status; null: it has none.' })),
  },
  { title: 'ReportList', description: 'The list that a figure was counted from.' },
);

const previous = nullable(Figures);
const ReportRow = Type.Object(
  {
    key: Type.String({
      description: 'The piece of time (a week by its Monday), or the id, number or text it stands for.',
    }),
    label: Type.String({ description: 'A name for people to read.' }),
    from: nullable(Timestamp('When the piece of time begins; null: the row is none.')),
    to: nullable(Timestamp('Not included.')),
    ...figures,
    previous,
    list: nullable(FigureList),
  },
  { title: 'ReportRow' },
);
export type ReportRow = Static<typeof ReportRow>;

const ReportTotal = Type.Object(
  { ...figures, previous, list: FigureList },
  { title: 'ReportTotal', description: 'All together.' },
);
export type ReportTotal = Static<typeof ReportTotal>;

const days = {
  from: Type.String({ format: 'date', description: 'The first day.' }),
  to: Type.String({ format: 'date', description: 'The last day, included.' }),
};
const span = {
  ...days,
  time_zone: Type.String({ description: 'In which days begin and end.' }),
  complete: Type.Boolean({
    description: 'false: some days are still being counted and are missing here. Ask again after some seconds.',
  }),
  compared_with: nullable(
    Type.Object(days, { title: 'ReportSpan', description: 'The days it is compared with; null: none.' }),
  ),
};

export const ReportSummaryQuery = Type.Object({
  from: ReportQuery.properties.from,
  to: ReportQuery.properties.to,
  compare: ReportQuery.properties.compare,
});

export const ReportSummary = Type.Object(
  {
    ...span,
    metrics: Type.Object(
      Object.fromEntries(metrics.map((metric) => [metric, ReportTotal])) as Record<Metric, typeof ReportTotal>,
      {
        title: 'ReportMetrics',
        description: 'The total of each metric.',
      },
    ),
  },
  { title: 'ReportSummary' },
);
export type ReportSummary = Static<typeof ReportSummary>;

export const Report = Type.Object(
  {
    metric: ReportMetric,
    group_by: ReportGrouping,
    ...span,
    statuses: Type.Array(Type.String(), { description: 'The names in `counts`, in their order.' }),
    total: ReportTotal,
    rows: Type.Array(ReportRow, {
      description: 'Pieces of time in their order; all others by their counts, the highest first.',
    }),
    rest: nullable(Figures),
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;

/** The columns of a report as a file. */
export const csvColumns = ({ metric, compare }: Pick<ReportQuery, 'metric' | 'compare'>): string[] => {
  const rule = metricRules[metric];
  return [
    ...['key', 'label', 'from', 'to', 'count', ...namesOf(rule)],
    ...(rule.amount ? [rule.amount] : []),
    ...(compare === 'none' ? [] : ['previous_count']),
  ];
};

export const csvRows = ({ rows }: Report): Record<string, unknown>[] =>
  rows.map(({ counts, previous, list: _, ...row }) => ({ ...row, ...counts, previous_count: previous?.count }));
