import type { Deps } from '../../deps.ts';
import type { TallyStep } from '../tallies/index.ts';
import { type Move, stepSms } from './move.ts';
import { type Postponement, putBack } from './queue.ts';

export const cancelledWithLaunch: Pick<Move, 'status' | 'description'> = {
  status: 'CANCELLED',
  description: 'Cancelled with its campaign.',
};

/** Puts SMS of this worker's claims back into the queue, but for those whose launch was cancelled meanwhile. */
export async function postpone(
  deps: Deps,
  accountId: string,
  postponements: Postponement[],
  claims: number[],
): Promise<TallyStep[]> {
  const claimed = { workerNumber: deps.listener.workerNumber, claims };
  const withdrawn = await putBack(deps.db, accountId, postponements, claimed);
  return stepSms(
    deps,
    withdrawn.map((uuid) => ({ accountId, uuid, ...cancelledWithLaunch })),
  );
}
