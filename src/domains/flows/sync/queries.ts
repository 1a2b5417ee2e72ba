import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { ChatappAccountRow } from '../../chatapp-accounts/index.ts';
import type { FlowRow } from '../queries.ts';

/** SQL of the comparison with the platform. */

/** A flow as it is to be here. */
export interface Synced {
  uuid: string;
  /** When it was last changed, as far as the comparison knows; null: it is new. */
  modified: string | null;
  flow_id: string | null;
  name: string;
  status: string;
  category: string;
  categories: string[];
  validation_errors: object[];
}

export const flowsOfSender = (db: Db, accountId: string, chatappAccount: string): Promise<FlowRow[]> =>
  db
    .selectFrom('flows')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .orderBy('uuid')
    .execute();

/** The chat-app accounts that the platform has a business account of, or the one asked for if it is among them. */
export async function findComparable(db: Db, accountId: string, only: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('chatapp_accounts')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('business_account_id', 'is not', null)
    .$if(only !== undefined, (some) => some.where('uuid', '=', only!))
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export const findComparableAnyAccount = (db: Db): Promise<{ accountId: string; uuid: string }[]> =>
  db
    .selectFrom('chatapp_accounts')
    .select(['account_id as accountId', 'uuid'])
    .where('business_account_id', 'is not', null)
    .execute();

/** Changes that were given up: their job tried for some minutes, and another may have more luck. */
export const findUnsubmittedAnyAccount = (db: Db): Promise<{ accountId: string; uuid: string }[]> =>
  db
    .selectFrom('flows')
    .select(['account_id as accountId', 'uuid'])
    .where(sql<boolean>`submitted < revision`)
    .where('modified', '<', sql<string>`now() - interval '30 minutes'`)
    .execute();

const columnsText = sql`uuid uuid, modified timestamptz, flow_id text, name text, status text, category text,
  categories text[], validation_errors json`;

/** Stores what changed of flows that nobody has touched since they were read; returns which those are. */
export async function updateSynced(db: Db, accountId: string, flows: Synced[]): Promise<Set<string>> {
  if (flows.length === 0) return new Set();
  const synced = sql`json_to_recordset(${JSON.stringify(flows)}::json) as synced (${columnsText})`;
  // Names are unique at every moment: those that change are given up before any is taken.
  await sql`
    update flows set name = case when flows.name = synced.name then flows.name else flows.uuid::text end,
      status = synced.status
    from ${synced}
    where account_id = ${accountId} and flows.uuid = synced.uuid and flows.modified = synced.modified`.execute(db);
  const { rows } = await sql<{ uuid: string }>`
    update flows set flow_id = synced.flow_id, name = synced.name, category = synced.category,
      categories = synced.categories, validation_errors = synced.validation_errors,
      is_described = is_described or submitted = revision, modified = now()
    from ${synced}
    where account_id = ${accountId} and flows.uuid = synced.uuid and flows.modified = synced.modified
    returning flows.uuid`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Flows that were made elsewhere. */
export async function insertSynced(db: Db, account: ChatappAccountRow, flows: Synced[]): Promise<void> {
  if (flows.length === 0) return;
  await sql`
    insert into flows (account_id, uuid, chatapp_account, chatapp_number, digits, name, status, category, categories,
      flow_id, is_described, validation_errors, submitted)
    select ${account.account_id}::uuid, uuid, ${account.uuid}::uuid, ${account.chatapp_number},
      ${account.digits}, name, status, category, categories, flow_id, true, validation_errors, 1
    from json_to_recordset(${JSON.stringify(flows)}::json) as synced (${columnsText})
    on conflict do nothing`.execute(db);
}
