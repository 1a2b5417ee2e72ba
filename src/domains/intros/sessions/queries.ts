import { type Selectable, sql } from 'kysely';
import { jsonArray } from '../../../platform/db/arrays.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { IntroSessions } from '../../../platform/db/types.ts';
import { readPhone } from '../../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../../directory/index.ts';
import type { IntroSnapshot } from '../fields.ts';
import type { SessionStatus } from './steps.ts';
import { tellMoved } from './timers/due.ts';

/** SQL of the sessions of intros. */

/** What placeholders are filled with, by where it came from. */
export interface Gathered {
  answers: Record<string, string>;
  given: Record<string, string>;
  told: Record<string, string>;
}

export type SessionRow = Omit<Selectable<IntroSessions>, 'intro' | 'variables' | 'status'> & {
  intro: IntroSnapshot;
  variables: Gathered;
  status: SessionStatus;
};

export interface NewSession {
  uuid: string;
  intro: IntroSnapshot;
  chatappAccount: string;
  number: string;
  digits: string;
  name: string;
  variables: Gathered;
  flowToken: string;
  at: Date;
}

/** Stores new sessions. A person who has an open session with that intro keeps it, and is not in the answer. */
export async function insertSessions(db: Db, accountId: string, sessions: NewSession[]): Promise<SessionRow[]> {
  const sorted = sessions.toSorted((a, b) => (a.intro.uuid + a.digits < b.intro.uuid + b.digits ? -1 : 1));
  const { rows } = await sql<SessionRow>`
    insert into intro_sessions (account_id, uuid, chat_intro, chatapp_account, aparty_number, aparty_digits, aparty_name,
      status, intro, variables, flow_token, started_at, last_activity_at)
    select ${accountId}, uuid, chat_intro, chatapp_account, number, digits, name, 'STARTED', intro, variables, flow_token, at, at
    from unnest(
      ${sorted.map((one) => one.uuid)}::uuid[], ${sorted.map((one) => one.intro.uuid)}::uuid[],
      ${sorted.map((one) => one.chatappAccount)}::uuid[], ${sorted.map((one) => one.number)}::text[],
      ${sorted.map((one) => one.digits)}::text[], ${sorted.map((one) => one.name)}::text[],
      ${jsonArray(sorted.map((one) => one.intro))}::json[], ${jsonArray(sorted.map((one) => one.variables))}::json[],
      ${sorted.map((one) => one.flowToken)}::text[], ${sorted.map((one) => one.at.toISOString())}::timestamptz[]
    ) as s (uuid, chat_intro, chatapp_account, number, digits, name, intro, variables, flow_token, at)
    on conflict (account_id, chat_intro, aparty_digits) where open do nothing
    returning *`.execute(db);
  return rows;
}

/** Locks the open sessions of these people with these intros until the transaction ends. */
export async function lockOpen(db: Db, accountId: string, wanted: { chatIntro: string; digits: string }[]) {
  if (wanted.length === 0) return [];
  const { rows } = await sql<SessionRow>`
    select session.* from intro_sessions as session
    where account_id = ${accountId} and open and (chat_intro, aparty_digits) in (select * from unnest(
      ${wanted.map((one) => one.chatIntro)}::uuid[], ${wanted.map((one) => one.digits)}::text[]))
    order by uuid for update`.execute(db);
  return rows;
}

/** Locks sessions by id until the transaction ends. */
export async function lockSessions(db: Db, accountId: string, uuids: string[]): Promise<SessionRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('intro_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', sql<string>`any (${uuids}::uuid[])`)
    .orderBy('uuid')
    .forUpdate()
    .$castTo<SessionRow>()
    .execute();
}

export const findSession = (db: Db, accountId: string, uuid: string): Promise<SessionRow | undefined> =>
  db
    .selectFrom('intro_sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .$castTo<SessionRow>()
    .executeTakeFirst();

export interface SessionFilters extends PageQuery {
  chat_intro?: string;
  aparty_number?: string;
  open?: boolean;
  step?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['uuid', 'chat_intro'], numbers: ['aparty_digits'] };

/** When a session took each step. */
const stepTimes: Record<string, 'started_at' | 'replied_at' | 'notified_at' | 'connected_at'> = {
  STARTED: 'started_at',
  REPLIED: 'replied_at',
  NOTIFIED: 'notified_at',
  CONNECTED: 'connected_at',
};

function filtered(db: Db, accountId: string, filters: SessionFilters, country: string) {
  const { chat_intro, aparty_number, open, step } = filters;
  let rows = db.selectFrom('intro_sessions').selectAll().where('account_id', '=', accountId).$castTo<SessionRow>();
  if (filters.sought) rows = rows.where(isSought(filters.sought, soughtIn));
  if (chat_intro) rows = rows.where('chat_intro', '=', chat_intro);
  if (aparty_number) rows = rows.where('aparty_digits', '=', readPhone(aparty_number, country));
  if (open !== undefined) rows = rows.where('open', '=', open);
  if (step && step in stepTimes) rows = rows.where(stepTimes[step]!, 'is not', null);
  return rows;
}

export const listSessions = (db: Db, accountId: string, filters: SessionFilters, country: string) =>
  keysetPage(db, filtered(db, accountId, filters, country), filters);

/** All of them, a chunk at a time. */
export const readSessions = (db: Db, accountId: string, filters: SessionFilters, country: string) =>
  keysetChunks(filtered(db, accountId, filters, country), filters);

/** Stores sessions as they stand now. The caller has locked them. */
export async function updateSessions(db: Db, accountId: string, sessions: SessionRow[]): Promise<void> {
  if (sessions.length === 0) return;
  const column = <K extends keyof SessionRow>(name: K) => sessions.map((session) => session[name]);
  await sql`
    update intro_sessions as session set status = now.status, open = now.open, variables = now.variables,
      bparty_shortcode = now.bparty_shortcode, aparty_shortcode = now.aparty_shortcode, reply_message = now.reply_message,
      notify_message = now.notify_message, aparty_message = now.aparty_message, replied_at = now.replied_at,
      notified_at = now.notified_at, last_activity_at = now.last_activity_at, notify_due_at = now.notify_due_at,
      repeated_at = now.repeated_at, repeat_message = now.repeat_message, chain_step = now.chain_step,
      notify_failed_at = now.notify_failed_at, reminded_at = now.reminded_at, reacted_at = now.reacted_at,
      modified = now()
    from unnest(
      ${column('uuid')}::uuid[], ${column('status')}::text[], ${column('open')}::boolean[],
      ${jsonArray(column('variables'))}::json[], ${column('bparty_shortcode')}::text[], ${column('aparty_shortcode')}::text[],
      ${column('reply_message')}::uuid[], ${column('notify_message')}::uuid[], ${column('aparty_message')}::uuid[],
      ${column('replied_at')}::timestamptz[], ${column('notified_at')}::timestamptz[],
      ${column('last_activity_at')}::timestamptz[], ${column('notify_due_at')}::timestamptz[],
      ${column('repeated_at')}::timestamptz[], ${column('repeat_message')}::uuid[], ${column('chain_step')}::smallint[],
      ${column('notify_failed_at')}::timestamptz[], ${column('reminded_at')}::timestamptz[],
      ${column('reacted_at')}::timestamptz[]
    ) as now (uuid, status, open, variables, bparty_shortcode, aparty_shortcode, reply_message, notify_message,
      aparty_message, replied_at, notified_at, last_activity_at, notify_due_at, repeated_at, repeat_message, chain_step,
      notify_failed_at, reminded_at, reacted_at)
    where session.account_id = ${accountId} and session.uuid = now.uuid`.execute(db);
  if (sessions.some(({ notify_due_at }) => notify_due_at !== null)) await tellMoved(db, accountId);
}

/** Locks sessions of a sender whose notification is due; other processes take others. */
export async function lockDue(db: Db, accountId: string, chatappAccount: string, now: Date, most: number) {
  const { rows } = await sql<SessionRow>`
    select * from intro_sessions
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and notify_due_at <= ${now.toISOString()}
    order by notify_due_at limit ${most}
    for update skip locked`.execute(db);
  return rows;
}

/** Gives up the notification of the session that has been due longest; answers which session that is. */
export async function forgetFirstDue(db: Db, accountId: string, chatappAccount: string, now: Date) {
  const { rows } = await sql<{ uuid: string }>`
    update intro_sessions set notify_due_at = null, modified = now()
    where account_id = ${accountId} and uuid = (
      select uuid from intro_sessions
      where account_id = ${accountId} and chatapp_account = ${chatappAccount} and notify_due_at <= ${now.toISOString()}
      order by notify_due_at limit 1 for update skip locked)
    returning uuid`.execute(db);
  return rows[0]?.uuid;
}

/** Closes sessions in which nothing has happened since a moment; answers those that end without having been connected. */
export async function closeQuiet(db: Db, accountId: string, chatappAccount: string, since: Date, most: number) {
  const { rows } = await sql<SessionRow>`
    update intro_sessions set open = false, notify_due_at = null, modified = now(),
      status = case when status = 'CONNECTED' then status else 'EXPIRED' end
    where account_id = ${accountId} and uuid in (
      select uuid from intro_sessions
      where account_id = ${accountId} and chatapp_account = ${chatappAccount} and open
        and last_activity_at < ${since.toISOString()}
      order by last_activity_at limit ${most}
      for update skip locked)
    returning *`.execute(db);
  return rows;
}
