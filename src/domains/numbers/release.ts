import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { coolDown } from './pool/queries.ts';
import { markReleased } from './queries.ts';

const coolDownDays = 30;

/** Gives a number back. It is gone at once, and offered again after a month of rest. */
export const releaseNumber = (deps: Deps, accountId: string, wanted: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const released = await markReleased(db, accountId, wanted);
    if (!released) throw notFound();
    const { uuid, digits, number, webhooks } = released;
    await coolDown(db, digits, coolDownDays);
    await appendEvents(db, [
      { accountId, subjectType: 'number', subject: uuid, kind: 'number.released', data: { number } },
    ]);
    await announce(db, deps, [{ accountId, type: 'number.released', data: { number }, numberWebhooks: webhooks }]);
  });

/** Gives back numbers of an account that is being deleted, at most so many; answers how many. Nobody is told. */
export async function releaseAllNumbers(db: Db, accountId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with released as (
      update numbers set released_at = now(), modified = now()
      where account_id = ${accountId} and uuid = any (array(
        select uuid from numbers where account_id = ${accountId} and released_at is null limit ${most}))
      returning digits
    ), cooled as (
      update number_pool set state = 'COOLING', available_at = now() + make_interval(days => ${coolDownDays})
      where digits in (select digits from released)
    )
    select count(*) from released`.execute(db);
  return rows[0]!.count;
}
