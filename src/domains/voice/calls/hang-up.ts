import type { Deps } from '../../../deps.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { findCalledNumber } from '../../numbers/index.ts';
import { type CallRow, findCall } from '../queries.ts';
import { closeCall } from './end.ts';
import { requestEnd } from './under-way-queries.ts';

/** Tells the process that has a call to end it. */
export const hangUpTopic = 'voice-hang-up';

/** Ends a call: one that nobody has begun at once, any other by the process that has it. */
export async function hangUp(deps: Deps, accountId: string, uuid: string): Promise<CallRow> {
  const row = await findCall(deps.db, accountId, uuid);
  if (!row) throw notFound();
  const closed = await within(deps, async (deps) => {
    const { db } = deps;
    const found = await requestEnd(db, accountId, uuid);
    if (!found) throw new ApiError('call_ended');
    if (found.claimed_by !== null) return undefined;
    const number = await findCalledNumber(db, accountId, row.number_digits);
    const at = deps.carriers.find(row.carrier, 'voice')?.voice.clock(accountId).now() ?? deps.clock.now();
    const ending = { result: 'ABANDONED', by: 'API', code: 487, description: 'It was taken back.' } as const;
    return closeCall(db, deps, row, { ...ending, at, number });
  });
  if (closed) return closed;
  deps.listener.signal(hangUpTopic, '');
  return row;
}
