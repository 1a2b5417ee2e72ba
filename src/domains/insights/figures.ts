import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { callResults, type Insights, introSteps, messageStatuses, smsStatuses } from './schemas.ts';

export interface TimeSpan {
  from: Date;
  /** Not included. */
  to: Date;
}

/** So many of a kind began in the piece of that number; the first is 1. */
interface Count {
  piece: number;
  name: string;
  count: number;
}

/** What began in a span of time. It costs what that span holds, however much there was before. */
export const readInsights = async (db: Db, accountId: string, { from, to }: TimeSpan): Promise<Insights> =>
  (await readSeries(db, accountId, [from, to]))[0]!;

/** The same for pieces of time one after the other: each goes from one bound to the next. */
export async function readSeries(db: Db, accountId: string, bounds: Date[]): Promise<Insights[]> {
  const span = piecesOf(bounds);
  const [messages, sms, inbound, outbound, intros, leads] = await Promise.all([
    countStatuses(db, accountId, span, 'message_states', messageStatuses),
    countStatuses(db, accountId, span, 'sms_standings', smsStatuses),
    countCalls(db, accountId, span, 'INBOUND'),
    countCalls(db, accountId, span, 'OUTBOUND'),
    countIntros(db, accountId, span),
    countLeads(db, accountId, span),
  ]);
  return bounds.slice(1).map((to, index) => {
    const of = (counts: Count[], names: readonly string[]) => {
      const own = new Map(counts.filter(({ piece }) => piece === index + 1).map(({ name, count }) => [name, count]));
      return Object.fromEntries(names.map((name) => [name, own.get(name) ?? 0]));
    };
    return {
      from: timestamp(bounds[index]!),
      to: timestamp(to),
      messages: of(messages, messageStatuses),
      sms: of(sms, smsStatuses),
      inbound_calls: of(inbound, callResults),
      outbound_calls: of(outbound, callResults),
      intros: of(intros, introSteps),
      leads: of(leads, ['lead'])['lead']!,
    };
  });
}

/** Ids tell when something began: whether in the whole span, and in which piece of it. */
function piecesOf(bounds: Date[]) {
  const texts = bounds.map((bound) => bound.toISOString());
  const floor = (bound: string) => sql`uuid_floor(greatest(${bound}::timestamptz, 'epoch'))`;
  return {
    within: sql`uuid >= ${floor(texts[0]!)} and uuid < ${floor(texts.at(-1)!)}`,
    piece: sql<number>`width_bucket(uuid_moment(uuid), ${texts}::timestamptz[])`,
  };
}
type Pieces = ReturnType<typeof piecesOf>;

async function countStatuses(
  db: Db,
  accountId: string,
  { within, piece }: Pieces,
  table: 'message_states' | 'sms_standings',
  statuses: readonly string[],
): Promise<Count[]> {
  // Status by status: each is a range of an index, and no row is looked at.
  const { rows } = await sql<Count>`
    select wanted.name, counted.* from unnest(${[...statuses]}::text[]) as wanted (name)
    cross join lateral (
      select ${piece} as piece, count(*) from ${sql.table(table)} as state
      where state.account_id = ${accountId} and state.status = wanted.name and ${within} group by 1) as counted`.execute(
    db,
  );
  return rows;
}

async function countCalls(
  db: Db,
  accountId: string,
  { within, piece }: Pieces,
  direction: 'INBOUND' | 'OUTBOUND',
): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select ${piece} as piece, result as name, count(*) from calls
    where account_id = ${accountId} and ${within} and direction = ${direction} and result is not null
    group by 1, 2`.execute(db);
  return rows;
}

async function countIntros(db: Db, accountId: string, { within, piece }: Pieces): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select piece, step.* from (
      select ${piece} as piece, count(*) as started, count(replied_at) as replied, count(notified_at) as notified,
        count(connected_at) as connected
      from intro_sessions where account_id = ${accountId} and ${within} group by 1) as counted
    cross join lateral (values ('started', started), ('replied', replied), ('notified', notified),
      ('connected', connected)) as step (name, count)`.execute(db);
  return rows;
}

async function countLeads(db: Db, accountId: string, { within, piece }: Pieces): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select ${piece} as piece, 'lead' as name, count(*) from leads
    where account_id = ${accountId} and ${within} group by 1`.execute(db);
  return rows;
}
