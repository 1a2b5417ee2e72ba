import { CarrierRefusal } from '../../../carriers/ports/carriers.ts';
import type { Deps, Task } from '../../../deps.ts';
import { notFound, ValidationError } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { findSender, resolveSenders } from '../../chatapp-accounts/index.ts';
import { appendEvents, eventsOf } from '../../timeline/index.ts';
import { findMessage, type MessageRow } from '../queries.ts';
import { findCarrierIds } from './inbound-queries.ts';

interface Reading {
  accountId: string;
  uuid: string;
}

const taskName = 'messages.mark-read';

/**
 * Shows the person who wrote a message that it was read, and with it what they wrote before. The platform is told right after; a
 * second time changes nothing.
 */
export const markRead = (deps: Deps, accountId: string, uuid: string): Promise<MessageRow> =>
  within(deps, async (deps) => {
    const { db, queue } = deps;
    const message = await findMessage(db, accountId, uuid);
    if (!message) throw notFound();
    if (message.direction !== 'INBOUND') {
      throw new ValidationError({ non_field_errors: ['Only messages that people wrote can be marked as read.'] });
    }
    const known = await eventsOf(db, accountId, uuid).where('kind', '=', 'message.marked_read').limit(1).execute();
    if (known.length > 0) return message;
    await appendEvents(db, [
      { accountId, subjectType: 'message', subject: uuid, kind: 'message.marked_read', data: {} },
    ]);
    await queue.enqueue(db, taskName, [{ accountId, uuid } satisfies Reading]);
    return message;
  });

export const tasks = [
  {
    name: taskName,
    batchSize: 20,
    async handler(deps, readings) {
      const results = await Promise.allSettled(readings.map((reading) => tellCarrier(deps, reading)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  } satisfies Task<Reading>,
] as unknown as Task[];

/**
 * A temporary refusal fails, so that the batch is tried again; a final one is only noted. A carrier may be told twice without harm.
 */
async function tellCarrier(deps: Deps, { accountId, uuid }: Reading): Promise<void> {
  const message = await findMessage(deps.db, accountId, uuid);
  const carrierId = (await findCarrierIds(deps.db, accountId, [uuid])).get(uuid);
  if (!message || carrierId === undefined) return;
  const [account] = await resolveSenders(deps, [{ accountId, chatappNumber: message.chatapp_number }]);
  const sender = account && (await findSender(deps, accountId, account.uuid));
  if (!account || !sender) return;
  try {
    await deps.carriers.get(account.carrier, 'chat').chat.markRead(sender, carrierId);
  } catch (error) {
    if (!(error instanceof CarrierRefusal) || error.temporary) throw error;
    const data = { code: error.code, description: error.message };
    await appendEvents(deps.db, [
      { accountId, subjectType: 'message', subject: uuid, kind: 'message.mark_read_failed', data },
    ]);
  }
}
