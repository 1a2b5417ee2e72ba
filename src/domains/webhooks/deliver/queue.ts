import { sql } from 'kysely';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { seeLiving } from '../../../platform/process/living.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { isInactiveText } from '../../accounts/index.ts';
import type { EndpointKind } from '../event-types.ts';

/** SQL of the endpoints' queues: what is due, who has claimed it, how it ended. */

/** An endpoint that has something waiting, and since when or until when it waits. */
export interface Waiting {
  account_id: string;
  uuid: string;
  kind: EndpointKind | 'CALLBACK';
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: string | null;
  failing_since: string | null;
  due_at: string;
}

/** SQL text of what may be sent. What waits for its next attempt is not, until that is due (see `markDueAnyAccount`). */
const readyText = 'claimed_by is null and ready';

/** The first ready delivery of each endpoint, by jumping through the index. */
const firstByJumpsText = `recursive first as (
    (select account_id, endpoint, due_at from webhook_queue
      where ${readyText} order by account_id, endpoint, due_at limit 1)
    union all
    select next.* from first cross join lateral (
      select account_id, endpoint, due_at from webhook_queue
      where ${readyText} and (account_id, endpoint) > (first.account_id, first.endpoint)
      order by account_id, endpoint, due_at limit 1) as next
  )`;
const firstByGroupsText = `first as (
    select account_id, endpoint, min(due_at) as due_at from webhook_queue
    where ${readyText} group by account_id, endpoint
  )`;

const findWaitingText = (first: string): string => `
  with ${first}, waiting as (
    select endpoint.*, greatest(first.due_at, endpoint.paused_until, 'epoch') as due_at
    from first join webhook_endpoints as endpoint
      on endpoint.account_id = first.account_id and endpoint.uuid = first.endpoint
    where endpoint.enabled and not ${isInactiveText('first.account_id')}
  ), ranked as (
    select *, row_number() over (
      partition by account_id, kind, failing_since is null order by due_at, uuid) as place
    from waiting
  )
  select ranked.account_id, uuid, kind, url, coalesce(ranked.secret, account.secret) as secret,
    coalesce(ranked.previous_secret, account.previous_secret) as previous_secret,
    coalesce(ranked.previous_secret_until, account.previous_secret_until) as previous_secret_until, failing_since, due_at
  from ranked left join callback_secrets as account on account.account_id = ranked.account_id and kind = 'CALLBACK'
  where place <= 64
  order by due_at`;

const findWaiting = prepared<Waiting>(
  'find-waiting-webhooks',
  findWaitingText(firstByJumpsText),
  findWaitingText(firstByGroupsText),
);

/**
 * Enabled endpoints with something ready, longest first. It jumps through the index from one endpoint's first delivery to
 * the next endpoint's: neither the length of a queue nor endpoints without one cost anything. Messages may name more
 * addresses than anybody can serve at once: of each account, each kind, the failing and the others apart, the first 64.
 */
export const findWaitingAnyAccount = (db: Db): Promise<Waiting[]> => findWaiting(db, []);

/** SQL text: whether something is ready, or soon will be; and whether somebody has claimed something. */
export const isWaitingText = `exists (select 1 from webhook_queue where claimed_by is null and ready)
  or exists (select 1 from webhook_queue where claimed_by is null and not ready and due_at <= now() + interval '2 seconds')`;
export const isClaimedText = 'exists (select 1 from webhook_queue where claimed_by is not null)';

/** Deliveries that become ready by one statement. */
const mostMarked = 1000;

const findLater = prepared<{ account_id: string; delivery: string; due_at: string }>(
  'find-later-webhooks',
  `(select account_id, delivery, due_at from webhook_queue
    where claimed_by is null and not ready and due_at <= $1 order by due_at limit ${mostMarked})
  union all
  (select account_id, delivery, due_at from webhook_queue
    where claimed_by is null and not ready and due_at > $1 order by due_at limit 1)`,
);

const markReady = prepared(
  'mark-ready-webhooks',
  `update webhook_queue as queue set ready = true
  from unnest($1::uuid[], $2::uuid[]) as due (account_id, delivery)
  where queue.account_id = due.account_id and queue.delivery = due.delivery and queue.due_at <= $3`,
);

/** Marks the deliveries as ready whose next attempt is due, and tells when the next one will be; undefined: there is none. */
export async function markDueAnyAccount(db: Db, now: Date): Promise<string | undefined> {
  const later = await findLater(db, [now.toISOString()]);
  const due = later.filter(({ due_at }) => Date.parse(due_at) <= now.getTime());
  const next = later.find(({ due_at }) => Date.parse(due_at) > now.getTime())?.due_at;
  if (due.length > 0) {
    const [accounts, deliveries] = [due.map((row) => row.account_id), due.map((row) => row.delivery)];
    await markReady(db, [accounts, deliveries, now.toISOString()]);
  }
  return due.length < mostMarked ? next : timestamp(now);
}

export interface Claimed {
  uuid: string;
  event: string;
  type: string;
  /** What it is about. */
  subject: string | null;
  payload: string;
  /** Made before this one, within the present schedule. */
  attempts: number;
}

const claimNext = prepared<Claimed>(
  'claim-webhooks',
  `with next as (
    select delivery from webhook_queue
    where account_id = $1 and endpoint = $2 and ${readyText} and due_at <= $3 and not ${isInactiveText('webhook_queue.account_id')}
    order by due_at, delivery limit $4
    for update skip locked
  ), claimed as (
    update webhook_queue set claimed_by = $5, claim = $6, claimed_at = now()
    where account_id = $1 and delivery = any (array(select delivery from next))
    returning delivery, attempts
  )
  select delivery.uuid, delivery.event, delivery.type, delivery.subject, delivery.payload, claimed.attempts
  from claimed join webhook_deliveries as delivery on delivery.account_id = $1 and delivery.uuid = claimed.delivery
  order by delivery.uuid`,
);

/** Takes the next due deliveries of an endpoint, oldest first. Two workers never take the same. */
export async function claimDue(
  db: Db,
  endpoint: Waiting,
  claim: { workerNumber: number; claim: number; now: Date; most: number },
): Promise<Claimed[]> {
  const { account_id, uuid } = endpoint;
  return claimNext(db, [account_id, uuid, claim.now.toISOString(), claim.most, claim.workerNumber, claim.claim]);
}

/** Gives back what was claimed and not sent, unless somebody has claimed it again since. */
export async function release(
  db: Db,
  accountId: string,
  deliveries: string[],
  { workerNumber, claim }: { workerNumber: number; claim: number },
): Promise<void> {
  await sql`
    update webhook_queue set claimed_by = null, claim = null, claimed_at = null
    where account_id = ${accountId} and delivery = any (${sql.val(deliveries)}::uuid[])
      and claimed_by = ${workerNumber} and claim = ${claim}`.execute(db);
}

/**
 * Frees what was claimed by workers that are no more, and what this one has claimed and not in hand; it is sent again with the
 * same id, by which receivers know it. A worker that only lost its session for a moment is given three seconds.
 */
export async function releaseAbandonedAnyAccount(db: Db, workerNumber: number, inHand: number[]): Promise<number> {
  const living = await seeLiving(db);
  const { numAffectedRows = 0n } = await sql`
    update webhook_queue set claimed_by = null, claim = null, claimed_at = null
    where claimed_by is not null and ${living.isOver('claimed_at', '3 seconds')}
      and case when claimed_by = ${workerNumber} then coalesce(claim, 0) <> all (${inHand}::integer[])
        else claimed_by <> all (${living.workers}) and ${living.isSettled} end`.execute(db);
  return Number(numAffectedRows);
}

/** How one attempt ended, and what follows from it. */
export interface Outcome {
  accountId: string;
  endpoint: string;
  delivery: string;
  attempt: string;
  at: Date;
  durationMs: number;
  /** null: no answer came */
  statusCode: number | null;
  response: string;
  error: string;
  succeeded: boolean;
  /** null: there is no further attempt */
  nextAttempt: Date | null;
  /** The endpoint wants to be left alone until then. */
  pausedUntil: Date | null;
}

const storeText = (isAgain: boolean): string => `
  with given as (
    select * from unnest(
      $1::uuid[],
      $2::uuid[],
      $3::uuid[],
      $4::uuid[],
      $5::timestamptz[],
      $6::integer[],
      $7::integer[],
      $8::text[],
      $9::text[],
      $10::boolean[],
      $11::timestamptz[],
      $12::timestamptz[]) as o (account_id, endpoint,
      delivery, attempt, at, duration_ms, status_code, response, error, succeeded, next_attempt, paused_until)
  ), attempted as (
    insert into webhook_attempts (account_id, uuid, delivery, at, status_code, duration_ms, response, error)
    select account_id, attempt, delivery, at, status_code, duration_ms, response, error from given
    ${isAgain ? 'on conflict (account_id, uuid) do nothing returning account_id, uuid as attempt' : ''}
  ), outcome as (
    select given.* from given ${isAgain ? 'join attempted using (account_id, attempt)' : ''}
  ), finished as (
    delete from webhook_queue as queue using outcome
    where queue.account_id = outcome.account_id and queue.delivery = outcome.delivery and next_attempt is null
  ), requeued as (
    update webhook_queue as queue
    set claimed_by = null, claim = null, claimed_at = null, attempts = queue.attempts + 1, due_at = next_attempt,
      ready = false
    from outcome
    where queue.account_id = outcome.account_id and queue.delivery = outcome.delivery and next_attempt is not null
  ), judged as (
    update webhook_endpoints as endpoint
    set failing_since = case when verdict.succeeded then null else coalesce(endpoint.failing_since, verdict.at) end,
      paused_until = greatest(endpoint.paused_until, verdict.paused_until)
    from (
      select account_id, endpoint, bool_or(succeeded) as succeeded, min(at) as at, max(paused_until) as paused_until
      from outcome group by account_id, endpoint) as verdict
    where endpoint.account_id = verdict.account_id and endpoint.uuid = verdict.endpoint
      and (verdict.paused_until is not null or verdict.succeeded = (endpoint.failing_since is not null))
  )
  update webhook_deliveries as delivery
  set status = case when succeeded then 'SUCCEEDED' when outcome.next_attempt is null then 'FAILED' else 'PENDING' end,
    attempts = delivery.attempts + 1, next_attempt = outcome.next_attempt, last_status_code = outcome.status_code,
    last_error = outcome.error, modified = now()
  from outcome
  -- A delivery that was cancelled meanwhile stays so, unless it arrived.
  where delivery.account_id = outcome.account_id and delivery.uuid = outcome.delivery
    and (succeeded or status = 'PENDING')`;
const store = prepared('store-webhook-outcomes', storeText(false));
const storeAgain = prepared('store-webhook-outcomes-again', storeText(true));

/**
 * Stores how attempts ended, and what that says of their endpoints: one statement for all of them. `isAgain`: some may be stored
 * already, because the answer to that was lost; those count once.
 */
export async function storeOutcomes(db: Db, outcomes: Outcome[], isAgain: boolean): Promise<void> {
  const column = (pick: (outcome: Outcome) => unknown) => outcomes.map(pick);
  await (isAgain ? storeAgain : store)(db, [
    column((outcome) => outcome.accountId),
    column((outcome) => outcome.endpoint),
    column((outcome) => outcome.delivery),
    column((outcome) => outcome.attempt),
    column((outcome) => outcome.at.toISOString()),
    column((outcome) => outcome.durationMs),
    column((outcome) => outcome.statusCode),
    column((outcome) => outcome.response),
    column((outcome) => outcome.error),
    column((outcome) => outcome.succeeded),
    column((outcome) => outcome.nextAttempt?.toISOString() ?? null),
    column((outcome) => outcome.pausedUntil?.toISOString() ?? null),
  ]);
}
