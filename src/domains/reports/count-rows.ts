import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { addDays, type DaySpan, dayBounds, hourBounds, momentsOf } from './days.ts';
import { type CountedBy, type Dimension, type Metric, metricRules } from './metrics.ts';

/** So many of a name began on a day. */
export interface DayCount {
  day: string;
  dimension: CountedBy;
  key: string;
  name: string;
  count: number;
  amount: number;
}

/** What is read of the rows of a metric: their id, a name, an amount, and a key for each dimension (none: empty or null). */
interface Source {
  rows: RawBuilder<unknown>;
  /** It has only some of the rows, which another source has, too. */
  isPart?: boolean;
  keys: Partial<Record<Dimension, RawBuilder<unknown>>>;
}

/** Counts what began on the days of a span, from the rows. It costs what these days hold. */
export async function countRows(
  db: Db,
  accountId: string,
  metric: Metric,
  span: DaySpan,
  { timeZone, by }: { timeZone: string; by: readonly CountedBy[] },
): Promise<DayCount[]> {
  const hours = by.includes('hour') ? hourBounds(span, timeZone) : undefined;
  const counted: DayCount[] = [];
  for (const source of sourcesOf(metric, accountId, within(momentsOf(span, timeZone)), by)) {
    const keys = [
      ...(by.includes('all') && !source.isPart ? [sql`('all', '')`] : []),
      ...(hours && !source.isPart
        ? [sql`('hour', width_bucket(moment, ${texts(hours.bounds)}::timestamptz[])::text)`]
        : []),
      ...Object.entries(source.keys)
        .filter(([dimension]) => by.includes(dimension as Dimension))
        .map(([dimension, key]) => sql`(${sql.lit(dimension)}, coalesce(${key}, ''))`),
    ];
    if (keys.length === 0) continue;
    const { rows } = await sql<Omit<DayCount, 'day'> & { piece: number }>`
      select width_bucket(moment, ${texts(dayBounds(span, timeZone))}::timestamptz[]) as piece,
        by.dimension, by.key, name, sum(times)::bigint as count, sum(amount)::bigint as amount
      from (select *, uuid_moment(uuid) as moment from (${source.rows}) as row) as row
      cross join lateral (values ${sql.join(keys)}) as by (dimension, key)
      where by.dimension = 'all' or by.key <> ''
      group by 1, 2, 3, 4`.execute(db);
    for (const { piece, key, ...row } of rows) {
      const named = row.dimension === 'hour' ? hours!.names[Number(key) - 1]! : key;
      counted.push({ ...row, key: named, day: addDays(span.from, piece - 1) });
    }
  }
  return counted;
}

const texts = (moments: Date[]): string[] => moments.map((moment) => moment.toISOString());

/** Ids tell when something began. */
function within({ from, to }: { from: Date; to: Date }): (uuid: string) => RawBuilder<boolean> {
  const floor = (moment: Date) => sql`uuid_floor(greatest(${moment.toISOString()}::timestamptz, 'epoch'))`;
  return (uuid) => sql`${sql.ref(uuid)} >= ${floor(from)} and ${sql.ref(uuid)} < ${floor(to)}`;
}

type Within = ReturnType<typeof within>;
const own = (name: string): RawBuilder<unknown> => sql.ref(`row.${name}`);

function sourcesOf(metric: Metric, accountId: string, isIn: Within, by: readonly CountedBy[]): Source[] {
  switch (metric) {
    case 'calls':
      return [callRows(accountId, isIn)];
    case 'messages':
      return [messageRows(accountId, isIn), ...(by.includes('intro') ? [messageRowsOfIntros(accountId, isIn)] : [])];
    case 'sms':
      return [smsRows(accountId, isIn)];
    case 'intros':
      return [sessionRows(accountId, isIn)];
    case 'leads':
      return [leadRows(accountId, isIn)];
    case 'campaigns':
      return [launchRows(accountId, isIn)];
  }
}

const callRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select uuid, direction || ' ' || result as name, 1 as times, talk_seconds as amount, number_digits, target, call_tracking
    from calls where account_id = ${accountId} and ${isIn('uuid')} and result is not null`,
  keys: { number: own('number_digits'), agent: own('target'), source: own('call_tracking') },
});

/** The state of a message knows all but its intro, for which the message itself is asked. */
const messageRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select uuid, status as name, 1 as times, 0 as amount, chatapp_account::text as sender, campaign_log::text as launch
    from message_states where account_id = ${accountId} and ${isIn('uuid')}`,
  keys: { number: own('sender'), campaign: own('launch') },
});

const messageRowsOfIntros = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select message.uuid, state.status as name, 1 as times, 0 as amount, message.chat_intro::text as intro
    from messages as message
    join message_states as state on state.account_id = message.account_id and state.uuid = message.uuid
    where message.account_id = ${accountId} and ${isIn('message.uuid')} and message.chat_intro is not null
      and state.account_id = ${accountId} and ${isIn('state.uuid')}`,
  isPart: true,
  keys: { intro: own('intro') },
});

const smsRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select sms.uuid, coalesce(state.status, 'QUEUED') as name, 1 as times, sms.segments as amount, sms.campaign_log::text as launch,
      case sms.direction when 'INBOUND' then sms.to_digits else sms.from_digits end as own
    from sms left join sms_states as state
      on state.account_id = sms.account_id and state.uuid = sms.uuid and state.account_id = ${accountId} and ${isIn('state.uuid')}
    where sms.account_id = ${accountId} and ${isIn('sms.uuid')}`,
  keys: { number: own('own'), campaign: own('launch') },
});

const sessionRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select session.uuid, step.name, 1 as times, 0 as amount, session.chat_intro::text as intro
    from intro_sessions as session
    cross join lateral (values ('STARTED', started_at), ('REPLIED', replied_at), ('NOTIFIED', notified_at),
      ('CONNECTED', connected_at)) as step (name, at)
    where session.account_id = ${accountId} and ${isIn('session.uuid')} and step.at is not null`,
  keys: { intro: own('intro') },
});

const leadRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select uuid, status as name, 1 as times, 0 as amount, owner, chat_intro::text as intro, source
    from leads where account_id = ${accountId} and ${isIn('uuid')}`,
  keys: { agent: own('owner'), intro: own('intro'), source: own('source') },
});

/** Launches are few, and what became of their recipients is counted as it happens. */
const launchRows = (accountId: string, isIn: Within): Source => ({
  rows: sql`
    select launch.uuid, launch.campaign::text as campaign, tally.count as times, 0 as amount,
      case when tally.name like 'skipped%' then 'SKIPPED' when tally.name = 'held' then 'QUEUED' else upper(tally.name) end as name
    from campaign_logs as launch
    join tallies as tally on tally.account_id = launch.account_id and tally.subject = launch.uuid
    where launch.account_id = ${accountId} and ${isIn('launch.uuid')} and tally.account_id = ${accountId}`,
  keys: { campaign: own('campaign') },
});

const tables: Record<Metric, string> = {
  calls: 'calls',
  messages: 'message_states',
  sms: 'sms',
  intros: 'intro_sessions',
  leads: 'leads',
  campaigns: 'campaign_logs',
};

/** When the oldest row began that is still there; undefined: there is none. */
export async function findBeginning(db: Db, accountId: string, metric: Metric): Promise<Date | undefined> {
  const { rows } = await sql<{ began: string }>`
    select uuid_moment(uuid) as began from ${sql.table(tables[metric])}
    where account_id = ${accountId} order by uuid limit 1`.execute(db);
  return rows[0] && new Date(rows[0].began);
}

/** All that the days of a metric are told apart by. */
export const allOf = (metric: Metric): CountedBy[] => ['all', 'hour', ...metricRules[metric].dimensions];
