import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { mayLeaveText } from '../../../platform/db/connect/lives.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { seeLiving } from '../../../platform/process/living.ts';
import { type Abandoned, endedColumns, makeOutbox, priorities, type Standing } from '../../outbox/index.ts';

/**
 * Everything that writes `sms_states` and `sms_in_hand`: statements of their own, and texts that others put into theirs. The life of
 * an outbound SMS (see `outbox/statuses.ts` for the statuses):
 *
 *                          accepted
 *             fast path ╱            ╲ any other
 *                      ▼              ▼
 *       in hand: one row of       QUEUED, waiting  ◀─────────────╮
 *       sms_in_hand for a         (priority, due_at)             │ put back
 *       batch, and no states         │ claim                     │ (a moment)
 *         │        │                 ▼                           │
 *         │        ╰─ anything ─▶ QUEUED, claimed  ──────────────┤
 *         │ taken     but taken   (claimed_by, claim)            │ put back
 *         │                          │ taken                     ▼ (no answer)
 *         ╰───────────┬──────────────╯                  QUEUED, unknown
 *                     ▼                                 (due_at infinity)
 *                    SENT  ◀──── receipt ───────────────────────╯
 *                     │ receipts of all parts
 *                     ▼
 *                 DELIVERED
 *
 * From QUEUED and SENT to FAILED, from QUEUED, waiting, to CANCELLED. What a dead worker had in hand becomes what it had claimed, and
 * what it had claimed is recovered (`recover.ts`). A row of `sms_in_hand` counts for those alone that have no state, so it may stay
 * for a while when all have theirs. Inbound SMS are RECEIVED and stay so.
 */
export const outbox = makeOutbox<LockedSms, AbandonedSms>({
  name: 'sms',
  states: 'sms_states',
  accepted: 'sms',
  standings: 'sms_standings',
  subject: 'sms',
  topic: 'sms',
  locked: 'due_at, claimed_by, callback_url is not null as has_callback',
  // A withdrawn SMS of which some parts have left already is sent to the end.
  setOnPutBack: `, priority = case when state.priority = ${priorities.withdrawn} and exists (
      select 1 from sms_parts where account_id = state.account_id and sms = state.uuid)
    then ${priorities.campaign} else state.priority end`,
  owner: 'link',
  recovered: {
    columns: 'link.carrier, sms.segments',
    joins: `join sms on sms.account_id = state.account_id and sms.uuid = state.uuid
      left join sms_links as link on link.account_id = sms.account_id and link.uuid = state.link`,
  },
  lastEnded: `select ${endedColumns} from sms_states
    where account_id = $1 and campaign_log = $2 and status <> 'QUEUED' and uuid > $3 order by uuid desc limit $4`,
  cancelledWithLaunch: 'Cancelled with its campaign.',
});

export const { pauseLaunch, resumeLaunch, lastEnded, markAccount } = outbox;

export interface LockedSms extends Standing {
  due_at: string;
  claimed_by: number | null;
  has_callback: boolean;
}

export interface AbandonedSms extends Abandoned {
  link: string;
  /** null: the link is gone. */
  carrier: string | null;
  segments: number;
}

/** SQL text that puts the rows of `accepted` into the queue, and says which of them are ready. */
export const queueText = ({
  ready = 'true',
  condition = '',
}: {
  ready?: string | undefined;
  condition?: string;
} = {}): string => `
  insert into sms_states (account_id, uuid, status, status_description, callback_url, priority, due_at, ready, expires_at,
    campaign_log)
  select account_id, uuid, 'QUEUED', status_description, callback_url, priority, due_at, ${ready}, expires_at, campaign_log
  from accepted ${condition}`;

/** SQL text that puts a batch into the hand of a worker if `condition` has a row; the arguments are SQL texts of the parameters. */
export const takeInHandText = (
  hand: { account: string; uuid: string; link: string; worker: string },
  batch: { uuids: string; callbackUrls: string; expireAt: string },
  condition: string,
): string => `
  insert into sms_in_hand (account_id, uuid, link, worker, sms, callback_urls, expire_at)
  select ${hand.account}, ${hand.uuid}, ${hand.link}, ${hand.worker}, ${batch.uuids}, ${batch.callbackUrls}, ${batch.expireAt}
  from ${condition}`;

/** SQL text that stores the rows of `arrived`, which people wrote, as received by a link. */
export const receivedText = (link: string): string => `
  insert into sms_states (account_id, uuid, status, status_description, link)
  select account_id, uuid, 'RECEIVED', note, ${link} from arrived`;

/** SQL text that claims all rows of `next`, which are locked: $1 account, $2 link, $5 worker, $6 claim. */
export const claimText = `
  update sms_states set claimed_by = $5, claim = $6, claimed_at = now(), attempts = attempts + 1, link = $2
  where account_id = $1 and status = 'QUEUED' and uuid = any (array(select uuid from next))`;

/** SQL text that moves those SMS of $3 to SENT that are still claimed by worker $8. */
export const sentFromClaimText = `update sms_states
    set status = 'SENT', status_description = '', modified = now(), claimed_by = null, claim = null,
      claimed_at = null
    -- Written as a sum to leave alone the index of claims, which is full of those that ended.
    where account_id = $1 and uuid = any ($3::uuid[]) and status = 'QUEUED' and claimed_by + 0 = $8::integer`;

/**
 * SQL text that writes SENT as the states of the SMS of $3, which a worker had in hand. It fails for one that has a state already.
 */
export const sentFromHandText = `insert into sms_states (account_id, uuid, status, callback_url, expires_at, link, attempts)
    select $1, uuid, 'SENT', callback_url, expires_at, $2, 1
    from unnest($3::uuid[], $8::text[], $9::timestamptz[]) as sms (uuid, callback_url, expires_at)`;

/** SQL text that moves SMS of account $1 from SENT to DELIVERED. */
export const deliveredText = (uuids: string): string => `
    update sms_states set status = 'DELIVERED', status_description = '', modified = now()
    -- Not by the index of statuses, in which young partitions seem to have but one row.
    where account_id = $1 and uuid = any (${uuids}) and status || '' = 'SENT'`;

const forgetText = 'delete from sms_in_hand where worker = $1 and uuid = any ($2::uuid[])';
// After a standby took over their states may be missing again.
const forget = prepared('sms.forget-in-hand', `${forgetText} and ${mayLeaveText}`, forgetText);

/** SQL text: whether anybody has something in hand. */
export const hasInHandText = 'exists (select 1 from sms_in_hand)';

/** Removes the rows of batches whose SMS all have their states. */
export async function forgetInHandAnyAccount(db: Db, workerNumber: number, uuids: string[]): Promise<void> {
  if (uuids.length > 0) await forget(db, [workerNumber, uuidArray(uuids)]);
}

/** SQL text that puts the SMS of the rows of `gone` into the queue, claimed as `claim` says. */
const queueInHandText = (claim: { by: string; at: string; link: string; attempts: number }): string => `
  insert into sms_states (account_id, uuid, status, callback_url, expires_at, claimed_by, claimed_at, link, attempts)
  select gone.account_id, sms.uuid, 'QUEUED', sms.callback_url, sms.expire_at, ${claim.by}, ${claim.at}, ${claim.link},
    ${claim.attempts}
  from gone cross join lateral unnest(gone.sms, gone.callback_urls, gone.expire_at) as sms (uuid, callback_url, expire_at)
  on conflict (account_id, uuid) do nothing`;

const release = prepared<{ uuid: string }>(
  'sms.release-in-hand',
  `with gone as (delete from sms_in_hand where worker = $1 and uuid = any ($2::uuid[]) returning *
  ), queued as (${queueInHandText({ by: 'null', at: 'null', link: 'null', attempts: 0 })})
  select uuid from gone`,
);

/** Puts batches into the queue that were accepted although that seemed to fail. Answers which they were. */
export const releaseInHandAnyAccount = async (db: Db, workerNumber: number, uuids: string[]): Promise<string[]> =>
  uuids.length === 0 ? [] : (await release(db, [workerNumber, uuidArray(uuids)])).map(({ uuid }) => uuid);

const queueDisownedText = queueInHandText({ by: 'gone.worker', at: 'gone.created', link: 'gone.link', attempts: 1 });

/**
 * Turns batches in hand into claimed rows of the queue: those of dead workers, and those of this worker that it does not know of
 * (its rows that are not among `known`). Recovery then takes these rows over and asks the carrier.
 */
export async function disownInHandAnyAccount(db: Db, workerNumber: number, known: string[]): Promise<void> {
  const living = await seeLiving(db);
  await sql`
    with gone as (
      delete from sms_in_hand
      where ${living.isOver('created', '3 seconds')} and case when worker = ${workerNumber} then uuid <> all (${uuidArray(known)}::uuid[])
        else worker <> all (${living.workers}) and ${living.isSettled} end
      returning *
    ), queued as (${sql.raw(queueDisownedText)})
    select 1`.execute(db);
}

/** Whose hand-over it was, by which link. */
export interface Hand {
  accountId: string;
  link: string;
  workerNumber: number;
}

/** Writes the states of SMS that a worker has in hand, as claimed by it. An SMS that has a state keeps it. */
export async function insertClaimedStates(
  db: Db,
  { accountId, link, workerNumber }: Hand,
  some: { uuid: string; callback_url: string | null; expires_at: string | null }[],
): Promise<void> {
  if (some.length === 0) return;
  await sql`
    insert into sms_states (account_id, uuid, status, callback_url, expires_at, claimed_by, claimed_at, link, attempts)
    select ${accountId}, uuid, 'QUEUED', callback_url, expires_at, ${workerNumber}, now(), ${link}, 1
    from unnest(
      ${uuidArray(some.map(({ uuid }) => uuid))}::uuid[], ${some.map(({ callback_url }) => callback_url)}::text[],
      ${some.map(({ expires_at }) => expires_at)}::timestamptz[]) as sms (uuid, callback_url, expires_at)
    on conflict (account_id, uuid) do nothing`.execute(db);
}

/** Removes the states of SMS that are erased. */
export async function removeStates(db: Db, accountId: string, uuids: string[]): Promise<void> {
  await sql`delete from sms_states where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
}

/** Proof that no SMS is lost: see `outbox/outbox.ts`. */
export const readSmsLedger = (db: Db, accountId: string) =>
  outbox.readLedger(db, accountId, ['delivered', 'failed', 'cancelled']);
