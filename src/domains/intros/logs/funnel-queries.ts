import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { createdWithin, type Span } from '../../../platform/db/page.ts';

export interface FunnelQuery extends Span {
  chat_intro?: string;
  /** Only these intros; each is a group, unless `group_by` is given. */
  chat_intros?: string[];
  /** A key of the intros' meta_data. */
  group_by?: string;
}

/** Counts and medians of a group of intros, or of all that were asked for. */
export interface FunnelRow {
  is_total: boolean;
  label: string | null;
  clicks: number;
  unique_clicks: number;
  matched: number;
  replied: number;
  delivered: number;
  read: number;
  notified: number;
  notify_failed: number;
  bparty_contacted: number;
  aparty_connected: number;
  expired: number;
  start_to_reply: number | null;
  reply_to_read: number | null;
  start_to_notify: number | null;
  notify_to_contact: number | null;
}

/**
 * The total first, then up to `mostGroups` groups, those with the most sessions first. A person's number is known only once they
 * write, so clicks and sessions are counted separately and put together by group.
 */
export function funnelStatement(accountId: string, query: FunnelQuery, mostGroups: number): RawBuilder<FunnelRow> {
  const { chat_intro: intro, chat_intros: intros } = query;
  const { labelOf, groups, place } = grouping(query);
  const ofIntro = (column: string) => {
    if (intro !== undefined) return sql`${sql.ref(column)} = ${intro}::uuid`;
    return intros === undefined ? sql`true` : sql`${sql.ref(column)} = any(${intros}::uuid[])`;
  };
  // Clicks and messages are removed after that time; a session without them would count as one that led nowhere.
  const isKept = (column: string) => sql`${sql.ref(column)} >= (
    select uuid_floor(now() - make_interval(days => retention_days)) from accounts where uuid = ${accountId})`;
  return sql`
    with visit as (
      select subject, (data ->> 'visitor') collate "C" as visitor, count(*) as clicks
      from events as event
      where account_id = ${accountId} and subject_type = 'chat_intro' and kind = 'chat_intro.clicked'
        and data ->> 'link' = 'INTRO' and ${ofIntro('event.subject')}
        and ${createdWithin(query, { uuid: 'event.uuid', created: 'event.at' })} and ${isKept('event.uuid')}
      group by 1, 2
    ), labelled as (
      select visit.clicks, ${labelOf('visit.subject')} as label
      from visit left join chat_intros as intro on intro.account_id = ${accountId} and intro.uuid = visit.subject
    ), clicked as (
      select ${place} as place, sum(clicks)::bigint as clicks, count(*) as unique_clicks from labelled group by ${groups}
    ), session as materialized ( -- so that each receipt is looked for once
      select session.status, started_at, replied_at, notified_at, notify_failed_at, connected_at, aparty_connected_at,
        state.status as reply_status, ${labelOf('session.chat_intro')} as label, (
          -- By the carrier's time, as the session's own moments are. The receipt is younger than the session.
          select min((event.data ->> 'carrier_at')::timestamptz) from events as event
          where event.account_id = ${accountId} and event.subject = session.reply_message
            and event.uuid > session.uuid and event.kind = 'message.read' and state.status = 'READ'
        ) as read_at
      from intro_sessions as session
      left join chat_intros as intro on intro.account_id = ${accountId} and intro.uuid = session.chat_intro
      left join message_states as state on state.account_id = ${accountId} and state.uuid = session.reply_message
      where session.account_id = ${accountId} and ${ofIntro('session.chat_intro')}
        and ${createdWithin(query, { uuid: 'session.uuid', created: 'session.created' })} and ${isKept('session.uuid')}
    ), followed as (
      select ${place} as place, count(*) as matched, count(replied_at) as replied,
        count(*) filter (where reply_status in ('DELIVERED', 'READ')) as delivered,
        count(*) filter (where reply_status = 'READ') as read,
        count(notified_at) as notified, count(notify_failed_at) as notify_failed, count(connected_at) as bparty_contacted,
        count(aparty_connected_at) as aparty_connected, count(*) filter (where status = 'EXPIRED') as expired,
        ${median('started_at', 'replied_at')} as start_to_reply,
        ${median('replied_at', 'read_at')} as reply_to_read,
        ${median('started_at', 'notified_at')} as start_to_notify,
        ${median('notified_at', 'connected_at')} as notify_to_contact
      from session group by ${groups}
    )
    select place = 'total' as is_total, case when place like 'value %' then substr(place, 7) end as label,
      coalesce(clicks, 0) as clicks, coalesce(unique_clicks, 0) as unique_clicks, coalesce(matched, 0) as matched,
      coalesce(replied, 0) as replied, coalesce(delivered, 0) as delivered, coalesce(read, 0) as read,
      coalesce(notified, 0) as notified, coalesce(notify_failed, 0) as notify_failed, coalesce(bparty_contacted, 0) as bparty_contacted,
      coalesce(aparty_connected, 0) as aparty_connected, coalesce(expired, 0) as expired,
      start_to_reply, reply_to_read, start_to_notify, notify_to_contact
    from clicked full join followed using (place)
    order by is_total desc, matched desc, clicks desc, label
    limit ${mostGroups + 1}`;
}

export const countFunnel = async (db: Db, accountId: string, query: FunnelQuery, mostGroups: number) =>
  (await funnelStatement(accountId, query, mostGroups).execute(db)).rows;

/**
 * Gives each row a label, and groups rows by label and into the total. `place` tells apart the total, the intros without the key
 * and the values of the key.
 */
function grouping({ group_by: key, chat_intros: intros }: FunnelQuery) {
  if (key === undefined && intros === undefined)
    return { labelOf: () => sql`null::text`, groups: sql`()`, place: sql`'total'` };
  return {
    labelOf: (intro: string) =>
      key === undefined ? sql`${sql.ref(intro)}::text` : sql`left(intro.meta_data ->> ${key}::text, 255)`,
    groups: sql`grouping sets ((label), ())`,
    place: sql`case when grouping(label) = 1 then 'total' when label is null then 'none' else 'value ' || label end`,
  };
}

/** The median of the seconds from one moment to a later one, of those who reached both; null when nobody did. */
const median = (from: string, to: string) => {
  const seconds = sql`extract(epoch from ${sql.ref(to)} - ${sql.ref(from)})::float8`;
  return sql`round(percentile_cont(0.5) within group (order by ${seconds})
    filter (where ${sql.ref(to)} >= ${sql.ref(from)})::numeric, 3)::float8`;
};
