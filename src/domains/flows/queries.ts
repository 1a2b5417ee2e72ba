import type { UpdateObject } from 'kysely';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage } from '../../platform/db/page.ts';
import type { DB, Flows } from '../../platform/db/types.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { isSought, type Sought, type SoughtIn } from '../directory/index.ts';
import type { FlowQuery } from './schemas.ts';

/** SQL of the flows, as the API reads and changes them. */

export type FlowRow = Selectable<Flows>;
export type NewFlow = Omit<Insertable<Flows>, 'account_id'>;

const flowsOf = (db: Db, accountId: string) => db.selectFrom('flows').selectAll().where('account_id', '=', accountId);

export const findFlow = (db: Db, accountId: string, uuid: string): Promise<FlowRow | undefined> =>
  flowsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/** Holds the flow until the transaction ends, so that two changes at once do not undo each other. */
export const lockFlow = (db: Db, accountId: string, uuid: string): Promise<FlowRow | undefined> =>
  flowsOf(db, accountId).where('uuid', '=', uuid).forNoKeyUpdate().executeTakeFirst();

const soughtIn: SoughtIn = {
  ids: ['uuid'],
  numbers: ['digits'],
  indexed: { account: 'account_id', text: sql`name` },
};

export function listFlows(db: Db, accountId: string, query: FlowQuery & { sought?: Sought | undefined }) {
  let rows = flowsOf(db, accountId);
  if (query.sought) rows = rows.where(isSought(query.sought, soughtIn));
  if (query.chatapp_number) rows = rows.where('digits', '=', phoneDigits(query.chatapp_number));
  if (query.status) rows = rows.where('status', '=', query.status);
  if (query.category) rows = rows.where('category', '=', query.category);
  // The index has lower(name), in the order of its bytes.
  if (query.name) {
    rows = rows.where('name', '=', query.name).where(sql<boolean>`lower(name) = lower(${query.name} collate "C")`);
  }
  if (query.q) {
    const begin = `${query.q.replace(/[\\%_]/g, '\\$&')}%`;
    rows = rows.where(sql<boolean>`lower(name) like lower(${begin} collate "C")`);
  }
  return keysetPage(db, rows, query, { uuid: 'uuid', created: 'created', orderings: { name: sql`lower(name)` } });
}

/** Who gives out a name of a chat-app account waits here for whoever does so already. */
export async function lockNames(db: Db, chatappAccount: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`flows ${chatappAccount}`}, 0))`.execute(db);
}

/** Whether a flow other than `uuid` has the name; a deprecated one has given it up. */
export async function isNameTaken(
  db: Db,
  accountId: string,
  { chatappAccount, name, uuid }: { chatappAccount: string; name: string; uuid?: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('flows')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .where('name', '=', name)
    .where('status', '<>', sql.lit('DEPRECATED'))
    .executeTakeFirst();
  return row !== undefined && row.uuid !== uuid;
}

/** Takes a draft in hand, so that nobody takes it to the platform meanwhile; undefined when it is none, or in other hands. */
export const claimDraft = (db: Db, accountId: string, uuid: string): Promise<FlowRow | undefined> =>
  db
    .updateTable('flows')
    .set({ claimed_until: sql<string>`now() + interval '5 minutes'` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'DRAFT')
    .where(sql<boolean>`(claimed_until is null or claimed_until not between now() and now() + interval '5 minutes')`)
    .returningAll()
    .executeTakeFirst();

export async function removeFlow(db: Db, accountId: string, uuid: string): Promise<void> {
  await db.deleteFrom('flows').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

export const insertFlow = (db: Db, accountId: string, flow: NewFlow): Promise<FlowRow> =>
  db
    .insertInto('flows')
    .values({ account_id: accountId, ...flow })
    .returningAll()
    .executeTakeFirstOrThrow();

export const updateFlow = (
  db: Db,
  accountId: string,
  uuid: string,
  columns: UpdateObject<DB, 'flows'>,
): Promise<FlowRow> =>
  db
    .updateTable('flows')
    .set({ ...columns, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
