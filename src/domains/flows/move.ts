import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { submitTask } from './create.ts';

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
