import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type Abandoned, makeClaims } from './claims.ts';
import { makeJumps } from './jumps.ts';
import { makeLaunch } from './launch.ts';
import { makeMoves, type Standing } from './moves.ts';
import { makeReady } from './ready.ts';
import { makeReclaims } from './reclaim.ts';
import { makeResent } from './resend.ts';
import { makeWatches } from './watches.ts';

/**
 * How a channel stores the states of what it sends. The SQL of the outbox is made from these texts, which are all our own, once:
 * when the channel's module is loaded.
 */
export interface StatesTable {
  /** The first word of the names of its prepared statements. */
  name: 'messages' | 'sms';
  states: 'message_states' | 'sms_states';
  /** The table of everything that was accepted, and the view or table of where each of these stands. */
  accepted: 'messages' | 'sms';
  standings: 'message_states' | 'sms_standings';
  /** What timelines call one: the type of their subject and the first word of its events. */
  subject: 'message' | 'sms';
  /** The topic of the notice by which delivery hears that something new is queued. */
  topic: string;
  /** Columns that are locked beside `account_id`, `uuid`, `status` and `campaign_log`. */
  locked: string;
  /** A column for the carrier's id, if it has one. */
  carrierId?: 'carrier_message_id';
  /** What else is set when something is put back. */
  setOnPutBack?: string;
  /**
   * The column of the queue or link that a row belongs to; the other columns that recovery needs, and the join that brings them.
   */
  owner: 'chatapp_account' | 'link';
  recovered: { columns: string; joins: string };
  /**
   * The newest of a launch that are not queued any more, by the index that the table has for that: $1 account, $2 launch, $3 the one
   * after which they come, $4 how many.
   */
  lastEnded: string;
  /** What is told of one that is cancelled with its launch. */
  cancelledWithLaunch: string;
}

export const endedColumns = 'uuid, status, status_description, failure_code';

/** The outbox of a channel: its statements, made once, and what is done with them. */
export const makeOutbox = <S extends Standing, A extends Abandoned>(table: StatesTable) => ({
  topic: table.topic,
  subject: table.subject,
  ...makeMoves<S>(table),
  ...makeClaims<A>(table),
  ...makeLaunch(table),
  ...makeReady(table),
  ...makeReclaims(table),
  ...makeJumps(table),
  ...makeResent(table),
  ...makeWatches(table),
  readLedger: <F extends string>(db: Db, accountId: string, finals: readonly F[]) =>
    readLedger(db, table, accountId, finals),

  /** Wakes delivery for these queues: in this process at once, in others by a notice. */
  wake({ listener }: Deps, queues: Iterable<string>): void {
    for (const queue of new Set(queues)) listener.signal(table.topic, queue);
  },
});

/**
 * Proof that nothing is lost. What was accepted is counted from one table, what became of it from another: a message that is
 * missing from the second shows up as unaccounted.
 */
export async function readLedger<F extends string>(
  db: Db,
  { accepted: messages, standings }: StatesTable,
  accountId: string,
  finals: readonly F[],
) {
  const { rows } = await sql<{ name: string; count: number }>`
    select 'ACCEPTED' as name, count(*) from ${sql.table(messages)}
    where account_id = ${accountId} and direction = 'OUTBOUND'
    union all
    select status, count(*) from ${sql.table(standings)}
    where account_id = ${accountId} and status <> 'RECEIVED' group by status`.execute(db);
  const counts = new Map(rows.map((row) => [row.name, row.count]));
  const of = (name: string): number => counts.get(name.toUpperCase()) ?? 0;
  const accepted = of('ACCEPTED');
  const final = Object.fromEntries(finals.map((name) => [name, of(name)])) as Record<F, number>;
  const pending = { queued: of('QUEUED'), sent: of('SENT') };
  const known = [...Object.values<number>(final), ...Object.values(pending)].reduce((total, one) => total + one, 0);
  return { accepted, final, pending, unaccounted: accepted - known };
}
