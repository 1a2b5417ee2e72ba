import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../../directory/index.ts';
import { eventsOfType } from '../../timeline/index.ts';
import type { SessionStatus } from '../sessions/steps.ts';

export interface LogRow {
  uuid: string;
  subject: string;
  kind: string;
  data: { session?: string | null; aparty_number?: string; status?: string };
  at: string;
}

export interface LogFilters extends PageQuery {
  chat_intro?: string;
  session?: string;
  event?: string;
  aparty_number?: string;
  sought?: Sought | undefined;
}
export interface StatusLogFilters extends Omit<LogFilters, 'event'> {
  status?: SessionStatus;
}

const columns = { uuid: 'uuid', created: 'at' };

const soughtIn: SoughtIn = { ids: ['uuid', 'subject', sql`data ->> 'session'`], numbers: [sql`data ->> 'digits'`] };

export function logs(db: Db, accountId: string, { chat_intro, session, event, aparty_number, sought }: LogFilters) {
  let rows = eventsOfType(db, accountId, 'chat_intro').$castTo<LogRow>();
  if (sought) rows = rows.where(isSought(sought, soughtIn));
  if (chat_intro) rows = rows.where('subject', '=', chat_intro);
  // Kept as text, and so compared as it is written: in small letters.
  if (session) rows = rows.where(sql`data ->> 'session'`, '=', session.toLowerCase());
  if (event) rows = rows.where('kind', '=', event);
  if (aparty_number) rows = rows.where(sql`data ->> 'digits'`, '=', phoneDigits(aparty_number));
  return rows;
}

export function statusLogs(db: Db, accountId: string, { status, ...filters }: StatusLogFilters) {
  const rows = logs(db, accountId, filters).where(sql<boolean>`data ->> 'status' is not null`);
  if (!status) return rows;
  // A state is reached by the event of its name, and the event has the index.
  return rows.where('kind', '=', `chat_intro.${status.toLowerCase()}`).where(sql`data ->> 'status'`, '=', status);
}

export const listLogs = (db: Db, accountId: string, filters: LogFilters) =>
  keysetPage(db, logs(db, accountId, filters), filters, columns);

export const listStatusLogs = (db: Db, accountId: string, filters: StatusLogFilters) =>
  keysetPage(db, statusLogs(db, accountId, filters), filters, columns);

/** All of them, a chunk at a time. */
export const readLogs = (db: Db, accountId: string, filters: LogFilters) =>
  keysetChunks(logs(db, accountId, filters), filters, columns);

export const readStatusLogs = (db: Db, accountId: string, filters: StatusLogFilters) =>
  keysetChunks(statusLogs(db, accountId, filters), filters, columns);

/** Whether there is, or was, an intro of that id. */
export async function introExisted(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('chat_intros')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row !== undefined;
}
