import { sql } from 'kysely';
import { jsonArray, uuidArray } from '../../platform/db/arrays.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import { type Db, prepared } from '../../platform/db/pool.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { OutboundMessage } from '../port.ts';

export interface Taken {
  message: OutboundMessage;
  id: string;
  dueAt: Date | null;
}

const insert = prepared(
  'sandbox.take',
  `insert into sandbox_messages (account_id, message, id, chatapp_number, phone_number, phone_digits, type, content, due_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[],
    $9::timestamptz[])`,
);

export async function insertTaken(db: Db, taken: Taken[]): Promise<void> {
  await insert(db, [
    uuidArray(taken.map(({ message }) => message.accountId)),
    uuidArray(taken.map(({ message }) => message.uuid)),
    uuidArray(taken.map(({ id }) => id)),
    taken.map(({ message }) => message.senderNumber),
    taken.map(({ message }) => message.toNumber),
    taken.map(({ message }) => phoneDigits(message.toNumber)),
    taken.map(({ message }) => message.type),
    jsonArray(taken.map(({ message }) => message.content)),
    taken.map(({ dueAt }) => dueAt?.toISOString() ?? null),
  ]);
}

export const findTaken = (db: Db, accountId: string, uuids: string[]) =>
  db
    .selectFrom('sandbox_messages')
    .select(['message', 'id'])
    .where('account_id', '=', accountId)
    .where('message', 'in', uuids)
    .execute();

export interface DueRow {
  account_id: string;
  message: string;
  id: string;
  phone_digits: string;
  step: number;
  due_at: string;
}

/** What is due by each account's own time, locked; other processes take other rows. */
export async function lockDueAnyAccount(
  db: Db,
  realNow: Date,
  moved: Map<string, Date>,
  most: number,
): Promise<DueRow[]> {
  const latest = new Date(Math.max(realNow.getTime(), ...[...moved.values()].map((now) => now.getTime())));
  const { rows } = await sql<DueRow>`
    select message.account_id, message.message, message.id, message.phone_digits, message.step, message.due_at
    from sandbox_messages as message
    left join unnest(${[...moved.keys()]}::uuid[], ${[...moved.values()].map((now) => now.toISOString())}::timestamptz[])
      as clock (account_id, now) on clock.account_id = message.account_id
    where message.due_at <= ${latest.toISOString()} and message.due_at <= coalesce(clock.now, ${realNow.toISOString()})
    order by message.due_at limit ${most}
    for update of message skip locked`.execute(db);
  return rows;
}

export async function advanceSteps(
  db: Db,
  rows: { account_id: string; message: string; id: string; dueAt: Date | null }[],
): Promise<void> {
  await sql`
    update sandbox_messages as message set step = step + 1, due_at = next.due_at
    from unnest(
      ${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.message)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.dueAt?.toISOString() ?? null)}::timestamptz[]
    ) as next (account_id, message, id, due_at)
    where message.account_id = next.account_id and message.message = next.message and message.id = next.id`.execute(db);
}

export async function hasPendingAnyAccount(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('sandbox_messages')
    .select('id')
    .where('due_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const listPhone = (db: Db, accountId: string, number: string, query: PageQuery) =>
  keysetPage(
    db,
    db
      .selectFrom('sandbox_messages')
      .select(['message as uuid', 'chatapp_number', 'phone_number', 'type', 'content', 'created'])
      .where('account_id', '=', accountId)
      .where('phone_digits', '=', phoneDigits(number)),
    query,
    { uuid: 'message', created: 'created' },
  );
