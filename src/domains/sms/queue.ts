import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { aliveText, isSettledText } from '../../platform/db/listener.ts';
import { isOverText } from '../../platform/db/moments.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import { spendAllowanceText, takeAllowanceText } from '../../platform/db/rate.ts';
import type { Doubts } from '../../platform/hands.ts';
import { appendEvents } from '../timeline/index.ts';

/** SQL of the accounts' queues: what is due, which link has claimed it, how it ended. */

/** A link that something could leave by. */
export interface WaitingLink {
  account_id: string;
  uuid: string;
  carrier: string;
  weight: number;
  /** When the first of what waits is due. */
  due_at: string;
}

export interface Claimed {
  uuid: string;
  from_number: string;
  to_number: string;
  text: string;
  encoding: string;
  segments: number;
  priority: number;
  attempts: number;
  /** When to stop trying, once a first attempt was put off. */
  give_up_at: string | null;
  expires_at: string | null;
  callback_url: string | null;
  campaign_log: string | null;
}

/** Of what is sent for a campaign; of what is sent for itself it is 0. */
export const campaignPriority = 1;
/** Of what a campaign holds back: delivery does not look at it. */
export const heldPriority = 2;
/** Of what was being handed over when its campaign was cancelled: it must not leave again. */
export const withdrawnPriority = 3;

/**
 * Partitions older than this hold nothing that still waits, and are not looked into: nothing may be scheduled further ahead
 * or tried for longer.
 */
export const waitingText = `status = 'QUEUED' and claimed_by is null and uuid >= uuid_floor(now() - interval '100 days')`;

const findWaiting = prepared<WaitingLink>(
  'sms.find-waiting',
  `select link.account_id, link.uuid, link.carrier, link.weight, first.due_at
  from sms_links as link
  cross join lateral (
    select greatest(min(head.due_at), 'epoch') as due_at from (values (0), (1)) as priorities (priority)
    cross join lateral (
      select due_at from sms_states
      where account_id = link.account_id and priority = priorities.priority and ${waitingText} and due_at < 'infinity'
      order by due_at limit 1) as head) as first
  where first.due_at is not null and link.enabled`,
);

/** Links of accounts that have something waiting: one look into the index per link, however much waits. */
export const findWaitingAnyAccount = (db: Db): Promise<WaitingLink[]> => findWaiting(db, []);

const claimNext = prepared<Claimed>(
  'sms.claim',
  `with allowance as materialized (${takeAllowanceText('sms_links', 'enabled')}
  ), most as materialized (
    select coalesce((select greatest(0, least($4::bigint, floor(available)::bigint)) from allowance), 0) as count
  ), heads as materialized (
    select head.* from (values (0), (1)) as priorities (priority)
    cross join lateral (
      select uuid, priority, due_at, attempts, give_up_at, expires_at, callback_url, campaign_log
      from sms_states
      where account_id = $1 and priority = priorities.priority and ${waitingText} and due_at <= $3
      order by due_at, uuid limit (select count from most)
      for update skip locked) as head
    limit (select count from most)
  ), sized as (
    select heads.*, sms.*, sum(segments) over (order by priority, due_at, uuid) - segments as before
    -- With a limit, so that each is looked up: a join would be planned for the few rows that a young partition had.
    from heads cross join lateral (
      select from_number, to_number, text, encoding, segments from sms
      where account_id = $1 and uuid = heads.uuid limit 1) as sms
  ), next as materialized (
    -- What leaves are parts: the first message always, others while the allowance lasts.
    select * from sized where before < (select floor(available) from allowance)
  ), spent as (${spendAllowanceText('sms_links', 'select coalesce(sum(segments), 0) from next')}
  ), claimed as (
    -- All of them, for they are locked: what this would return is known.
    update sms_states set claimed_by = $5, claim = $6, claimed_at = now(), attempts = attempts + 1, link = $2
    where account_id = $1 and status = 'QUEUED' and uuid = any (array(select uuid from next))
  )
  select uuid, from_number, to_number, text, encoding, segments, priority, attempts + 1 as attempts, give_up_at, expires_at,
    callback_url, campaign_log
  from next order by uuid`,
);

/**
 * Takes what leaves next by a link, as much as its rate allows: transactional before campaign, oldest first. Two workers or
 * links never take the same.
 */
export const claimDue = (
  db: Db,
  link: { account_id: string; uuid: string },
  { workerNumber, claim, now, most }: { workerNumber: number; claim: number; now: Date; most: number },
): Promise<Claimed[]> => claimNext(db, [link.account_id, link.uuid, now.toISOString(), most, workerNumber, claim]);

/** A claimed SMS that stays in the queue: until a moment, or (null) until its receipt tells what became of it. */
export interface Postponement {
  uuid: string;
  dueAt: Date | null;
  giveUpAt: Date | null;
  description: string;
}

/** Whose claims SMS are put back from: none that was put back already, and has been claimed again since. */
export interface ClaimedAs {
  workerNumber: number;
  claims: number[];
}

/**
 * Puts claimed SMS back, with what happened to them on their timeline. Answers those that were withdrawn meanwhile; one of which
 * parts have left already leaves whole.
 */
export async function putBack(
  db: Db,
  accountId: string,
  postponements: Postponement[],
  { workerNumber, claims }: ClaimedAs,
): Promise<string[]> {
  if (postponements.length === 0) return [];
  const { rows } = await sql<{ uuid: string; is_withdrawn: boolean }>`
    with claimed as materialized (
      -- In the order in which everybody locks them: receipts of the same may come at this moment. A receipt that was faster than
      -- the answer leaves nothing to put back.
      select uuid from sms_states
      where account_id = ${accountId} and uuid = any (${uuidArray(postponements.map(({ uuid }) => uuid))}::uuid[]) and status = 'QUEUED'
        and claimed_by = ${workerNumber} and coalesce(claim, 0) = any (${claims}::integer[])
      order by uuid for no key update
    )
    update sms_states as state set status_description = again.description, modified = now(),
      claimed_by = null, claim = null, claimed_at = null, due_at = again.due_at, give_up_at = again.give_up_at,
      priority = case when state.priority = ${withdrawnPriority} and exists (
          select from sms_parts where account_id = state.account_id and sms = state.uuid)
        then ${campaignPriority} else state.priority end
    from unnest(
      ${uuidArray(postponements.map(({ uuid }) => uuid))}::uuid[],
      ${postponements.map(({ dueAt }) => dueAt?.toISOString() ?? 'infinity')}::timestamptz[],
      ${postponements.map(({ giveUpAt }) => giveUpAt?.toISOString() ?? null)}::timestamptz[],
      ${postponements.map(({ description }) => description)}::text[]) as again (uuid, due_at, give_up_at, description)
    where state.account_id = ${accountId} and state.uuid = again.uuid and state.uuid = any (array(select uuid from claimed))
    returning state.uuid, state.priority = ${withdrawnPriority} and state.due_at < 'infinity' as is_withdrawn`.execute(
    db,
  );
  await appendEvents(
    db,
    postponements.map(({ uuid, dueAt, description }) => ({
      accountId,
      subjectType: 'sms',
      subject: uuid,
      kind: dueAt ? 'sms.postponed' : 'sms.unknown',
      data: { description, ...(dueAt && { next_attempt: dueAt.toISOString() }) },
    })),
  );
  return rows.filter((row) => row.is_withdrawn).map(({ uuid }) => uuid);
}

export interface Abandoned {
  account_id: string;
  uuid: string;
  link: string;
  /** null: the link is gone. */
  carrier: string | null;
  segments: number;
  give_up_at: string | null;
  claim: number;
  /** It was never given to the other side. */
  is_unsent: boolean;
}

/**
 * What is claimed by this worker, and not in its hand: a claim's answer was lost, or a hand-over's. It is looked for by itself
 * alone, so there is nothing to lock.
 */
export async function findForgottenAnyAccount(
  db: Db,
  workerNumber: number,
  { inHand, unsent }: Doubts,
  most: number,
): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned>`
    select state.account_id, state.uuid, state.link, state.give_up_at, link.carrier, sms.segments,
      coalesce(state.claim, 0) as claim, coalesce(state.claim, 0) = any (${unsent}::integer[]) as is_unsent
    from sms_states as state
    join sms on sms.account_id = state.account_id and sms.uuid = state.uuid
    left join sms_links as link on link.account_id = state.account_id and link.uuid = state.link
    where state.claimed_by = ${workerNumber} and coalesce(state.claim, 0) <> all (${inHand}::integer[])
      and ${sql.raw(isOverText('state.claimed_at', '3 seconds'))}
    limit ${most}`.execute(db);
  return rows;
}

/**
 * Takes over SMS claimed by processes that are no more. One that only lost its session for a moment is given three seconds,
 * and none ever takes from itself.
 */
export async function claimAbandonedAnyAccount(db: Db, workerNumber: number, most: number): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned>`
    with alive as (${sql.raw(aliveText)}
    ), abandoned as (
      select account_id, uuid from sms_states
      -- Before and after its own, of which the index is full: those that have ended are in it until the next vacuum.
      where (claimed_by < ${workerNumber} or claimed_by > ${workerNumber})
        and claimed_by not in (select worker from alive) and ${sql.raw(isOverText('claimed_at', '3 seconds'))} and ${sql.raw(isSettledText)}
      limit ${most} for update skip locked
    ), taken as (
      update sms_states as state set claimed_by = ${workerNumber}, claim = 0, claimed_at = now()
      from abandoned where state.account_id = abandoned.account_id and state.uuid = abandoned.uuid
      returning state.account_id, state.uuid, state.link, state.give_up_at, state.claim
    )
    select taken.*, link.carrier, sms.segments, false as is_unsent from taken
    join sms on sms.account_id = taken.account_id and sms.uuid = taken.uuid
    left join sms_links as link on link.account_id = taken.account_id and link.uuid = taken.link`.execute(db);
  return rows;
}

export interface Hopeless {
  account_id: string;
  uuid: string;
}

/** What waits although its time is over, locked. */
export async function lockExpiredAnyAccount(db: Db, most: number): Promise<Hopeless[]> {
  const { rows } = await sql<Hopeless>`
    select account_id, uuid from sms_states
    where status = 'QUEUED' and expires_at < now() and claimed_by is null and due_at < 'infinity'
    limit ${most} for update skip locked`.execute(db);
  return rows;
}

/** What has waited for its receipt for longer than centres keep messages, locked. */
export async function lockForgottenAnyAccount(db: Db, most: number): Promise<Hopeless[]> {
  const { rows } = await sql<Hopeless>`
    select account_id, uuid from sms_states
    where status = 'QUEUED' and due_at = 'infinity' and claimed_by is null and modified < now() - interval '3 days'
    limit ${most} for update skip locked`.execute(db);
  return rows;
}
