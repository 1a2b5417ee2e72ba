import type { Schema } from '../../api/index.ts';
import { colorOf } from '../facts/status.tsx';
import { locale } from '../locale.ts';
import { sayWord } from '../words.ts';
import { todayIn } from './span.ts';

type List = Schema<'ReportList'>;

/** Where the lists of the API are shown. */
const pages: Record<string, string> = {
  '/v2/cdr/': '/calls',
  '/v2/chatapp/messages/': '/messages',
  '/v2/sms-records/': '/sms',
  '/v2/chatapp/leads/': '/leads',
  '/v2/chatapp/chat-intro-sessions/': '/intros',
  '/v2/campaign-logs/': '/campaigns',
};

/** The address of the page that shows what a figure was counted from; with a status, only those that have it. */
export function hrefOf(list: List, timeZone: string, status?: string): string {
  const { created_after, created_before, chat_intro, campaign, ...query } = list.query;
  const page = pages[list.path] ?? '/';
  // Of these the console shows one by itself, and not a list by day.
  if (page === '/intros') return chat_intro ? `/intros/${chat_intro}` : page;
  if (page === '/campaigns') return campaign ? `/campaigns/${campaign}` : page;
  const params = new URLSearchParams(query);
  if (chat_intro) params.set('chat_intro', chat_intro);
  if (created_after) params.set('from', todayIn(timeZone, new Date(created_after)));
  if (created_before) params.set('to', todayIn(timeZone, new Date(Date.parse(created_before) - 1)));
  if (status && list.status_filter) params.set(list.status_filter, status);
  return `${page}?${params}`;
}

const shades = [6, 4, 8, 3];

/** Each status as a series of a chart, in the colour it has everywhere; those that share one are told apart by its shade. */
export function seriesOf(statuses: readonly string[]): { name: string; label: string; color: string }[] {
  const used = new Map<string, number>();
  return statuses.map((name) => {
    const color = colorOf(name);
    const times = used.get(color) ?? 0;
    used.set(color, times + 1);
    return { name, label: sayWord(name), color: `${color}.${shades[times % shades.length]}` };
  });
}

/** A piece of time in a few letters: `Mon 16`, `16 Nov`, `Nov 2026`, `14:00`. */
export function sayPiece(groupBy: string, key: string, days: number): string {
  const say = (options: Intl.DateTimeFormatOptions, day: string) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}Z`));
  switch (groupBy) {
    case 'hour':
      return say(
        days > 1 ? { day: 'numeric', month: 'short', hour: '2-digit' } : { hour: '2-digit', minute: '2-digit' },
        key,
      );
    case 'day':
      return say(days > 7 ? { day: 'numeric', month: 'short' } : { weekday: 'short', day: 'numeric' }, `${key}T00:00`);
    case 'week':
      return say({ day: 'numeric', month: 'short' }, `${key}T00:00`);
    case 'month':
      return say({ month: 'short', year: 'numeric' }, `${key}-01T00:00`);
    case 'hour_of_day':
      return say({ hour: '2-digit', minute: '2-digit' }, `2026-01-01T${key}:00`);
    case 'weekday':
      return sayWord(key);
    default:
      return key;
  }
}

/** Pieces that make a chart one can read. */
export const piecesFor = (days: number): 'hour' | 'day' | 'week' | 'month' => {
  if (days <= 2) return 'hour';
  if (days <= 62) return 'day';
  return days <= 400 ? 'week' : 'month';
};
