import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { elapsedText } from '../../../platform/db/clock.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { CampaignLogs } from '../../../platform/db/types.ts';
import type { Actor } from '../../../platform/http/route.ts';
import { newId } from '../../../platform/ids.ts';
import { isInactiveSql, isInactiveText } from '../../accounts/index.ts';
import { readTallies } from '../../tallies/index.ts';
import { findDue } from '../audience/queries.ts';
import { type Counts, countOf, isOver, type LogStatus } from '../launches/states.ts';
import type { CampaignFields } from '../schemas.ts';

/** How many messages had left at a moment. */
export type PaceMark = [milliseconds: number, left: number];

/**
 * How many had left by the end of each span of `minutes` minutes in which somebody looked. A mark has the beginning of its span.
 */
export interface History {
  minutes: number;
  marks: PaceMark[];
}

/** A launch. `snapshot` is the campaign as it was then. */
export type LogRow = Omit<Selectable<CampaignLogs>, 'status' | 'snapshot' | 'pace' | 'history' | 'paused_by'> & {
  paused_by: Actor | null;
  status: LogStatus;
  snapshot: CampaignFields;
  pace: PaceMark[];
  history: History;
};

export interface LogRef {
  account_id: string;
  uuid: string;
}

const logsOf = (db: Db, accountId: string) =>
  db.selectFrom('campaign_logs').selectAll().where('account_id', '=', accountId).$castTo<LogRow>();

export const findLog = (db: Db, accountId: string, uuid: string): Promise<LogRow | undefined> =>
  logsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

export function listLogs(db: Db, accountId: string, query: PageQuery & { campaign?: string; status?: string }) {
  let rows = logsOf(db, accountId);
  if (query.campaign) rows = rows.where('campaign', '=', query.campaign);
  if (query.status) rows = rows.where('status', '=', query.status);
  return keysetPage(db, rows, query);
}

/** undefined: a launch of the campaign is not over yet. */
export const insertLog = (
  db: Db,
  accountId: string,
  { campaign, snapshot, startAt }: { campaign: string; snapshot: CampaignFields; startAt: string },
): Promise<LogRow | undefined> =>
  db
    .insertInto('campaign_logs')
    .values({
      account_id: accountId,
      uuid: newId(),
      campaign,
      status: 'SCHEDULED',
      snapshot: JSON.stringify(snapshot),
      start_at: startAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .$castTo<LogRow>()
    .executeTakeFirst();

/** The newest launch of a campaign, locked: no step of it is under way. */
export const lockNewestLog = (db: Db, accountId: string, campaign: string): Promise<LogRow | undefined> =>
  logsOf(db, accountId)
    .where('campaign', '=', campaign)
    .orderBy('uuid', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** A launch that is not over, locked. */
export const lockLog = (db: Db, { account_id, uuid }: LogRef): Promise<LogRow | undefined> =>
  logsOf(db, account_id).where('uuid', '=', uuid).forNoKeyUpdate().executeTakeFirst();

export async function setStatus(
  db: Db,
  { account_id, uuid }: LogRef,
  status: LogStatus,
  more: { reason?: string; resumed_after?: string; paused_by?: string | null } = {},
): Promise<LogRow> {
  return db
    .updateTable('campaign_logs')
    .set({
      status,
      reason: '',
      paused_by: null,
      ...more,
      ...(isOver(status) && { finished_at: sql`now()` }),
      wakes_at: '-infinity',
      modified: sql`now()`,
    })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .returningAll()
    .$castTo<LogRow>()
    .executeTakeFirstOrThrow();
}

export interface OpenLog extends LogRef {
  status: LogStatus;
  start_at: string;
  wakes_at: string;
  channel: CampaignFields['channel'];
  sender: string;
}

/** How many launches are read at once. */
export const mostOpen = 2000;

/** SQL text: whether any launch may have something to do. */
export const somethingText =
  "exists (select 1 from campaign_logs where status in ('SCHEDULED', 'RUNNING') and wakes_at <= now())";

/** Launches that may have something to do: those that run, and those that are to start. Who sleeps is not read. At most `mostOpen`, those `after` one. */
export async function findOpenAnyAccount(
  db: Db,
  now: Date,
  after: Pick<OpenLog, 'wakes_at' | 'uuid'> | undefined,
): Promise<OpenLog[]> {
  const isNext = after ? sql`(wakes_at, uuid) > (${after.wakes_at}::timestamptz, ${after.uuid}::uuid)` : sql`true`;
  const { rows } = await sql<OpenLog>`
    select account_id, uuid, status, start_at, wakes_at, snapshot ->> 'channel' as channel, snapshot ->> 'sender' as sender
    from campaign_logs
    where status in ('SCHEDULED', 'RUNNING') and wakes_at <= ${now.toISOString()} and ${isNext}
      and not ${isInactiveSql('account_id')}
    order by wakes_at, uuid limit ${mostOpen}`.execute(db);
  return rows;
}

/** Which of these accounts moved their sandbox clocks, and have moments of their own. */
export async function findMovedAnyAccount(db: Db, accountIds: string[]): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set();
  const { rows } = await sql<{ account_id: string }>`
    select account_id from sandbox_clocks where account_id = any (${uuidArray(accountIds)}::uuid[])`.execute(db);
  return new Set(rows.map(({ account_id }) => account_id));
}

const sleep = prepared<never>(
  'campaigns.sleep',
  `update campaign_logs set wakes_at = $3 where account_id = $1 and uuid = $2
    and not exists (select 1 from sandbox_clocks where account_id = $1)`,
);

/**
 * Nobody looks at a launch until then, unless its account has moved its sandbox clock. In the transaction that took it: a clock that is moved
 * meanwhile is seen here, or wakes the launch afterwards.
 */
export async function sleepUntil(db: Db, { account_id, uuid }: LogRef, moment: string): Promise<void> {
  await sleep(db, [account_id, uuid, moment]);
}

/** Of an account that moved its sandbox clock, or of all that did: what sleeps is looked at again. */
export async function wakeMovedAnyAccount(db: Db, accountId: string | undefined): Promise<void> {
  const isMoved =
    accountId === undefined
      ? sql`account_id in (select account_id from sandbox_clocks) and wakes_at > '-infinity'`
      : sql`account_id = ${accountId} and exists (select 1 from sandbox_clocks where account_id = ${accountId})`;
  await sql`
    update campaign_logs set wakes_at = '-infinity' where status in ('SCHEDULED', 'RUNNING') and ${isMoved}`.execute(
    db,
  );
}

/**
 * A launch that one step has locked: for how long the bucket of its own rate has filled, and the moment from which that counts on.
 */
export type TakenLog = LogRow & { filled_seconds: number; taken_at: string };

const take = prepared<TakenLog>(
  'campaigns.take',
  `select *, ${elapsedText('rate_at')} as filled_seconds, clock_timestamp() as taken_at
  from campaign_logs where account_id = $1 and uuid = $2 and status in ('SCHEDULED', 'RUNNING')
    and not ${isInactiveText('$1')}
  for no key update skip locked`,
);

/** Locks the launch, if it is to go on and no other step has it. */
export const takeLog = async (db: Db, { account_id, uuid }: LogRef): Promise<TakenLog | undefined> =>
  (await take(db, [account_id, uuid]))[0];

export async function startLog(db: Db, { account_id, uuid }: LogRef): Promise<LogRow> {
  const { rows } = await sql<LogRow>`
    with moment as materialized (select clock_timestamp() as at)
    update campaign_logs as log set status = 'RUNNING', started_at = now(), audience_at = now(), rate_at = moment.at,
      wakes_at = '-infinity'
    from moment where log.account_id = ${account_id} and log.uuid = ${uuid}
    returning log.*`.execute(db);
  return rows[0]!;
}

export async function setAudience(db: Db, { account_id, uuid }: LogRef, audience: number): Promise<void> {
  await db
    .updateTable('campaign_logs')
    .set({ audience })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .execute();
}

const progress = prepared<never>(
  'campaigns.progress',
  `update campaign_logs set cursor = $3, is_expanded = $4, rate_tokens = $5, rate_at = $6, pace = $7, history = $8,
  wakes_at = '-infinity', modified = now()
  where account_id = $1 and uuid = $2`,
);

/** Where a launch stands after a step. */
export async function saveProgress(
  db: Db,
  { account_id, uuid }: LogRef,
  now: Pick<LogRow, 'cursor' | 'is_expanded' | 'rate_tokens' | 'rate_at' | 'pace' | 'history'>,
): Promise<void> {
  const { cursor, is_expanded, rate_tokens, rate_at } = now;
  const [pace, history] = [JSON.stringify(now.pace), JSON.stringify(now.history)];
  await progress(db, [account_id, uuid, cursor, is_expanded, rate_tokens, rate_at, pace, history]);
}

/** A launch with its counts. They are looked up and never counted, so a million recipients cost what ten do. */
export interface CountedLog {
  log: LogRow;
  counts: Counts;
  /** When the first of those that are held may be written to. */
  firstDue: string | undefined;
  /** When the last of those that are held may be written to. */
  lastDue: string | undefined;
}

export async function readLogs(db: Db, accountId: string, logs: LogRow[]): Promise<CountedLog[]> {
  const tallies = await readTallies(
    db,
    accountId,
    logs.map(({ uuid }) => uuid),
  );
  return Promise.all(
    logs.map(async (log) => {
      const counts = tallies.get(log.uuid)!;
      const isHolding = (log.status === 'RUNNING' || log.status === 'PAUSED') && countOf(counts, 'held') > 0;
      const { first, last } = isHolding ? await findDue(db, log) : {};
      return { log, counts, firstDue: first, lastDue: last };
    }),
  );
}
