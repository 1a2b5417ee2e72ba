import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { priorities, queuedText } from '../../outbox/index.ts';
import { moveMessages } from '../deliver/move.ts';

const mostAtOnce = 1000;
const description = 'Its sender changed the carrier before it left.';

/**
 * A sender leaves its carrier. What still waits was meant for the people whom that one reaches, and is cancelled; nobody has written
 * to the sender where it goes.
 */
export async function moveSender(deps: Deps, accountId: string, chatappAccount: string): Promise<void> {
  const { rows } = await sql<{ uuid: string; is_claimed: boolean }>`
    select uuid, claimed_by is not null as is_claimed from message_states
    where account_id = ${accountId} and chatapp_account = ${chatappAccount} and ${sql.raw(queuedText)} and due_at < 'infinity'
    order by uuid for update`.execute(deps.db);
  const waiting = rows.filter(({ is_claimed }) => !is_claimed);
  // What is being handed over leaves by the carrier that has it, and does not come back into the queue.
  await sql`
    update message_states set priority = ${priorities.withdrawn}
    where account_id = ${accountId} and uuid = any (${rows.filter((row) => row.is_claimed).map(({ uuid }) => uuid)}::uuid[])`.execute(
    deps.db,
  );
  for (let first = 0; first < waiting.length; first += mostAtOnce) {
    const some = waiting.slice(first, first + mostAtOnce);
    await moveMessages(
      deps,
      some.map(({ uuid }) => ({ accountId, uuid, status: 'CANCELLED', description })),
    );
  }
  // The time of the sandbox may be ahead of everybody else's.
  await sql`
    update chat_people set window_closed = true, last_inbound_at = least(last_inbound_at, now())
    where account_id = ${accountId} and chatapp_account = ${chatappAccount}`.execute(deps.db);
}
