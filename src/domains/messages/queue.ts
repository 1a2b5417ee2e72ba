import { sql } from 'kysely';
import { aliveText, isSettledText } from '../../platform/db/listener.ts';
import { isOverText } from '../../platform/db/moments.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import type { Doubts } from '../../platform/hands.ts';
import { spendAllowanceText, takeAllowanceText } from '../chatapp-accounts/index.ts';
import { priorities } from './states.ts';

/** SQL of the senders' queues: what is due, who has claimed it, how it ended. */

export interface Sender {
  account_id: string;
  uuid: string;
  carrier: string;
}

export interface Claimed {
  uuid: string;
  type: string;
  chatapp_number: string;
  to_chatapp_number: string;
  message_data: Record<string, unknown>;
  context_data: { message_uuid?: string };
  campaign_log: string | null;
  attempts: number;
  /** When to stop trying, once a first attempt was put off. */
  give_up_at: string | null;
}

/**
 * Partitions older than this hold nothing that still waits, and are not looked into: no message may be scheduled further
 * ahead or tried for longer.
 */
export const queued = `status = 'QUEUED' and uuid >= uuid_floor(now() - interval '100 days')`;
const waiting = `${queued} and claimed_by is null`;
const leaving = `(values (${priorities.own}), (${priorities.campaign})) as priorities (priority)`;

/**
 * Senders that have something waiting, with the moment it is due. One look into the index per sender: the cost does not
 * grow with what they have waiting.
 */
export async function findWaitingAnyAccount(db: Db): Promise<(Sender & { due_at: string })[]> {
  const { rows } = await sql<Sender & { due_at: string }>`
    select sender.account_id, sender.uuid, sender.carrier, first.due_at
    from chatapp_accounts as sender
    cross join lateral (
      select greatest(min(head.due_at), 'epoch') as due_at from ${sql.raw(leaving)}
      cross join lateral (
        select due_at from message_states
        where account_id = sender.account_id and chatapp_account = sender.uuid and priority = priorities.priority
          and ${sql.raw(waiting)} and due_at < 'infinity'
        order by due_at limit 1) as head) as first
    where first.due_at is not null and not sender.paused`.execute(db);
  return rows;
}

const claimNext = prepared<Claimed>(
  'messages.claim',
  `with allowance as materialized (${takeAllowanceText}
  ), next as materialized (
    select head.uuid from ${leaving}
    cross join lateral (
      select uuid from message_states
      where account_id = $1 and chatapp_account = $2 and priority = priorities.priority and ${waiting} and due_at <= $3
      order by due_at, uuid limit $4
      for update skip locked) as head
    limit coalesce((select greatest(0, least($4::bigint, floor(available)::bigint)) from allowance), 0)
  ), spent as (${spendAllowanceText('select count(*) from next')}
  ), claimed as (
    update message_states set claimed_by = $5, claim = $6, claimed_at = now(), attempts = attempts + 1
    where account_id = $1 and uuid = any (array(select uuid from next))
    returning uuid, attempts, give_up_at
  )
  select message.uuid, message.type, message.chatapp_number, message.to_chatapp_number, message.message_data,
    message.context_data, message.campaign_log, claimed.attempts, claimed.give_up_at
  from claimed join messages as message on message.account_id = $1 and message.uuid = claimed.uuid
  order by message.uuid`,
);

/**
 * Takes the next due messages of a sender, as many as its rate allows: transactional before campaign, oldest first. Two
 * workers never take the same, and together they take no more than the rate.
 */
export const claimDue = (
  db: Db,
  sender: Sender,
  { workerNumber, claim, now, most }: { workerNumber: number; claim: number; now: Date; most: number },
): Promise<Claimed[]> => claimNext(db, [sender.account_id, sender.uuid, now.toISOString(), most, workerNumber, claim]);

/** A claimed message that stays in the queue: until a moment, or (null) until its receipt tells what became of it. */
export interface Postponement {
  uuid: string;
  dueAt: Date | null;
  giveUpAt: Date | null;
  description: string;
  /** false: the carrier has not had the message itself, and the next attempt has the same number. */
  isAttempt?: boolean;
}

/** Whose claims messages are put back from: none that was put back already, and has been claimed again since. */
export interface ClaimedAs {
  workerNumber: number;
  claims: number[];
}

/** Puts claimed messages back; answers those whose launch was cancelled meanwhile, so that they must not leave again. */
export async function putBack(
  db: Db,
  sender: Sender,
  postponements: Postponement[],
  { workerNumber, claims }: ClaimedAs,
): Promise<string[]> {
  const { rows } = await sql<{ uuid: string; is_withdrawn: boolean }>`
    with claimed as materialized (
      -- In the order in which everybody locks them: receipts of the same may come at this moment. A receipt that was faster than
      -- the answer leaves nothing to put back.
      select uuid from message_states
      where account_id = ${sender.account_id} and uuid = any (${postponements.map(({ uuid }) => uuid)}::uuid[]) and status = 'QUEUED'
        and claimed_by = ${workerNumber} and coalesce(claim, 0) = any (${claims}::integer[])
      order by uuid for no key update
    )
    update message_states as state set status_description = again.description, modified = now(),
      claimed_by = null, claim = null, claimed_at = null, due_at = again.due_at, give_up_at = again.give_up_at,
      attempts = attempts - case when again.is_attempt then 0 else 1 end
    from unnest(
      ${postponements.map(({ uuid }) => uuid)}::uuid[],
      ${postponements.map(({ dueAt }) => dueAt?.toISOString() ?? 'infinity')}::timestamptz[],
      ${postponements.map(({ giveUpAt }) => giveUpAt?.toISOString() ?? null)}::timestamptz[],
      ${postponements.map(({ description }) => description)}::text[],
      ${postponements.map(({ isAttempt = true }) => isAttempt)}::boolean[]
    ) as again (uuid, due_at, give_up_at, description, is_attempt)
    where state.account_id = ${sender.account_id} and state.uuid = again.uuid and state.uuid = any (array(select uuid from claimed))
    returning state.uuid, state.priority = ${priorities.withdrawn} and state.due_at < 'infinity' as is_withdrawn`.execute(
    db,
  );
  return rows.filter((row) => row.is_withdrawn).map(({ uuid }) => uuid);
}

/** How many messages of a sender wait to leave, counted up to `most`, and since when the first does. */
export async function readQueue(db: Db, accountId: string, chatappAccount: string, most: number) {
  const { rows } = await sql<{ depth: number; oldest: string | null }>`
    select count(*) as depth, min(created) as oldest from (
      select message.created from message_states as state
      join messages as message on message.account_id = state.account_id and message.uuid = state.uuid
      where state.account_id = ${accountId} and state.chatapp_account = ${chatappAccount} and state.status = 'QUEUED'
        and state.priority < ${priorities.held}
      order by state.uuid limit ${most}) as waiting`.execute(db);
  return rows[0]!;
}

export interface Abandoned {
  account_id: string;
  chatapp_account: string;
  carrier: string;
  uuid: string;
  give_up_at: string | null;
  claim: number;
  /** It was never given to the carrier. */
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
    select state.account_id, state.chatapp_account, sender.carrier, state.uuid, state.give_up_at,
      coalesce(state.claim, 0) as claim, coalesce(state.claim, 0) = any (${unsent}::integer[]) as is_unsent
    from message_states as state
    join chatapp_accounts as sender on sender.account_id = state.account_id and sender.uuid = state.chatapp_account
    where state.claimed_by = ${workerNumber} and coalesce(state.claim, 0) <> all (${inHand}::integer[])
      and ${sql.raw(isOverText('state.claimed_at', '3 seconds'))}
    limit ${most}`.execute(db);
  return rows;
}

/**
 * Takes over messages claimed by workers that are no more: the session lock that says one is alive is gone. A worker that
 * only lost its session for a moment is given three seconds, and none ever takes from itself.
 */
export async function claimAbandonedAnyAccount(db: Db, workerNumber: number, most: number): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned>`
    with alive as (${sql.raw(aliveText)}
    ), abandoned as (
      select account_id, uuid from message_states
      -- Before and after its own, of which the index is full: those that have ended are in it until the next vacuum.
      where (claimed_by < ${workerNumber} or claimed_by > ${workerNumber})
        and claimed_by not in (select worker from alive) and ${sql.raw(isOverText('claimed_at', '3 seconds'))} and ${sql.raw(isSettledText)}
      limit ${most} for update skip locked
    )
    update message_states as state set claimed_by = ${workerNumber}, claim = 0, claimed_at = now()
    from abandoned, chatapp_accounts as sender
    where state.account_id = abandoned.account_id and state.uuid = abandoned.uuid
      and sender.account_id = state.account_id and sender.uuid = state.chatapp_account
    returning state.account_id, state.chatapp_account, sender.carrier, state.uuid, state.give_up_at, state.claim,
      false as is_unsent`.execute(db);
  return rows;
}
