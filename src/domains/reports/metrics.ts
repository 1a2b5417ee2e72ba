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
const cycles = ['hour_of_day', 'weekday'] as const;
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

export const isDimension = (grouping: Grouping): grouping is Dimension =>
  (dimensions as readonly string[]).includes(grouping);

/** What the rows are told apart by when they are counted. */
export type CountedBy = 'all' | 'hour' | Dimension;
export const countedBy = (grouping: Grouping): CountedBy => {
  if (isDimension(grouping)) return grouping;
  return grouping === 'hour' || grouping === 'hour_of_day' ? 'hour' : 'all';
};

/** The list that a figure was counted from: its address, the filters, and the filter that takes a status. */
export interface FigureList {
  path: string;
  query: Record<string, string>;
  status_filter: string | null;
}

const paths: Record<Metric, { path: string; status: string | null; filters: Partial<Record<Dimension, string>> }> = {
  calls: { path: '/v2/cdr/', status: 'result', filters: { agent: 'agent', number: 'number', source: 'call_tracking' } },
  messages: {
    path: '/v2/chatapp/messages/',
    status: 'status',
    filters: { intro: 'chat_intro', number: 'chatapp_number' },
  },
  sms: { path: '/v2/sms-records/', status: 'status', filters: { number: 'number' } },
  intros: { path: '/v2/chatapp/chat-intro-sessions/', status: 'step', filters: { intro: 'chat_intro' } },
  leads: {
    path: '/v2/chatapp/leads/',
    status: 'status',
    filters: { agent: 'owner', intro: 'chat_intro', source: 'source' },
  },
  campaigns: { path: '/v2/campaign-logs/', status: null, filters: { campaign: 'campaign' } },
};

/** The list of what began in a span of time, and belongs to one thing of a dimension. */
export function listOf(
  metric: Metric,
  { from, to }: { from: string; to: string },
  { direction, of }: { direction?: string | undefined; of?: { dimension: Dimension; value: string } } = {},
): FigureList {
  // Messages and SMS are listed by launch; the launches of a campaign are a list of their own.
  const rule = of?.dimension === 'campaign' ? paths.campaigns : paths[metric];
  return {
    path: rule.path,
    query: {
      created_after: from,
      created_before: to,
      ...(direction !== undefined && rule === paths.calls && { direction }),
      ...(of && { [rule.filters[of.dimension]!]: of.value }),
    },
    status_filter: rule.status,
  };
}
