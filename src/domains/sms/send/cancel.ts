import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { eachOnce, type ManyResult, manyResult } from '../../../platform/http/openapi/models.ts';
import { within } from '../../../platform/within.ts';
import { isWaiting } from '../../outbox/index.ts';
import { addTallies, type TallyStep } from '../../tallies/index.ts';
import { moveSms, stepSms } from '../deliver/move.ts';
import { outbox } from '../deliver/states.ts';
import { findSms, findSmsIds } from '../queries.ts';

/** Takes an SMS back that has not left yet. One that is being handed over, or may have been, is too late. */
export const cancelSms = (deps: Deps, accountId: string, uuid: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    if (!(await findSms(db, accountId, uuid))) throw notFound();
    const [state] = await outbox.lockStates(db, [{ accountId, uuid }]);
    if (!state || !isWaiting(state)) throw new ApiError('sms_not_queued');
    await moveSms(deps, [cancelled(accountId)(uuid)]);
  });

/** The same of many SMS. */
export const cancelManySms = (deps: Deps, accountId: string, uuids: string[]): Promise<ManyResult> =>
  within(deps, async (deps) => {
    const asked = eachOnce(uuids);
    const known = new Set(await findSmsIds(deps.db, accountId, asked));
    const states = await outbox.lockStates(
      deps.db,
      [...known].map((uuid) => ({ accountId, uuid })),
    );
    const waiting = states.filter(isWaiting).map(({ uuid }) => uuid);
    if (waiting.length > 0) await moveSms(deps, waiting.map(cancelled(accountId)));
    return manyResult(asked, waiting, (uuid) => (known.has(uuid) ? 'sms_not_queued' : 'not_found'));
  });

const cancelled = (accountId: string) => (uuid: string) =>
  ({ accountId, uuid, status: 'CANCELLED', description: 'Cancelled by the account.' }) as const;

/** Takes back whatever of a launch has not left yet; answers how many. */
export const cancelLaunch = (deps: Deps, accountId: string, campaignLog: string): Promise<number> =>
  outbox.cancelLaunch(deps, accountId, campaignLog, async (inside, batches) => {
    const counts: TallyStep[] = [];
    for (const batch of batches) counts.push(...(await stepSms(inside, batch)));
    await addTallies(inside.db, counts);
  });
