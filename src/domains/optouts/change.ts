import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { optOutMemory } from './find.ts';
import { deleteOptOut, type NewOptOut, type OptOutRow, upsertOptOut } from './queries.ts';

/** Opts somebody out of a channel. Somebody who is out already stays so, and nothing new is noted. */
export async function optOut(deps: Deps, accountId: string, request: NewOptOut): Promise<OptOutRow> {
  const row = await inTransaction(deps.db, async (db) => {
    const { isNew, ...row } = await upsertOptOut(db, accountId, request);
    if (isNew) await tell(db, deps, row, 'OPT_OUT');
    return row;
  });
  deps.memories.forget(optOutMemory);
  return row;
}

/** Lets messages through again. */
export const optIn = (deps: Deps, accountId: string, uuid: string, source: string): Promise<void> =>
  inTransaction(deps.db, async (db) => {
    const row = await deleteOptOut(db, accountId, uuid);
    if (!row) throw notFound();
    await tell(db, deps, { ...row, source, text: '' }, 'OPT_IN');
  });

/** On the timeline, and to whoever listens. */
async function tell(db: Db, deps: Deps, row: OptOutRow, action: 'OPT_OUT' | 'OPT_IN'): Promise<void> {
  const { account_id: accountId, uuid, phone_number, channel, source, text } = row;
  const data = { action, phone_number, channel, source, text };
  const digits = phoneDigits(phone_number);
  await appendEvents(db, [
    { accountId, subjectType: 'opt_out', subject: uuid, kind: 'optout.changed', data: { ...data, digits } },
  ]);
  await announce(db, deps, [{ accountId, type: 'optout.changed', data }]);
}
