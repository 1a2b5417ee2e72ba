import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { jsonTextArray, uuidArray } from '../../platform/db/arrays.ts';
import { contentOf, type Db } from '../../platform/db/connect/pool.ts';
import type { RetentionRule } from '../../platform/db/retention.ts';
import type { FileName } from '../../platform/files/files.ts';
import { maskContent } from '../../platform/text/redact.ts';
import { forgetFilesOf } from '../media/index.ts';
import { deleteEventsOf } from '../timeline/index.ts';
import { deleteDeliveriesOf } from '../webhooks/index.ts';
import { moveMessages } from './deliver/move.ts';

/**
 * A message that waits to leave stays, however old it is. One that only waits for a receipt, because it was sent or because the
 * answer to its hand-over never came, stays for 30 days: the chat platform tries to deliver for that long and reports nothing
 * afterwards.
 */
export const messageRetention: RetentionRule = {
  kind: 'messages',
  tables: [
    { name: 'message_states', key: 'uuid' },
    { name: 'messages', key: 'uuid' },
  ],
  waiting: {
    when: () => sql`status in ('QUEUED', 'SENT')
      and (status = 'QUEUED' and due_at < 'infinity' or modified > now() - interval '30 days')`,
  },
};

/** A conversation goes when the person has not written for so long. */
export const conversationRetention: RetentionRule = {
  tables: [{ name: 'chat_people', key: 'last_inbound' }],
  second: 'digits',
  isWhole: true,
};

/**
 * Removes up to `most` messages to and from a person, in the transaction of `deps`, with their states, stories, deliveries and
 * files. Messages that wait to leave are cancelled first, so that launches count them. Messages that are being handed over stay
 * until that is over.
 */
export async function eraseMessages(
  deps: Deps,
  accountId: string,
  digits: string,
  most: number,
): Promise<{ erased: number; files: FileName[] }> {
  const { db } = deps;
  const { rows } = await sql<{ uuid: string; is_queued: boolean }>`
    select message.uuid, coalesce(state.status = 'QUEUED', false) as is_queued
    from messages as message left join message_states as state
      on state.account_id = message.account_id and state.uuid = message.uuid
    where message.account_id = ${accountId} and ${isParty(digits)} and state.claimed_by is null
    limit ${most}`.execute(db);
  if (rows.length === 0) return { erased: 0, files: [] };
  const cancelled = { accountId, status: 'CANCELLED', description: 'The recipient was erased.' } as const;
  await moveMessages(
    deps,
    rows.filter(({ is_queued }) => is_queued).map(({ uuid }) => ({ ...cancelled, uuid })),
  );
  const uuids = rows.map(({ uuid }) => uuid);
  const files = await forgetFilesOf(db, accountId, uuids);
  await sql`delete from message_states where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
  await sql`delete from messages where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
  await deleteDeliveriesOf(db, accountId, uuids);
  await deleteEventsOf(db, accountId, uuids);
  return { erased: uuids.length, files };
}

/** Whether some are left because they are being handed over at this moment. */
export async function hasMessagesWith(db: Db, accountId: string, digits: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from messages as message where account_id = ${accountId} and ${isParty(digits)} limit 1`.execute(db);
  return rows.length > 0;
}

const isParty = (digits: string) => sql`
  (message.direction = 'OUTBOUND' and message.to_digits = ${digits}
    or message.direction = 'INBOUND' and message.from_digits = ${digits})`;

/** Forgets that a person wrote to senders of the account, and how often they were written to. */
export async function eraseConversations(db: Db, accountId: string, digits: string): Promise<number> {
  await db.deleteFrom('pair_rates').where('account_id', '=', accountId).where('digits', '=', digits).execute();
  const { numDeletedRows } = await db
    .deleteFrom('chat_people')
    .where('account_id', '=', accountId)
    .where('digits', '=', digits)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Masks up to `most` sensitive messages that have ended, or that nobody has reported on for long. Answers how many. */
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
