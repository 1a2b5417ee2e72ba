import { sql } from 'kysely';
import { timestamp } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/pool.ts';
import { callResults, type Insights, messageStatuses, smsStatuses } from './schemas.ts';

export interface TimeSpan {
  from: Date;
  /** Not included. */
  to: Date;
}

type Counts = Record<string, number>;

/** What began in a span of time. It costs what that span holds, however much there was before. */
export async function readInsights(db: Db, accountId: string, span: TimeSpan): Promise<Insights> {
  const [messages, sms, calls, intros, leads] = await Promise.all([
    countStatuses(db, accountId, span, 'message_states', messageStatuses),
    countStatuses(db, accountId, span, 'sms_states', smsStatuses),
    countCalls(db, accountId, span),
    countIntros(db, accountId, span),
    countLeads(db, accountId, span),
  ]);
  return {
    from: timestamp(span.from),
    to: timestamp(span.to),
    messages,
    sms,
    inbound_calls: calls('INBOUND'),
    outbound_calls: calls('OUTBOUND'),
    intros,
    leads,
  };
}

/** Ids tell when something began. */
const within = ({ from, to }: TimeSpan) => sql`uuid >= uuid_floor(greatest(${from.toISOString()}::timestamptz, 'epoch'))
  and uuid < uuid_floor(greatest(${to.toISOString()}::timestamptz, 'epoch'))`;

async function countStatuses(
  db: Db,
  accountId: string,
  span: TimeSpan,
  table: 'message_states' | 'sms_states',
  statuses: readonly string[],
): Promise<Counts> {
  // Status by status: each is a range of an index, and no row is looked at.
  const { rows } = await sql<{ status: string; count: number }>`
    select wanted.status, (select count(*) from ${sql.table(table)} as state
      where state.account_id = ${accountId} and state.status = wanted.status and ${within(span)}) as count
    from unnest(${[...statuses]}::text[]) as wanted (status)`.execute(db);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function countCalls(
  db: Db,
  accountId: string,
  span: TimeSpan,
): Promise<(direction: 'INBOUND' | 'OUTBOUND') => Counts> {
  const { rows } = await sql<{ direction: string; result: string; count: number }>`
    select direction, result, count(*) from calls
    where account_id = ${accountId} and ${within(span)} and result is not null group by direction, result`.execute(db);
  return (direction) => {
    const own = rows.filter((row) => row.direction === direction);
    return Object.fromEntries(
      callResults.map((result) => [result, own.find((row) => row.result === result)?.count ?? 0]),
    );
  };
}

async function countIntros(db: Db, accountId: string, span: TimeSpan): Promise<Counts> {
  const { rows } = await sql<{ started: number; replied: number; notified: number; connected: number }>`
    select count(*) as started, count(replied_at) as replied, count(notified_at) as notified,
      count(connected_at) as connected
    from intro_sessions where account_id = ${accountId} and ${within(span)}`.execute(db);
  return { ...rows[0]! };
}

async function countLeads(db: Db, accountId: string, span: TimeSpan): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from leads where account_id = ${accountId} and ${within(span)}`.execute(db);
  return rows[0]!.count;
}
