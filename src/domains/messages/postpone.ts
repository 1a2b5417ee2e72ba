import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { moveMessages } from './move.ts';
import { type Postponement, putBack, type Sender } from './queue.ts';

/** Puts messages of this worker's claims back into the queue, with what happened to them on their timeline. */
export const postpone = (deps: Deps, sender: Sender, postponements: Postponement[], claims: number[]): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const accountId = sender.account_id;
    const withdrawn = await putBack(db, sender, postponements, { workerNumber: deps.listener.workerNumber, claims });
    await appendEvents(
      db,
      postponements.map(({ uuid, dueAt, description }) => ({
        accountId,
        subjectType: 'message',
        subject: uuid,
        kind: dueAt ? 'message.postponed' : 'message.unknown',
        data: { description, ...(dueAt && { next_attempt: dueAt.toISOString() }) },
      })),
    );
    await moveMessages(
      deps,
      withdrawn.map((uuid) => ({ accountId, uuid, ...cancelledWithLaunch })),
    );
  });

export const cancelledWithLaunch = { status: 'CANCELLED', description: 'Its campaign was cancelled.' } as const;
