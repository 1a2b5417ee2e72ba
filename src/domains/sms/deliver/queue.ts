import { type RawBuilder, sql } from 'kysely';
import { mayLeaveText } from '../../../platform/db/connect/lives.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { distinctText } from '../../../platform/db/distinct.ts';
import { perAccount } from '../../../platform/db/distribute/layout.ts';
import { indexPart } from '../../../platform/db/index-part.ts';
import { spendAllowanceText, takeAllowanceText } from '../../../platform/db/rate.ts';
import { isInactiveText } from '../../accounts/index.ts';
import {
  type FirstLater,
  firstLaterText,
  leavingText,
  priorities,
  readyText,
  recentText,
  waitingOf,
} from '../../outbox/index.ts';
import { claimText } from './states.ts';

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
  from_digits: string;
  to_digits: string;
  text: string;
  encoding: string;
  segments: number;
  priority: number;
  attempts: number;
  /** When to stop trying; null until a first attempt was put off. */
  give_up_at: string | null;
  expires_at: string | null;
  callback_url: string | null;
  campaign_log: string | null;
}

/** The rows of an account at one priority of the queue. */
const queueOf = (accountId: string, until: readonly ['<' | '<=', string]) =>
  indexPart({
    columns: ['account_id', 'priority'],
    values: [accountId, 'priorities.priority'],
    moment: 'due_at',
    until,
  });
const waitingQueue = queueOf('waiting.account_id', ['<', `'infinity'::timestamptz`]);
const dueQueue = queueOf('$1', ['<=', '$3']);

const findWaiting = prepared<WaitingLink | FirstLater>(
  'sms.find-waiting',
  `with recursive ${distinctText('waiting', { table: 'sms_states', columns: ['account_id'], condition: readyText })}
  select link.account_id, link.uuid, link.carrier, link.weight, greatest(first.due_at, 'epoch') as due_at
  from waiting
  cross join lateral (
    select min(head.due_at) as due_at from ${leavingText}
    cross join lateral (
      select due_at from sms_states
      where ${waitingQueue.bounds} and ${readyText}
      order by ${waitingQueue.order} limit 1) as head) as first
  -- Looked up account by account: a join would read all links, and all accounts.
  cross join lateral (
    select * from sms_links
    where account_id = waiting.account_id and enabled and not ${isInactiveText('sms_links.account_id')}
    offset 0) as link
  where first.due_at is not null
  union all ${firstLaterText('sms_states', 4)}`,
  `select link.account_id, link.uuid, link.carrier, link.weight, greatest(min(state.due_at), 'epoch') as due_at
  from sms_states as state join sms_links as link on link.account_id = state.account_id
  where ${waitingOf('state')} and state.ready and state.due_at < 'infinity' and state.priority <= ${priorities.campaign}
    and link.enabled and not ${isInactiveText('link.account_id')}
  group by link.account_id, link.uuid, link.carrier, link.weight
  union all ${firstLaterText('sms_states', 4)}`,
);

/**
 * Links of accounts that have something ready, and the moment at which the first row that is not ready is due. Each of these
 * accounts costs a few looks into the index; other accounts cost nothing.
 */
export const findWaitingAnyAccount = (db: Db): Promise<(WaitingLink | FirstLater)[]> => findWaiting(db, []);

const nextText = (isDue: string, open: string): string => `
  with allowance as materialized (${takeAllowanceText('sms_links', `enabled and not ${isInactiveText('$1')} and ${open}`)}
  ), most as materialized (
    select coalesce((select greatest(0, least($4::bigint, floor(available)::bigint)) from allowance), 0) as count
  ), heads as materialized (
    select head.* from ${leavingText}
    cross join lateral (
      select uuid, priority, due_at, attempts, give_up_at, expires_at, callback_url, campaign_log
      from sms_states
      where ${isDue} and ${readyText}
      order by ${dueQueue.order}, uuid limit (select count from most)
      for update skip locked) as head
    limit (select count from most)
  ), sized as (
    select heads.*, sms.*, sum(segments) over (order by priority, due_at, uuid) - segments as before
    -- With a limit, so that each is looked up: a join would be planned for the few rows that a young partition had. In an array,
    -- so that no partition is chosen by it: PostgreSQL 18.4 breaks down there.
    from heads cross join lateral (
      select from_number, to_number, from_digits, to_digits, text, encoding, segments from sms
      where account_id = $1 and uuid = any (array_fill(heads.uuid, array[1])) and ${recentText} limit 1) as sms
  ), next as materialized (
    -- What leaves are parts: the first message always, others while the allowance lasts.
    select * from sized where before < (select floor(available) from allowance)
  ), spent as (${spendAllowanceText('sms_links', 'select coalesce(sum(segments), 0) from next')}
  ), claimed as (
    -- All of them, for they are locked: what this would return is known.
    ${claimText}
  )
  select uuid, from_number, to_number, from_digits, to_digits, text, encoding, segments, priority, attempts + 1 as attempts,
    give_up_at, expires_at, callback_url, campaign_log
  from next order by uuid`;
const claimNext = prepared<Claimed>(
  'sms.claim',
  nextText(dueQueue.bounds, mayLeaveText),
  // Citus joins no table of the coordinator there.
  nextText(dueQueue.equations, 'true'),
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

/**
 * SMS that still wait although they have expired; and SMS that have waited for a receipt for longer than SMS centres keep messages.
 */
const expiredText = `status = 'QUEUED' and expires_at < now() and claimed_by is null and due_at < 'infinity'`;
const forgottenText = `status = 'QUEUED' and due_at = 'infinity' and claimed_by is null and modified < now() - interval '3 days'`;

/** SQL text: whether there is something of either kind. */
export const hasHopelessText = `exists (select 1 from sms_states where ${expiredText})
  or exists (select 1 from sms_states where ${forgottenText})`;

export interface Hopeless {
  account_id: string;
  uuid: string;
}

/** Locks those that have expired, and those whose receipt will not come. */
export const lockExpiredAnyAccount = (db: Db, most: number): Promise<Hopeless[]> =>
  lockHopelessAnyAccount(db, sql.raw(expiredText), most);
export const lockForgottenAnyAccount = (db: Db, most: number): Promise<Hopeless[]> =>
  lockHopelessAnyAccount(db, sql.raw(forgottenText), most);

const lockHopelessAnyAccount = (db: Db, condition: RawBuilder<unknown>, most: number): Promise<Hopeless[]> =>
  perAccount(db, sql`select account_id from sms_states where ${condition}`, async (ofAccount) => {
    const { rows } = await sql<Hopeless>`
      select account_id, uuid from sms_states where ${condition} and ${ofAccount('account_id')}
      limit ${most} for update skip locked`.execute(db);
    return rows;
  });
