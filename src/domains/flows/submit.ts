import { sql } from 'kysely';
import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { CarrierFlow, CarrierFlows, Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { findChatappAccount, senderOf } from '../chatapp-accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { submitTask } from './change.ts';
import { type FlowRow, updateFlow } from './queries.ts';
import { categoryOf, isBefore, isFlowStatus, subjectType } from './schemas.ts';

export interface FlowPayload {
  accountId: string;
  uuid: string;
}

/** How soon to look again at a flow that another worker has in hand. */
const busyPauseMs = 5000;

/** The flow and its place on the platform. */
interface Work {
  flows: CarrierFlows;
  sender: Sender;
  row: FlowRow;
}

/**
 * Takes to the platform what has changed about a flow since the last time. Run twice, or after an answer was lost, it goes on
 * from where the flow is. A refusal that later tries may overcome is thrown, for the queue to try again.
 */
export async function submitFlow(deps: Deps, payload: FlowPayload): Promise<void> {
  const { accountId, uuid } = payload;
  const row = await claimFlow(deps.db, accountId, uuid);
  if (!row) {
    if (await isSubmitted(deps.db, accountId, uuid)) return;
    const startAfter = new Date(deps.clock.now().getTime() + busyPauseMs);
    return deps.queue.enqueue(deps.db, submitTask, [payload], { startAfter });
  }
  try {
    await carryOut(deps, row);
    await finishFlow(deps.db, row, '');
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) {
      await releaseFlow(deps.db, row);
      throw error;
    }
    await finishFlow(deps.db, row, `${error.message} (code ${error.code})`);
  }
}

async function carryOut(deps: Deps, row: FlowRow): Promise<void> {
  const account = await findChatappAccount(deps.db, row.account_id, row.chatapp_account);
  if (!account) return;
  const work: Work = {
    flows: deps.carriers.get(account.carrier, 'chat').chat.flows,
    sender: senderOf(deps, account),
    row,
  };
  if (row.flow_id === null) work.row = await storeCarrierFlow(deps.db, row, await createOrRecognise(deps, work));
  if (!work.row.is_described) {
    const { name, categories } = work.row;
    await work.flows.update(work.sender, work.row.flow_id!, { name, categories });
    await storeDescribed(deps.db, work.row);
  }
  if (!work.row.is_drawn) {
    const errors = await work.flows.draw(work.sender, work.row.flow_id!, work.row.definition as object);
    await storeDrawn(deps.db, work.row, errors);
  }
  await moveOn(deps, work);
}

/** After a lost answer the flow may be there already, under the name with which its creation was begun. */
async function createOrRecognise({ db }: Deps, { flows, sender, row }: Work): Promise<CarrierFlow> {
  if (row.begun_as !== null) {
    const found = (await flows.list(sender))?.find(({ name }) => name === row.begun_as);
    if (found) return found;
  }
  await beginCreation(db, row);
  const { name, categories, definition } = row;
  return flows.create(sender, { name, categories, definition: definition as object | null });
}

/** Step by step to the state that is wanted. */
async function moveOn({ db }: Deps, { flows, sender, row }: Work): Promise<void> {
  const { flow_id: id, wanted_status: wanted } = row;
  let { status } = row;
  while (wanted !== null && isBefore(status, wanted)) {
    const next = status === 'DRAFT' ? 'PUBLISHED' : 'DEPRECATED';
    try {
      await (next === 'PUBLISHED' ? flows.publish(sender, id!) : flows.deprecate(sender, id!));
    } catch (error) {
      if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
      // It may be there since an earlier try, whose answer was lost.
      const now = (await flows.list(sender))?.find((flow) => flow.id === id);
      if (!now || isBefore(now.status, next)) throw error;
    }
    status = next;
    await storeStatus(db, row, status);
  }
}

/** SQL of the flows while a worker takes their changes to the platform. */

/** Takes a flow in hand that has changes to carry out; undefined when it has none, or somebody else has it in hand. */
async function claimFlow(db: Db, accountId: string, uuid: string): Promise<FlowRow | undefined> {
  const { rows } = await sql<FlowRow>`
    update flows set claimed_until = now() + interval '5 minutes'
    where account_id = ${accountId} and uuid = ${uuid} and submitted < revision
      and (claimed_until is null or claimed_until not between now() and now() + interval '5 minutes')
    returning *`.execute(db);
  return rows[0];
}

/** Whether there is nothing left to do for it. */
async function isSubmitted(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('flows')
    .select('uuid')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where(sql<boolean>`submitted < revision`)
    .executeTakeFirst();
  return row === undefined;
}

/** The changes that `row` had are done, or refused for the reason given. A request that came meanwhile keeps its wish. */
async function finishFlow(db: Db, row: FlowRow, refusal: string): Promise<void> {
  await sql`
    update flows set submitted = ${row.revision}, claimed_until = null, modified = now(),
      begun_as = case when flow_id is null then null else begun_as end,
      wanted_status = case when revision = ${row.revision} then null else wanted_status end,
      status_description = case when revision = ${row.revision} then ${refusal} else status_description end
    where account_id = ${row.account_id} and uuid = ${row.uuid}`.execute(db);
}

async function releaseFlow(db: Db, { account_id, uuid }: FlowRow): Promise<void> {
  await updateFlow(db, account_id, uuid, { claimed_until: null });
}

/** Noted before the platform is asked, so that a flow whose answer got lost can be found there. */
async function beginCreation(db: Db, { account_id, uuid, name }: FlowRow): Promise<void> {
  await updateFlow(db, account_id, uuid, { begun_as: name });
}

/** What the platform made of it. */
const storeCarrierFlow = (db: Db, row: FlowRow, flow: CarrierFlow): Promise<FlowRow> =>
  inTransaction(db, async (db) => {
    const isSame = flow.name === row.name && categoryOf(flow.categories) === row.category;
    const { account_id: accountId, uuid: subject } = row;
    const data = { flow_id: flow.id };
    await appendEvents(db, [{ accountId, subjectType, subject, kind: 'flow.submitted', data }]);
    const stored = await updateFlow(db, accountId, subject, {
      flow_id: flow.id,
      ...(isFlowStatus(flow.status) && { status: flow.status }),
      validation_errors: JSON.stringify(flow.validationErrors),
      is_described: whileUnchanged(row, isSame),
    });
    // Changes that came meanwhile have a job of their own.
    return { ...row, flow_id: stored.flow_id, status: stored.status, is_described: isSame };
  });

async function storeDescribed(db: Db, row: FlowRow): Promise<void> {
  await updateFlow(db, row.account_id, row.uuid, { is_described: whileUnchanged(row, true) });
}

async function storeDrawn(db: Db, row: FlowRow, errors: object[]): Promise<void> {
  const validation_errors = JSON.stringify(errors);
  await updateFlow(db, row.account_id, row.uuid, { is_drawn: whileUnchanged(row, true), validation_errors });
}

const whileUnchanged = (row: FlowRow, value: boolean) =>
  sql<boolean>`case when revision = ${row.revision} then ${value} else false end`;

const storeStatus = (db: Db, { account_id: accountId, uuid }: FlowRow, status: string): Promise<void> =>
  inTransaction(db, async (db) => {
    await updateFlow(db, accountId, uuid, { status });
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'flow.status', data: { status } }]);
  });

/** A sender leaves its carrier: its flows are made anew at the next one, and those that were published are published there. */
export async function moveFlows({ db, queue }: Deps, accountId: string, chatappAccount: string): Promise<void> {
  const { rows } = await sql<{ uuid: string }>`
    update flows set flow_id = null, begun_as = null, is_described = false, is_drawn = true, validation_errors = '[]',
      status_description = '', revision = revision + 1, claimed_until = null, modified = now(), status = 'DRAFT',
      wanted_status = case when status = 'DRAFT' then wanted_status else 'PUBLISHED' end
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and status <> 'DEPRECATED'
    returning uuid`.execute(db);
  await queue.enqueue(
    db,
    submitTask,
    rows.map(({ uuid }) => ({ accountId, uuid })),
  );
}
