import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import { deleteEventsOf } from '../timeline/index.ts';
import { deleteDeliveriesOf } from '../webhooks/index.ts';

/** Removes leads of a person, at most so many. */
export async function eraseLeads(db: Db, accountId: string, digits: string, most: number): Promise<number> {
  const { rows } = await sql<{ uuid: string }>`
    delete from leads where account_id = ${accountId} and uuid in (
      select uuid from leads where account_id = ${accountId} and digits = ${digits} limit ${most})
    returning uuid`.execute(db);
  const uuids = rows.map(({ uuid }) => uuid);
  await deleteDeliveriesOf(db, accountId, uuids);
  await deleteEventsOf(db, accountId, uuids);
  return uuids.length;
}

/** Somebody who works on a lead keeps it. */
export const leadRetention: RetentionRule = {
  kind: 'leads',
  tables: [{ name: 'leads', key: 'uuid' }],
  waiting: { when: (before) => sql`modified >= uuid_moment(${before})` },
  isWhole: true,
};
