import type { Dimension, Metric } from './metrics.ts';

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
