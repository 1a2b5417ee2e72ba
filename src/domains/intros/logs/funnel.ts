import type { Db } from '../../../platform/db/connect/pool.ts';
import { countFunnel, type FunnelQuery, type FunnelRow } from './funnel-queries.ts';

const mostGroups = 1000;

/** How many people took each step, over all intros that were asked for and, with `group_by`, group by group. */
export async function readFunnel(db: Db, accountId: string, query: FunnelQuery) {
  // One group more than is shown tells whether there are others.
  const [total, ...groups] = await countFunnel(db, accountId, query, mostGroups + 1);
  return {
    ...presentFunnel(total!),
    groups: groups.slice(0, mostGroups).map((row) => ({ group: row.label, ...presentFunnel(row) })),
    more_groups: groups.length > mostGroups,
  };
}

/** The funnel of one intro. */
export async function readFunnelOf(db: Db, accountId: string, query: FunnelQuery & { chat_intro: string }) {
  const [total] = await countFunnel(db, accountId, query, 0);
  return presentFunnel(total!);
}

const presentFunnel = (row: FunnelRow) => ({
  clicks: row.clicks,
  unique_clicks: row.unique_clicks,
  matched: row.matched,
  replied: row.replied,
  delivered: row.delivered,
  read: row.read,
  notified: row.notified,
  notify_failed: row.notify_failed,
  bparty_contacted: row.bparty_contacted,
  aparty_connected: row.aparty_connected,
  expired: row.expired,
  median_seconds: {
    start_to_reply: row.start_to_reply,
    reply_to_read: row.reply_to_read,
    start_to_notify: row.start_to_notify,
    notify_to_contact: row.notify_to_contact,
  },
});
