/** What reports can count: which statuses it has, and what it can be told apart by. */
export interface MetricRule {
  /** Each thing counts under one of these: together they are all. */
  statuses: readonly string[];
  /** Steps that some of them also took. */
  steps?: readonly string[];
  /** What else is summed up. */
  amount?: 'talk_seconds' | 'segments';
  /** What the things can be told apart by, beside time. */
  dimensions: readonly Dimension[];
  /** Whether days are kept once they are counted. Others are few, or change for as long as they exist. */
  isKept: boolean;
}

export const dimensions = ['agent', 'intro', 'number', 'campaign', 'source'] as const;
export type Dimension = (typeof dimensions)[number];

/** Pieces of time, one after the other; and hours and weekdays that come again. */
export const series = ['hour', 'day', 'week', 'month'] as const;
export const cycles = ['hour_of_day', 'weekday'] as const;
export type Series = (typeof series)[number];
export type Cycle = (typeof cycles)[number];
export const groupings = [...series, ...cycles, ...dimensions] as const;
export type Grouping = (typeof groupings)[number];

export const metrics = ['calls', 'messages', 'sms', 'intros', 'leads', 'campaigns'] as const;
export type Metric = (typeof metrics)[number];

export const metricRules: Readonly<Record<Metric, MetricRule>> = {
  calls: {
    statuses: ['ANSWERED', 'MISSED', 'ABANDONED', 'BUSY', 'VOICEMAIL', 'REJECTED', 'FAILED'],
    amount: 'talk_seconds',
    dimensions: ['agent', 'number', 'source'],
    isKept: true,
  },
  messages: {
    statuses: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'RECEIVED'],
    dimensions: ['intro', 'number', 'campaign'],
    isKept: true,
  },
  sms: {
    statuses: ['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'],
    amount: 'segments',
    dimensions: ['number', 'campaign'],
    isKept: true,
  },
  intros: {
    statuses: ['STARTED'],
    steps: ['REPLIED', 'NOTIFIED', 'CONNECTED'],
    dimensions: ['intro'],
    isKept: true,
  },
  leads: {
    statuses: ['NEW', 'OPEN', 'WON', 'LOST'],
    dimensions: ['agent', 'intro', 'source'],
    isKept: false,
  },
  campaigns: {
    statuses: ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'CANCELLED', 'OPTED_OUT', 'SKIPPED'],
    steps: ['REPLIED', 'CLICKED'],
    dimensions: ['campaign'],
    isKept: false,
  },
};

export const namesOf = ({ statuses, steps = [] }: MetricRule): string[] => [...statuses, ...steps];

export const isSeries = (grouping: Grouping): grouping is Series => (series as readonly string[]).includes(grouping);
export const isDimension = (grouping: Grouping): grouping is Dimension =>
  (dimensions as readonly string[]).includes(grouping);

/** What the rows are told apart by when they are counted. */
export type CountedBy = 'all' | 'hour' | Dimension;
export const countedBy = (grouping: Grouping): CountedBy => {
  if (isDimension(grouping)) return grouping;
  return grouping === 'hour' || grouping === 'hour_of_day' ? 'hour' : 'all';
};
