import type { Deps } from '../../deps.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { moveSms } from './move.ts';
import { findSms, lockStates } from './queries.ts';

/** Takes an SMS back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelSms = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (!(await findSms(db, accountId, uuid))) throw notFound();
    const [state] = await lockStates(db, [{ accountId, uuid }]);
    if (state?.status !== 'QUEUED' || state.claimed_by !== null || state.due_at === 'infinity') {
      throw new ApiError('sms_not_queued');
    }
    await moveSms(deps, [{ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }]);
  });
