import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { ChatIntros } from '../../platform/db/types.ts';
import { readPhone } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import { referenceKey } from './match/keys.ts';
import type { IntroFields, StoredJson } from './schemas.ts';

export type IntroRow = Omit<Selectable<ChatIntros>, keyof StoredJson | 'reply_type' | 'notify_type' | 'link_code'> &
  StoredJson &
  Pick<IntroFields, 'reply_type' | 'notify_type' | 'link_code'>;

export type NewIntro = Omit<Insertable<ChatIntros>, 'account_id'>;

export const insertIntro = (db: Db, accountId: string, intro: NewIntro): Promise<IntroRow> =>
  db
    .insertInto('chat_intros')
    .values({ account_id: accountId, ...intro })
    .returningAll()
    .$castTo<IntroRow>()
    .executeTakeFirstOrThrow();

const live = (db: Db, accountId: string) =>
  db
    .selectFrom('chat_intros')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .$castTo<IntroRow>();

export const findIntro = (db: Db, accountId: string, uuid: string): Promise<IntroRow | undefined> =>
  live(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/** Intros that are not deleted, by id. */
export async function findIntros(db: Db, accountId: string, uuids: string[]): Promise<Map<string, IntroRow>> {
  if (uuids.length === 0) return new Map();
  const rows = await live(db, accountId).where('uuid', '=', sql<string>`any (${uuids}::uuid[])`).execute();
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Which of these intros are not deleted. */
export async function findLive(db: Db, accountId: string, uuids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('chat_intros')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '=', sql<string>`any (${uuids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.uuid));
}

/** Locks an intro until the transaction ends, so that of two changes at once neither undoes the other. */
export const lockIntro = (db: Db, accountId: string, uuid: string): Promise<IntroRow | undefined> =>
  live(db, accountId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();

export const updateIntro = (
  db: Db,
  accountId: string,
  uuid: string,
  columns: Omit<NewIntro, 'uuid' | 'shortcode'>,
): Promise<IntroRow> =>
  db
    .updateTable('chat_intros')
    .set({ ...columns, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .$castTo<IntroRow>()
    .executeTakeFirstOrThrow();

/** Marks an intro as deleted, and answers it; undefined when there is none of that id. */
export const markDeleted = (db: Db, accountId: string, uuid: string): Promise<IntroRow | undefined> =>
  db
    .updateTable('chat_intros')
    .set({ deleted_at: sql`now()`, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .returningAll()
    .$castTo<IntroRow>()
    .executeTakeFirst();

export interface IntroFilters extends PageQuery {
  chatapp_number?: string;
  reference_id?: string;
  q?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = {
  ids: ['uuid'],
  numbers: ['chatapp_digits'],
  indexed: { account: 'account_id', text: sql`coalesce(reference_id, '') || ' ' || shortcode` },
};

function filtered(db: Db, accountId: string, filters: IntroFilters, country: string) {
  let rows = live(db, accountId);
  if (filters.chatapp_number) rows = rows.where('chatapp_digits', '=', readPhone(filters.chatapp_number, country));
  if (filters.reference_id) {
    // The key has the index; the text itself is then compared exactly.
    rows = rows
      .where('reference_key', '=', referenceKey(filters.reference_id))
      .where('reference_id', '=', filters.reference_id);
  }
  if (filters.sought) rows = rows.where(isSought(filters.sought, soughtIn));
  if (filters.q) rows = rows.where(sql<boolean>`reference_key ^@ ${referenceKey(filters.q)}`);
  return rows;
}

export const listIntros = (db: Db, accountId: string, filters: IntroFilters, country: string) =>
  keysetPage(db, filtered(db, accountId, filters, country), filters);

/** All of them, a chunk at a time. */
export const readIntros = (db: Db, accountId: string, filters: IntroFilters, country: string) =>
  keysetChunks(filtered(db, accountId, filters, country), filters);

/** The newest intro of a sender with a reference. Until the transaction ends, others who look for the same reference wait. */
export async function lockByReference(
  db: Db,
  accountId: string,
  chatappAccount: string,
  reference: string,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${chatappAccount} reference ${reference}`}, 0))`.execute(
    db,
  );
  const row = await live(db, accountId)
    .where('reference_key', '=', referenceKey(reference))
    .where('reference_id', '=', reference)
    .where('chatapp_account', '=', chatappAccount)
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.uuid;
}

/** Whether an intro writes from a chat-app account; also one that was deleted, as its logs can still be read. */
export async function isSenderOfIntro(db: Db, accountId: string, chatappAccount: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from chat_intros where account_id = ${accountId} and chatapp_account = ${chatappAccount} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
