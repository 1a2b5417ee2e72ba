import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { isFlowStatus, subjectType } from './schemas.ts';
import type { FlowPayload } from './submit.ts';
import { syncTask } from './sync.ts';

/** What the platform tells of a flow, and the chat-app accounts of the business account that has it. */
export interface FlowChange {
  chatappAccounts: string[];
  /** The platform's id. */
  id: string;
  status: string;
}

/**
 * Follows the platform's reports. A flow that nobody here knows was made elsewhere, or just now: the chat-app accounts are
 * compared with the platform.
 */
export async function applyFlowEvents(deps: Deps, accountId: string, changes: FlowChange[]): Promise<void> {
  const known = changes.filter(({ status }) => isFlowStatus(status));
  // Of several reports about one flow the last counts, but none is a draft again.
  const last = new Map<string, { chatappAccount: string; id: string; status: string }>();
  for (const { chatappAccounts, id, status } of known) {
    for (const chatappAccount of chatappAccounts) {
      const key = `${chatappAccount} ${id}`;
      if (status !== 'DRAFT' || !last.has(key)) last.set(key, { chatappAccount, id, status });
    }
  }
  if (last.size === 0) return;
  await within(deps, async (deps) => {
    const { db } = deps;
    const { moved, unknown } = await moveFlows(db, accountId, [...last.values()]);
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
    const payloads = unknown.map((uuid): FlowPayload => ({ accountId, uuid }));
    if (payloads.length > 0) await deps.queue.enqueue(db, syncTask, payloads);
  });
}

interface Moved {
  uuid: string;
  status: string;
}

/** A draft is the beginning and deprecated the end: a report that comes late undoes nothing. */
async function moveFlows(
  db: Db,
  accountId: string,
  changes: { chatappAccount: string; id: string; status: string }[],
): Promise<{ moved: Moved[]; unknown: string[] }> {
  const changed = sql`unnest(
    ${changes.map(({ chatappAccount }) => chatappAccount)}::uuid[],
    ${changes.map(({ id }) => id)}::text[],
    ${changes.map(({ status }) => status)}::text[]) as changed (chatapp_account, flow_id, status)`;
  const { rows: moved } = await sql<Moved>`
    update flows set status = changed.status, modified = now()
    from ${changed}
    where account_id = ${accountId} and flows.chatapp_account = changed.chatapp_account
      and flows.flow_id = changed.flow_id and flows.status not in ('DEPRECATED', changed.status) and changed.status <> 'DRAFT'
    returning flows.uuid, flows.status`.execute(db);
  const { rows: unknown } = await sql<{ chatapp_account: string }>`
    select distinct chatapp_account from ${changed}
    where not exists (
      select 1 from flows where account_id = ${accountId} and flows.chatapp_account = changed.chatapp_account
        and flows.flow_id = changed.flow_id)`.execute(db);
  return { moved, unknown: unknown.map((row) => row.chatapp_account) };
}
