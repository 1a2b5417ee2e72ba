import { type RawBuilder, sql } from 'kysely';
import type { Task } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import { deleteOldCallbacksAnyAccount, reviveCallbacksAnyAccount } from './callback-queries.ts';
import { endOrphansAnyAccount } from './deliver/delivery-queries.ts';
import { forgetOldSecretsAnyAccount } from './queries.ts';

/** What is still to be sent stays. */
export const deliveryRetention: RetentionRule = {
  kind: 'webhooks',
  tables: [{ name: 'webhook_deliveries', key: 'uuid' }],
  waiting: { when: () => sql`status = 'PENDING'` },
};

/** By themselves: an attempt is younger than its delivery, which is gone by then, or waits and is tried again. */
export const attemptRetention: RetentionRule = {
  kind: 'webhooks',
  tables: [{ name: 'webhook_attempts', key: 'uuid' }],
};

const deleteWhere = async (db: Db, accountId: string, which: RawBuilder<unknown>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from webhook_deliveries where account_id = ${accountId} and ${which} returning uuid
    ), queued as (
      delete from webhook_queue using gone where account_id = ${accountId} and webhook_queue.delivery = gone.uuid
    ), attempted as (
      delete from webhook_attempts using gone where account_id = ${accountId} and webhook_attempts.delivery = gone.uuid
    )
    select count(*) from gone`.execute(db);
  return rows[0]!.count;
};

/** Removes what was told, or is to be told, of things that are gone. */
export const deleteDeliveriesOf = (db: Db, accountId: string, subjects: string[]): Promise<number> =>
  deleteWhere(db, accountId, sql`subject = any (${subjects}::uuid[])`);

/**
 * Removes deliveries that have a number in them, however it is written, of the next so many; answers how many went and where to go on,
 * null at the end.
 */
export async function deleteDeliveriesNaming(
  db: Db,
  accountId: string,
  digits: string,
  { after, most }: { after: string; most: number },
): Promise<{ deleted: number; next: string | null }> {
  const { rows } = await sql<{ uuid: string; payload: string }>`
    select uuid, payload from webhook_deliveries
    where account_id = ${accountId} and uuid > ${after} order by uuid limit ${most}`.execute(db);
  const naming = rows.filter(({ payload }) => payload.replaceAll(/\D/g, '').includes(digits)).map(({ uuid }) => uuid);
  if (naming.length > 0) await deleteWhere(db, accountId, sql`uuid = any (${naming}::uuid[])`);
  return { deleted: naming.length, next: rows.length < most ? null : rows.at(-1)!.uuid };
}

export const tasks: Task[] = [
  {
    name: 'webhooks.tidy',
    batchSize: 1,
    cron: '37 * * * *',
    async handler({ db }) {
      await endOrphansAnyAccount(db);
      await forgetOldSecretsAnyAccount(db);
      await reviveCallbacksAnyAccount(db);
      await deleteOldCallbacksAnyAccount(db);
    },
  },
];
