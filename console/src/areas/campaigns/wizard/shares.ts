import type { Schema } from '../../../api/index.ts';

export type Log = Schema<'CampaignLog'>;
export type LogDetail = Schema<'CampaignLogDetail'>;

/** What became of everybody; together they are the audience. */
export const outcomes = [
  { name: 'read', label: 'Read', color: 'green.7' },
  { name: 'delivered', label: 'Delivered', color: 'brand.5' },
  { name: 'sent', label: 'Sent', color: 'blue.5' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
  { name: 'opted_out', label: 'Opted out', color: 'orange.5' },
  { name: 'skipped', label: 'Left out', color: 'gray.5' },
  { name: 'cancelled', label: 'Taken back', color: 'gray.6' },
  { name: 'held', label: 'Held', color: 'grape.4' },
  { name: 'queued', label: 'Waiting', color: 'gray.4' },
] as const;

export const isLive = (status: string | undefined): boolean =>
  status === 'RUNNING' || status === 'SCHEDULED' || status === 'PAUSED';

/** How many messages have left. */
export const leftOf = (log: Log): number => log.sent + log.delivered + log.read + log.failed;

/** How many the launch is through with, and how many there are. Of one that was cancelled, what really left counts. */
export function throughOf(log: Log): { through: number; audience: number; share: number } {
  const audience = log.audience ?? 0;
  const through = log.status === 'CANCELLED' ? leftOf(log) : Math.max(0, audience - log.queued - log.held);
  return { through, audience, share: audience === 0 ? 0 : through / audience };
}
