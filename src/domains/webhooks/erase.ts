import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';

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
