import { sql } from 'kysely';
import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { CarrierFlow } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { ValidationError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  type ChatappAccountRow,
  findChatappAccount,
  resolveSenders,
  senderOf,
  whyNoSender,
} from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { type FlowRow, lockNames } from './queries.ts';
import { categoryOf, isFlowStatus, subjectType } from './schemas.ts';
import type { FlowPayload } from './submit.ts';

export const syncTask = 'flows.sync';

/** Starts the comparison of one chat-app account, or of all; returns of how many. */
export async function startSync(deps: Deps, accountId: string, chatappNumber: string | undefined): Promise<number> {
  const uses = chatappNumber === undefined ? [] : [{ accountId, chatappNumber }];
  const [sender] = await resolveSenders(deps, uses);
  if (uses.length > 0 && !sender) {
    throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatappNumber!)] });
  }
  const uuids = await findComparable(deps.db, accountId, sender?.uuid);
  const payloads = uuids.map((uuid): FlowPayload => ({ accountId, uuid }));
  if (payloads.length > 0) await deps.queue.enqueue(deps.db, syncTask, payloads);
  return uuids.length;
}

/**
 * Compares the flows of a chat-app account with the platform's, which is right wherever they differ. What changes here while
 * the platform answers is left alone until the next time: the answer may be older.
 */
export async function syncFlows(deps: Deps, { accountId, uuid }: FlowPayload): Promise<void> {
  const account = await findChatappAccount(deps.db, accountId, uuid);
  if (!account) return;
  const before = await flowsOfSender(deps.db, accountId, uuid);
  const theirs = await listOf(deps, account);
  if (theirs === null) return;
  const { changed, added } = compare(before, theirs);
  await inTransaction(deps.db, async (db) => {
    await lockNames(db, uuid);
    const stored = await updateSynced(db, accountId, changed);
    await insertSynced(db, account, added);
    const moved = changed.filter((flow) => stored.has(flow.uuid) && flow.status !== flow.before.status);
    await appendEvents(
      db,
      moved.map(({ uuid: subject, status }) => ({
        accountId,
        subjectType,
        subject,
        kind: 'flow.status',
        data: { status },
      })),
    );
  });
}

/** The platform's flows; null also when it refuses for good, which only new settings of the account can change. */
async function listOf(deps: Deps, account: ChatappAccountRow): Promise<CarrierFlow[] | null> {
  try {
    return await deps.carriers.get(account.carrier, 'chat').chat.flows.list(senderOf(deps, account));
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
    deps.log.warn({ chatappAccount: account.uuid, code: error.code }, `Flows were not listed: ${error.message}`);
    return null;
  }
}

type Changed = Synced & { before: FlowRow };

const isOnItsWay = ({ submitted, revision }: FlowRow): boolean => submitted < revision;

/**
 * What differs. Ours are recognised by the platform's id or, while its answer is not known, by the name under which their
 * creation was begun.
 */
export function compare(before: FlowRow[], theirs: CarrierFlow[]): { changed: Changed[]; added: Synced[] } {
  const byId = new Map(before.filter((row) => row.flow_id !== null).map((row) => [row.flow_id, row]));
  const byName = new Map(before.filter((row) => row.flow_id === null).map((row) => [row.begun_as, row]));
  const pairs = theirs
    .filter(({ status }) => isFlowStatus(status))
    .map((flow) => ({ flow, row: byId.get(flow.id) ?? byName.get(flow.name) }));
  const matched = new Set(pairs.map(({ row }) => row));
  const isGone = (row: FlowRow) => row.flow_id !== null && !matched.has(row);
  const living = before.filter(({ status }) => status !== 'DEPRECATED');
  // Names that we do not give up: nobody else can get them.
  const taken = new Set(
    living.filter((row) => !isGone(row) && (!matched.has(row) || isOnItsWay(row))).map(({ name }) => name),
  );
  const changed = pairs.flatMap(({ flow, row }) => {
    if (!row) return [];
    if (!taken.has(flow.name)) return [{ ...syncedOf(flow, row), before: row }];
    return row.status === 'DEPRECATED' ? [] : [{ ...syncedOf(flow, row), before: row, name: row.name }];
  });
  const gone = living.filter(isGone).map((row) => ({ ...asItIs(row), before: row, status: 'DEPRECATED' }));
  return {
    changed: [...gone, ...changed.filter(differs)],
    added: pairs.flatMap(({ flow, row }) => (row || taken.has(flow.name) ? [] : [syncedOf(flow)])),
  };
}

const asItIs = (row: FlowRow): Synced => ({
  uuid: row.uuid,
  modified: row.modified,
  flow_id: row.flow_id,
  name: row.name,
  status: row.status,
  category: row.category,
  categories: row.categories,
  validation_errors: row.validation_errors as object[],
});

/** What the platform says; a change of ours that is still on its way there is not undone. */
function syncedOf(flow: CarrierFlow, row?: FlowRow): Synced {
  const described = { name: flow.name, category: categoryOf(flow.categories), categories: flow.categories };
  const { name, category, categories } = row && isOnItsWay(row) ? row : described;
  return {
    uuid: row?.uuid ?? newId(),
    modified: row?.modified ?? null,
    flow_id: flow.id,
    name,
    status: flow.status,
    category,
    categories,
    validation_errors: flow.validationErrors,
  };
}

const differs = ({ before, ...flow }: Changed): boolean => JSON.stringify(flow) !== JSON.stringify(asItIs(before));

/** SQL of the comparison with the platform. */

/** A flow as it is to be here. */
interface Synced {
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

const flowsOfSender = (db: Db, accountId: string, chatappAccount: string): Promise<FlowRow[]> =>
  db
    .selectFrom('flows')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .orderBy('uuid')
    .execute();

/** The chat-app accounts that the platform has a business account of, or the one asked for if it is among them. */
async function findComparable(db: Db, accountId: string, only: string | undefined): Promise<string[]> {
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
async function updateSynced(db: Db, accountId: string, flows: Synced[]): Promise<Set<string>> {
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
async function insertSynced(db: Db, account: ChatappAccountRow, flows: Synced[]): Promise<void> {
  if (flows.length === 0) return;
  await sql`
    insert into flows (account_id, uuid, chatapp_account, chatapp_number, digits, name, status, category, categories,
      flow_id, is_described, validation_errors, submitted)
    select ${account.account_id}::uuid, uuid, ${account.uuid}::uuid, ${account.chatapp_number},
      ${account.digits}, name, status, category, categories, flow_id, true, validation_errors, 1
    from json_to_recordset(${JSON.stringify(flows)}::json) as synced (${columnsText})
    on conflict do nothing`.execute(db);
}
