import { sql } from 'kysely';
import type { CarrierFlow } from '../../../carriers/ports/chat.ts';
import { type Db, inTransaction } from '../../../platform/db/connect/pool.ts';
import { appendEvents } from '../../timeline/index.ts';
import { type FlowRow, updateFlow } from '../queries.ts';
import { subjectType } from '../schemas.ts';
import { categoryOf, isFlowStatus } from '../status.ts';

/** SQL of the flows while a worker takes their changes to the platform. */

/** Takes a flow in hand that has changes to carry out; undefined when it has none, or somebody else has it in hand. */
export async function claimFlow(db: Db, accountId: string, uuid: string): Promise<FlowRow | undefined> {
  const { rows } = await sql<FlowRow>`
    update flows set claimed_until = now() + interval '5 minutes'
    where account_id = ${accountId} and uuid = ${uuid} and submitted < revision
      and (claimed_until is null or claimed_until not between now() and now() + interval '5 minutes')
    returning *`.execute(db);
  return rows[0];
}

/** Whether there is nothing left to do for it. */
export async function isSubmitted(db: Db, accountId: string, uuid: string): Promise<boolean> {
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
export async function finishFlow(db: Db, row: FlowRow, refusal: string): Promise<void> {
  await sql`
    update flows set submitted = ${row.revision}, claimed_until = null, modified = now(),
      begun_as = case when flow_id is null then null else begun_as end,
      wanted_status = case when revision = ${row.revision} then null else wanted_status end,
      status_description = case when revision = ${row.revision} then ${refusal} else status_description end
    where account_id = ${row.account_id} and uuid = ${row.uuid}`.execute(db);
}

export async function releaseFlow(db: Db, { account_id, uuid }: FlowRow): Promise<void> {
  await updateFlow(db, account_id, uuid, { claimed_until: null });
}

/** Noted before the platform is asked, so that a flow whose answer got lost can be found there. */
export async function beginCreation(db: Db, { account_id, uuid, name }: FlowRow): Promise<void> {
  await updateFlow(db, account_id, uuid, { begun_as: name });
}

/** What the platform made of it. */
export const storeCarrierFlow = (db: Db, row: FlowRow, flow: CarrierFlow): Promise<FlowRow> =>
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

export async function storeDescribed(db: Db, row: FlowRow): Promise<void> {
  await updateFlow(db, row.account_id, row.uuid, { is_described: whileUnchanged(row, true) });
}

export async function storeDrawn(db: Db, row: FlowRow, errors: object[]): Promise<void> {
  const validation_errors = JSON.stringify(errors);
  await updateFlow(db, row.account_id, row.uuid, { is_drawn: whileUnchanged(row, true), validation_errors });
}

const whileUnchanged = (row: FlowRow, value: boolean) =>
  sql<boolean>`case when revision = ${row.revision} then ${value} else false end`;

export const storeStatus = (db: Db, { account_id: accountId, uuid }: FlowRow, status: string): Promise<void> =>
  inTransaction(db, async (db) => {
    await updateFlow(db, accountId, uuid, { status });
    await appendEvents(db, [{ accountId, subjectType, subject: uuid, kind: 'flow.status', data: { status } }]);
  });
