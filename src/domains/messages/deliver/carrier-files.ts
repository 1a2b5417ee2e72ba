import { CarrierRefusal, type CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Outcome, Sender } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import { carrierIdsOf } from '../../media/index.ts';
import { filesOf } from '../content/files.ts';
import type { Claimed } from './queue.ts';

/**
 * What the carrier calls the uploaded files that messages name, making known to it those that are new. A message whose file
 * the carrier does not take has its outcome already.
 */
export async function findCarrierFiles(deps: Deps, carrier: CarrierWith<'chat'>, sender: Sender, messages: Claimed[]) {
  const named = messages.flatMap((message) =>
    filesOf(message.type, message.message_data).map(({ uuid }) => ({ uuid: uuid.toLowerCase(), message })),
  );
  const byFile = Map.groupBy(named, ({ uuid }) => uuid);
  const ids = new Map<string, string>();
  const outcomes = new Map<Claimed, Outcome>();
  // Each for itself: one bad file must not hold back the others.
  await Promise.all(
    [...byFile].map(async ([uuid, users]) => {
      try {
        for (const [file, id] of await carrierIdsOf(deps, carrier, sender, [uuid])) ids.set(file, id);
        if (!ids.has(uuid)) for (const { message } of users) outcomes.set(message, deleted);
      } catch (error) {
        if (!(error instanceof CarrierRefusal)) throw error;
        for (const { message } of users) outcomes.set(message, outcomeOf(error));
      }
    }),
  );
  return { ids, outcomes };
}

const deleted: Outcome = { kind: 'rejected', code: 'media_deleted', description: 'Its file was deleted.' };

const outcomeOf = ({ code, message, temporary }: CarrierRefusal): Outcome =>
  temporary
    ? { kind: 'retry', description: `Its file could not be handed over: ${message}` }
    : { kind: 'rejected', code, description: `The carrier refused its file: ${message}` };
