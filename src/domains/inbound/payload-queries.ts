import { sql } from 'kysely';
import { type Db, prepared } from '../../platform/db/pool.ts';

/** SQL of payloads as they came from outside. */

export interface NewPayload {
  accountId: string;
  chatappAccount: string;
  hash: Buffer;
  uuid: string;
  carrier: string;
  body: Buffer;
}

const insert = prepared(
  'inbound.keep',
  `insert into inbound_payloads (account_id, chatapp_account, hash, uuid, carrier, body)
  select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::uuid[], $5::text[], $6::bytea[])
  on conflict (account_id, chatapp_account, hash) do nothing`,
);

export async function insertPayloads(db: Db, payloads: NewPayload[]): Promise<void> {
  await insert(db, [
    payloads.map((payload) => payload.accountId),
    payloads.map((payload) => payload.chatappAccount),
    payloads.map((payload) => payload.hash),
    payloads.map((payload) => payload.uuid),
    payloads.map((payload) => payload.carrier),
    payloads.map((payload) => payload.body),
  ]);
}

export interface WaitingPayload {
  account_id: string;
  uuid: string;
  carrier: string;
  body: Buffer;
  attempts: number;
}

/** The next payloads to be read, locked, in the order in which they came; other processes take others. */
export async function lockWaitingAnyAccount(db: Db, most: number): Promise<WaitingPayload[]> {
  const { rows } = await sql<WaitingPayload>`
    select account_id, uuid, carrier, body, attempts from inbound_payloads
    where done is null and problem is null
    order by uuid limit ${most}
    for update skip locked`.execute(db);
  return rows;
}

export async function finishAnyAccount(db: Db, uuids: string[]): Promise<void> {
  await sql`update inbound_payloads set done = now() where uuid = any (${uuids}::uuid[]) and done is null and problem is null`.execute(
    db,
  );
}

/** Notes a failure; after the last attempt, or with none left to make, the payload is put aside with its reason. */
export async function noteFailureAnyAccount(db: Db, uuid: string, reason: string, { final }: { final: boolean }) {
  await db
    .updateTable('inbound_payloads')
    .set({ attempts: sql`attempts + 1`, ...(final && { problem: reason }) })
    .where('uuid', '=', uuid)
    .where('done', 'is', null)
    .where('problem', 'is', null)
    .execute();
}

/** The platform repeats itself for seven days at most; what was read longer ago is not needed any more. */
export async function purgePayloadsAnyAccount(db: Db): Promise<void> {
  await sql`delete from inbound_payloads where done < now() - interval '8 days'`.execute(db);
  await sql`delete from inbound_ids where created < now() - interval '40 days'`.execute(db);
}
