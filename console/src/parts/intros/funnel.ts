import type { Schema } from '../../api/types.ts';
import { locale } from '../locale.ts';

export type Funnel = Schema<'IntroFunnel'>;

const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
export const sayShare = (share: number): string => percent.format(share);

/** `under 1 s`, `12 s`, `3 min`, `2.5 h`, `3 days`. */
export function saySeconds(seconds: number): string {
  if (seconds < 1) return 'under 1 s';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 360) / 10} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

export interface FunnelStep {
  label: string;
  hint: string;
  count: number;
  /** Of the step that people come from; null when nobody was there. */
  share: number | null;
  /** How long it took half of them, from the step named. */
  median?: { seconds: number; from: string } | undefined;
}

const shareOf = (count: number, before: number): number | null => (before > 0 ? count / before : null);

/** The way of people through an intro, step by step. */
export function stepsOf(funnel: Funnel): FunnelStep[] {
  const { clicks, unique_clicks, matched, replied, delivered, read, notified, notify_failed } = funnel;
  const { bparty_contacted, aparty_connected } = funnel;
  const { start_to_reply, reply_to_read, start_to_notify, notify_to_contact } = funnel.median_seconds;
  const median = (seconds: number | null, from: string) => (seconds === null ? undefined : { seconds, from });
  return [
    { label: 'Opened the link', hint: `${unique_clicks} people, ${clicks} times`, count: unique_clicks, share: null },
    { label: 'Started', hint: 'Wrote, or were started by the API', count: matched, share: null },
    {
      label: 'Replied',
      hint: 'Got the reply',
      count: replied,
      share: shareOf(replied, matched),
      median: median(start_to_reply, 'the start'),
    },
    { label: 'Delivered', hint: 'The reply arrived', count: delivered, share: shareOf(delivered, matched) },
    {
      label: 'Read',
      hint: 'The reply was read',
      count: read,
      share: shareOf(read, matched),
      median: median(reply_to_read, 'the reply'),
    },
    {
      label: 'Agent notified',
      hint: 'The notification went out',
      count: notified,
      share: shareOf(notified, matched),
      median: median(start_to_notify, 'the start'),
    },
    ...(notify_failed > 0
      ? [
          {
            label: 'Notification failed',
            hint: 'At least one notification failed; another may have gone out after it',
            count: notify_failed,
            share: shareOf(notify_failed, matched),
          },
        ]
      : []),
    {
      label: 'Connected',
      hint: 'The agent opened the link to the lead',
      count: bparty_contacted,
      share: shareOf(bparty_contacted, matched),
      median: median(notify_to_contact, 'the notification'),
    },
    ...(aparty_connected > 0
      ? [
          {
            label: 'Connected directly',
            hint: 'The lead opened the link to the agent',
            count: aparty_connected,
            share: shareOf(aparty_connected, matched),
          },
        ]
      : []),
  ];
}
