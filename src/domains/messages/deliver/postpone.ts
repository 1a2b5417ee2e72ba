import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import type { Postponement } from '../../outbox/index.ts';
import { moveMessages } from './move.ts';
import { outbox } from './outbox.ts';
import type { Sender } from './queue.ts';

/** Puts messages of this worker's claims back into the queue, but for those whose launch was cancelled meanwhile. */
export const postpone = (deps: Deps, sender: Sender, postponements: Postponement[], claims: number[]): Promise<void> =>
  within(deps, async (deps) => {
    const claimed = { workerNumber: deps.listener.workerNumber, claims };
    await moveMessages(deps, await outbox.putBack(deps.db, sender.account_id, postponements, claimed));
  });
