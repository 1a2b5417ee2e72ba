import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { mayLeaveText } from '../../../platform/db/connect/lives.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { distinctText } from '../../../platform/db/distinct.ts';
import { indexPart } from '../../../platform/db/index-part.ts';
import { notFound } from '../../../platform/errors.ts';
import { Timestamp } from '../../../platform/http/openapi/models.ts';
import { nullable } from '../../../platform/http/validation/index.ts';
import { isInactiveText } from '../../accounts/index.ts';
import { findChatappAccount, spendAllowanceText, takeAllowanceText } from '../../chatapp-accounts/index.ts';
import { type FirstLater, firstLaterText, leavingText, priorities, readyText, waitingOf } from '../../outbox/index.ts';
import { noteLeavingText } from '../receive/people.ts';

/** SQL of the senders' queues: what is due, who has claimed it, how it ended. */

export interface Sender {
  account_id: string;
  uuid: string;
  carrier: string;
}

export interface Claimed {
  uuid: string;
  type: string;
  from_digits: string;
  to_digits: string;
  message_data: Record<string, unknown>;
  context_data: { message_uuid?: string };
  chat_intro: string | null;
  campaign_log: string | null;
  attempts: number;
  /** When to stop trying; null until a first attempt was put off. */
  give_up_at: string | null;
}

export interface WaitingSender extends Sender {
  /** When the first of what waits is due. */
  due_at: string;
}

/** The rows of a sender at one priority of the queue. */
const queueOf = (accountId: string, sender: string, until: readonly ['<' | '<=', string]) =>
  indexPart({
    columns: ['account_id', 'chatapp_account', 'priority'],
    values: [accountId, sender, 'priorities.priority'],
    moment: 'due_at',
    until,
  });
const waitingQueue = queueOf('sender.account_id', 'sender.uuid', ['<', `'infinity'::timestamptz`]);
const dueQueue = queueOf('$1', '$2', ['<=', '$3']);

const findWaiting = prepared<WaitingSender | FirstLater>(
  'messages.find-waiting',
  `with recursive ${distinctText('waiting', { table: 'message_states', columns: ['account_id', 'chatapp_account'], condition: readyText })}
  select sender.account_id, sender.uuid, sender.carrier, greatest(first.due_at, 'epoch') as due_at
  from waiting
  -- Looked up one by one: a join would read all senders, and all accounts.
  cross join lateral (
    select account_id, uuid, carrier from chatapp_accounts
    where account_id = waiting.account_id and uuid = waiting.chatapp_account and not paused
      and not ${isInactiveText('chatapp_accounts.account_id')}
    limit 1) as sender
  cross join lateral (
    select min(head.due_at) as due_at from ${leavingText}
    cross join lateral (
      select due_at from message_states
      where ${waitingQueue.bounds} and ${readyText}
      order by ${waitingQueue.order} limit 1) as head) as first
  where first.due_at is not null
  union all ${firstLaterText('message_states', 3)}`,
  `select sender.account_id, sender.uuid, sender.carrier, greatest(min(state.due_at), 'epoch') as due_at
  from message_states as state
  join chatapp_accounts as sender on sender.account_id = state.account_id and sender.uuid = state.chatapp_account
  where ${waitingOf('state')} and state.ready and state.due_at < 'infinity' and state.priority <= ${priorities.campaign}
    and not sender.paused and not ${isInactiveText('sender.account_id')}
  group by sender.account_id, sender.uuid, sender.carrier
  union all ${firstLaterText('message_states', 3)}`,
);

/**
 * Senders that have something ready, and the moment at which the first row that is not ready is due. Each of these senders costs a
 * few looks into the index; other senders cost nothing.
 */
export const findWaitingAnyAccount = (db: Db): Promise<(WaitingSender | FirstLater)[]> => findWaiting(db, []);

const claimText = (isDue: string, open: string): string => `
  with allowance as materialized (${takeAllowanceText(open)}
  ), next as materialized (
    select head.uuid from ${leavingText}
    cross join lateral (
      select uuid from message_states
      where ${isDue} and ${readyText}
      order by ${dueQueue.order}, uuid limit $4
      for update skip locked) as head
    limit coalesce((select greatest(0, least($4::bigint, floor(available)::bigint)) from allowance), 0)
  ), spent as (${spendAllowanceText('select count(*) from next')}
  ), claimed as (
    update message_states set claimed_by = $5, claim = $6, claimed_at = now(), attempts = attempts + 1
    where account_id = $1 and uuid = any (array(select uuid from next))
    returning uuid, attempts, give_up_at
  ), leaving as materialized (
    select message.uuid, message.type, message.from_digits, message.to_digits, message.message_data,
      message.context_data, message.chat_intro, message.campaign_log, claimed.attempts, claimed.give_up_at
    from claimed join messages as message on message.account_id = $1 and message.uuid = claimed.uuid
  ), ${noteLeavingText('leaving')}
  select * from leaving order by uuid`;
const claimNext = prepared<Claimed>(
  'messages.claim',
  claimText(dueQueue.bounds, mayLeaveText),
  // Citus joins no table of the coordinator there.
  claimText(dueQueue.equations, 'true'),
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

/** How many messages of a sender wait to leave, counted up to `most`, and since when the first does. */
export async function readQueue(db: Db, accountId: string, chatappAccount: string, most: number) {
  const { rows } = await sql<{ depth: number; oldest: string | null }>`
    select count(*) as depth, min(created) as oldest from (
      select message.created from message_states as state
      join messages as message on message.account_id = state.account_id and message.uuid = state.uuid
      where state.account_id = ${accountId} and state.chatapp_account = ${chatappAccount} and state.status = 'QUEUED'
        and state.priority < ${priorities.paused}
      order by state.uuid limit ${most}) as waiting`.execute(db);
  return rows[0]!;
}

const mostCounted = 100_000;

export const SenderQueue = Type.Object(
  {
    depth: Type.Integer({ description: `Messages that wait to be handed over, counted up to ${mostCounted}.` }),
    oldest: nullable(Timestamp('When the first of them was accepted.')),
    messages_per_second: Type.Integer(),
    eta_seconds: Type.Number({ description: 'How long they take at this rate.' }),
    paused: Type.Boolean(),
  },
  { title: 'SenderQueue' },
);

/** What a sender has still to hand over, and how long that will take. */
export async function readSenderQueue({ db }: Deps, accountId: string, uuid: string) {
  const sender = await findChatappAccount(db, accountId, uuid);
  if (!sender) throw notFound();
  const { depth, oldest } = await readQueue(db, accountId, uuid, mostCounted);
  const { messages_per_second, paused } = sender;
  return { depth, oldest, messages_per_second, eta_seconds: depth / messages_per_second, paused };
}
