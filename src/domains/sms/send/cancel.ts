import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { isWaiting } from '../../outbox/index.ts';
import { addTallies, type TallyStep } from '../../tallies/index.ts';
import { moveSms, stepSms } from '../deliver/move.ts';
import { outbox } from '../deliver/states.ts';
import { findSms } from '../queries.ts';

/** Takes an SMS back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelSms = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (!(await findSms(db, accountId, uuid))) throw notFound();
    const [state] = await outbox.lockStates(db, [{ accountId, uuid }]);
    if (!state || !isWaiting(state)) throw new ApiError('sms_not_queued');
    await moveSms(deps, [{ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }]);
  });

/** Takes back whatever of a launch has not left yet; answers how many. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  outbox.cancelLaunch(deps, accountId, campaignLog, async (inside, batches) => {
    const counts: TallyStep[] = [];
    for (const batch of batches) counts.push(...(await stepSms(inside, batch)));
    await addTallies(inside.db, counts);
  });
