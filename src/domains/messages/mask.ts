import { sql } from 'kysely';
import { jsonTextArray, uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import { maskContent } from '../../platform/text/mask.ts';

/** Masks sensitive messages that are through, or of which nobody reported for so long; at most so many. Answers how many. */
export async function maskMessagesAnyAccount(
  db: Db,
  { most, before }: { most: number; before: Date },
): Promise<number> {
  const { rows } = await sql<{ account_id: string; uuid: string; message_data: unknown }>`
    select message.account_id, message.uuid, message.message_data
    from messages as message
    join message_states as state on state.account_id = message.account_id and state.uuid = message.uuid
    where message.sensitive = 1 and (state.status in ('DELIVERED', 'READ', 'FAILED', 'CANCELLED')
      or state.status = 'SENT' and message.created < ${before.toISOString()})
    limit ${most}`.execute(db);
  const content = contentOf(db);
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    const stored = own.map((row) => content.json(accountId, JSON.stringify(maskContent(row.message_data))));
    await sql`
      update messages set message_data = given.stored, sensitive = 2
      from unnest(${uuidArray(own.map(({ uuid }) => uuid))}::uuid[], ${jsonTextArray(stored)}::json[]) as given (uuid, stored)
      where messages.account_id = ${accountId} and messages.uuid = given.uuid`.execute(db);
  }
  return rows.length;
}
