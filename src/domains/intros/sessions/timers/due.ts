import { sql } from 'kysely';
import { notify } from '../../../../platform/db/connect/listener.ts';
import { type Db, prepared } from '../../../../platform/db/connect/pool.ts';
import { isInactiveText } from '../../../accounts/index.ts';
import { quietMs } from '../steps.ts';

/** SQL of sessions in which something is due: the next notification, or the end of those that were quiet for too long. */

/** A sender some of whose sessions wait for a moment: the first notification, and the longest silence. */
export interface WaitingSender {
  account_id: string;
  uuid: string;
  carrier: string;
  notify_due_at: string | null;
  quiet_since: string | null;
}

/** The moment of a session, and the sessions that have it, as the indexes by the hour name them. */
const kinds = {
  notifying: { moment: 'notify_due_at', has: 'notify_due_at is not null' },
  quiet: { moment: 'last_activity_at', has: 'open' },
} as const;
type Kind = keyof typeof kinds;

const hourText = (moment: string): string => `date_bin('1 hour', ${moment}, 'epoch')`;

/** SQL text: whether the moment has come. The hour is named as well, since that is what the index begins with. */
function isDueText(kind: Kind, until: string, table = ''): string {
  const moment = `${table}${kinds[kind].moment}`;
  return `${table}${kinds[kind].has} and ${hourText(moment)} <= ${hourText(until)} and ${moment} <= ${until}`;
}

/**
 * SQL text of a recursive CTE of the senders that have something due. Within each hour it goes from sender to sender: it costs as much as
 * there are senders with something due, however many of their sessions it is, and whatever others wait for.
 */
function dueSendersText(kind: Kind, until: string): string {
  const place = `${hourText(kinds[kind].moment)}, account_id, chatapp_account`;
  const last = ['hour', 'account_id', 'chatapp_account'].map((column) => `${kind}.${column}`).join(', ');
  const first = (more: string) => `select ${hourText(kinds[kind].moment)} as hour, account_id, chatapp_account
    from intro_sessions where ${isDueText(kind, until)}${more} order by ${place} limit 1`;
  return `${kind} as (
    (${first('')})
    union all
    select next.* from ${kind} cross join lateral (${first(` and (${place}) > (${last})`)}) as next
  )`;
}

/** SQL texts of the first moment of each kind, for a sender that the statement has as `sender`. */
const firstMomentsText = (['notifying', 'quiet'] as const)
  .map(
    (kind) => `left join lateral (
    select ${kinds[kind].moment} from intro_sessions
    where account_id = sender.account_id and chatapp_account = sender.uuid and ${kinds[kind].has}
    order by ${kinds[kind].moment} limit 1) as ${kind} on true`,
  )
  .join('\n  ');

const [now, quietSince] = ['$1::timestamptz', '$2::timestamptz'];

const findDue = prepared<WaitingSender>(
  'intros.find-due',
  `with recursive ${dueSendersText('notifying', now)}, ${dueSendersText('quiet', quietSince)}
  select sender.account_id, sender.uuid, sender.carrier, notifying.notify_due_at, quiet.last_activity_at as quiet_since
  from (
    select account_id, chatapp_account from notifying union select account_id, chatapp_account from quiet) as due
  -- Looked up one by one: a join would read all senders, and all accounts.
  cross join lateral (
    select account_id, uuid, carrier from chatapp_accounts
    where account_id = due.account_id and uuid = due.chatapp_account and not ${isInactiveText('chatapp_accounts.account_id')}
      and not exists (select 1 from sandbox_clocks as clock where clock.account_id = due.account_id)
    limit 1) as sender
  ${firstMomentsText}`,
  `select sender.account_id, sender.uuid, sender.carrier, min(session.notify_due_at) as notify_due_at,
    min(session.last_activity_at) filter (where session.open) as quiet_since
  from intro_sessions as session
  join chatapp_accounts as sender on sender.account_id = session.account_id and sender.uuid = session.chatapp_account
  left join sandbox_clocks as clock on clock.account_id = session.account_id
  where (${isDueText('notifying', now, 'session.')} or ${isDueText('quiet', quietSince, 'session.')})
    and clock.account_id is null and not ${isInactiveText('sender.account_id')}
  group by sender.account_id, sender.uuid, sender.carrier`,
);

/** Senders with sessions in which something is due by the real time. Those of accounts that moved their clocks are not among them. */
export const findDueAnyAccount = (db: Db, at: Date): Promise<WaitingSender[]> =>
  findDue(db, [at.toISOString(), new Date(at.getTime() - quietMs).toISOString()]);

/** SQL text: whether there are any. What belongs to an inactive account, and what has a clock of its own, may be among them. */
export const isDueNowText = [
  isDueText('notifying', 'now()'),
  isDueText('quiet', `(now() - interval '${quietMs / 1000} seconds')`),
]
  .map((condition) => `exists (select 1 from intro_sessions where ${condition})`)
  .join('\n  or ');

/** A sender of an account that moved its sandbox clock, whether something waits there or not; without one, the account alone. */
export type MovedSender = { account_id: string; speed: number; is_inactive: boolean } & (
  | WaitingSender
  | { uuid: null; carrier: null; notify_due_at: null; quiet_since: null }
);

const movedText = (from: string, moments: string, group = '') => `
  select clock.account_id, clock.speed, tenant.status <> 'ACTIVE' as is_inactive, sender.uuid, sender.carrier, ${moments}
  from sandbox_clocks as clock
  join accounts as tenant on tenant.uuid = clock.account_id
  left join chatapp_accounts as sender on sender.account_id = clock.account_id
  ${from}
  where clock.account_id = any ($1)${group}`;

const findMoved = prepared<MovedSender>(
  'intros.find-moved',
  movedText(firstMomentsText, 'notifying.notify_due_at, quiet.last_activity_at as quiet_since'),
  movedText(
    `left join intro_sessions as session on session.account_id = sender.account_id and session.chatapp_account = sender.uuid
      and (session.notify_due_at is not null or session.open)`,
    'min(session.notify_due_at) as notify_due_at, min(session.last_activity_at) filter (where session.open) as quiet_since',
    '\n  group by clock.account_id, clock.speed, tenant.status, sender.uuid, sender.carrier',
  ),
);

/** The senders of those of some accounts that have moved their sandbox clocks. */
export const findMovedAnyAccount = (db: Db, accountIds: string[]): Promise<MovedSender[]> =>
  findMoved(db, [accountIds]);

/** The accounts that have moved their sandbox clocks. */
export const listMovedAnyAccount = (db: Db) => db.selectFrom('sandbox_clocks').select('account_id').execute();

/** By which processes are told of an account with a clock of its own that something of it may be due soon. The detail is the account. */
export const dueTopic = 'intros-due';

/** Tells of an account, if it has a clock of its own: the others are found by the real time. */
export async function tellMoved(db: Db, accountId: string): Promise<void> {
  const { rows } = await sql`select 1 from sandbox_clocks where account_id = ${accountId}`.execute(db);
  if (rows.length > 0) await notify(db, dueTopic, accountId);
}
