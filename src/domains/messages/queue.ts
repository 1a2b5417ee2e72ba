import { sql } from 'kysely';
import { livenessLock } from '../../platform/db/listener.ts';
import type { Db } from '../../platform/db/pool.ts';
import { insertEvents } from '../timeline/index.ts';

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
  created: string;
  attempts: number;
}

/**
 * Senders that have something waiting, with the moment it is due. One look into the index per sender: the cost does not
 * grow with what they have waiting.
 */
export async function findWaitingAnyAccount(db: Db): Promise<(Sender & { due_at: string })[]> {
  const { rows } = await sql<Sender & { due_at: string }>`
    select sender.account_id, sender.uuid, sender.carrier, first.due_at
    from chatapp_accounts as sender
    cross join lateral (
      select min(head.due_at) as due_at from (values (0), (1)) as priorities (priority)
      cross join lateral (
        select due_at from message_queue
        where account_id = sender.account_id and chatapp_account = sender.uuid and priority = priorities.priority
          and claimed_by is null and due_at < 'infinity'
        order by due_at limit 1) as head) as first
    where first.due_at is not null and not sender.paused`.execute(db);
  return rows;
}

/** Takes the next due messages of a sender: transactional before campaign, oldest first. Two workers never take the same. */
export async function claimDue(
  db: Db,
  sender: Sender,
  claim: { workerNumber: number; now: Date; most: number },
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with next as (
      select head.message from (values (0), (1)) as priorities (priority)
      cross join lateral (
        select message from message_queue
        where account_id = ${sender.account_id} and chatapp_account = ${sender.uuid} and priority = priorities.priority
          and claimed_by is null and due_at <= ${claim.now.toISOString()}
        order by due_at, message limit ${claim.most}
        for update skip locked) as head
      limit ${claim.most}
    ), claimed as (
      update message_queue set claimed_by = ${claim.workerNumber}, claimed_at = now(), attempts = attempts + 1
      where account_id = ${sender.account_id} and message = any (array(select message from next))
      returning message, attempts
    )
    select message.uuid, message.type, message.chatapp_number, message.to_chatapp_number, message.message_data,
      message.created, claimed.attempts
    from claimed join messages as message on message.account_id = ${sender.account_id} and message.uuid = claimed.message
    order by message.uuid`.execute(db);
  return rows;
}

/** How a claimed message ended: with a status it leaves the queue, with a due time it stays. */
export interface Settlement {
  uuid: string;
  status?: 'SENT' | 'FAILED';
  dueAt?: string;
  description: string;
  carrierMessageId?: string;
}

/** Stores how a batch ended: messages, queue and events by one statement. */
export async function settle(db: Db, sender: Sender, settlements: Settlement[]): Promise<void> {
  const column = (name: keyof Settlement) => sql.val(settlements.map((settlement) => settlement[name] ?? null));
  const events = insertEvents(
    settlements.map(({ uuid, status, dueAt, description, carrierMessageId }) => ({
      accountId: sender.account_id,
      subjectType: 'message',
      subject: uuid,
      kind: status ? `message.${status.toLowerCase()}` : dueAt === 'infinity' ? 'message.unknown' : 'message.delayed',
      data: status
        ? { status, status_description: description, ...(carrierMessageId && { carrier_message_id: carrierMessageId }) }
        : { description, ...(dueAt !== 'infinity' && { next_attempt: dueAt }) },
    })),
  );
  await sql`
    with ended as (
      select * from unnest(${column('uuid')}::uuid[], ${column('status')}::text[], ${column('dueAt')}::timestamptz[],
        ${column('description')}::text[], ${column('carrierMessageId')}::text[])
        as e (uuid, status, due_at, description, carrier_message_id)
    ), moved as (
      -- A receipt may have been faster than the answer; then the state stays where the receipt put it.
      update messages set
        status = case when messages.status = 'QUEUED' then coalesce(ended.status, messages.status) else messages.status end,
        status_description = case when messages.status = 'QUEUED' then ended.description else messages.status_description end,
        carrier_message_id = coalesce(ended.carrier_message_id, messages.carrier_message_id),
        modified = now()
      from ended where messages.account_id = ${sender.account_id} and messages.uuid = ended.uuid
    ), dequeued as (
      delete from message_queue using ended
      where account_id = ${sender.account_id} and message = ended.uuid and ended.status is not null
    ), kept as (
      update message_queue set claimed_by = null, claimed_at = null, due_at = ended.due_at
      from ended where account_id = ${sender.account_id} and message = ended.uuid and ended.status is null
    )
    ${events}`.execute(db);
}

export interface Abandoned {
  account_id: string;
  chatapp_account: string;
  carrier: string;
  uuid: string;
}

/** Takes over messages claimed by workers that are no more: the session lock that says one is alive is gone. */
export async function claimAbandonedAnyAccount(db: Db, workerNumber: number, most: number): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned>`
    with alive as (
      select objid::bigint as worker from pg_locks
      where locktype = 'advisory' and classid = ${livenessLock} and granted
        and database = (select oid from pg_database where datname = current_database())
    ), abandoned as (
      select account_id, message from message_queue
      where claimed_by is not null and claimed_by not in (select worker from alive)
      limit ${most} for update skip locked
    )
    update message_queue as queue set claimed_by = ${workerNumber}, claimed_at = now()
    from abandoned, chatapp_accounts as sender
    where queue.account_id = abandoned.account_id and queue.message = abandoned.message
      and sender.account_id = queue.account_id and sender.uuid = queue.chatapp_account
    returning queue.account_id, queue.chatapp_account, sender.carrier, queue.message as uuid`.execute(db);
  return rows;
}
