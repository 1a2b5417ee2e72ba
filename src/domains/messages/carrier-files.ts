import { type Carrier, CarrierRefusal, type Outcome, type Sender } from '../../carriers/port.ts';
import type { Deps } from '../../deps.ts';
import { carrierIdsOf } from '../media/index.ts';
import type { Claimed } from './queue.ts';

/**
 * What the carrier calls the uploaded files that messages name, making known to it those that are new. A message whose file
 * the carrier does not take has its outcome already.
 */
export async function findCarrierFiles(deps: Deps, carrier: Carrier, sender: Sender, messages: Claimed[]) {
  const byFile = Map.groupBy(messages, ({ message_data }) => fileOf(message_data));
  byFile.delete(undefined);
  const ids = new Map<string, string>();
  const outcomes = new Map<Claimed, Outcome>();
  // Each for itself: one bad file must not hold back the others.
  await Promise.all(
    [...byFile].map(async ([uuid, users]) => {
      try {
        for (const [file, id] of await carrierIdsOf(deps, carrier, sender, [uuid!])) ids.set(file.toLowerCase(), id);
        if (!ids.has(uuid!.toLowerCase())) for (const message of users) outcomes.set(message, deleted);
      } catch (error) {
        if (!(error instanceof CarrierRefusal)) throw error;
        for (const message of users) outcomes.set(message, outcomeOf(error));
      }
    }),
  );
  return { ids, outcomes };
}

const fileOf = (content: Record<string, unknown>): string | undefined =>
  (content['media'] as { media_uuid?: string } | undefined)?.media_uuid;

const deleted: Outcome = { kind: 'rejected', code: 'media_deleted', description: 'Its file was deleted.' };

const outcomeOf = ({ code, message, temporary }: CarrierRefusal): Outcome =>
  temporary
    ? { kind: 'retry', description: `Its file could not be handed over: ${message}` }
    : { kind: 'rejected', code, description: `The carrier refused its file: ${message}` };
