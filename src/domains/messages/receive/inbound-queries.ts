import { sql } from 'kysely';
import { jsonArray, jsonTextArray, uuidArray } from '../../../platform/db/arrays.ts';
import { contentOf, type Db, prepared } from '../../../platform/db/connect/pool.ts';

/** SQL of messages that people wrote. */

const reserve = prepared<{ message: string }>(
  'messages.reserve-inbound',
  `insert into inbound_ids (account_id, chatapp_account, carrier_id, message)
  select $1, * from unnest($2::uuid[], $3::text[], $4::uuid[])
  on conflict (account_id, chatapp_account, carrier_id) do nothing
  returning message`,
);

/** Reserves the carrier's ids of messages; answers the uuids of those that were new. */
export async function reserveIds(
  db: Db,
  accountId: string,
  messages: { chatappAccount: string; carrierId: string; uuid: string }[],
): Promise<Set<string>> {
  const rows = await reserve(db, [
    accountId,
    messages.map((message) => message.chatappAccount),
    messages.map((message) => message.carrierId),
    messages.map((message) => message.uuid),
  ]);
  return new Set(rows.map((row) => row.message));
}

const named = prepared<{ carrier_id: string; uuid: string }>(
  'messages.by-carrier-id',
  `select carrier_message_id as carrier_id, uuid from message_states
  where account_id = $1 and carrier_message_id = any ($2)`,
);

/** Our messages behind a carrier's ids, whoever wrote them. */
export async function findByCarrierIds(db: Db, accountId: string, carrierIds: string[]): Promise<Map<string, string>> {
  if (carrierIds.length === 0) return new Map();
  const rows = await named(db, [accountId, carrierIds]);
  return new Map(rows.map((row) => [row.carrier_id, row.uuid]));
}

const ids = prepared<{ uuid: string; carrier_id: string }>(
  'messages.carrier-ids',
  `select uuid, carrier_message_id as carrier_id from message_states
  where account_id = $1 and uuid = any ($2) and carrier_message_id is not null`,
);

/** The carrier's ids of messages, whether we or others wrote them. */
export async function findCarrierIds(db: Db, accountId: string, uuids: string[]): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await ids(db, [accountId, uuids]);
  return new Map(rows.map((row) => [row.uuid, row.carrier_id]));
}

/** A message that a person wrote, about to be stored. */
export interface ReceivedMessage {
  account_id: string;
  uuid: string;
  chatapp_account: string;
  type: string;
  chatapp_number: string;
  from_chatapp_number: string;
  from_digits: string;
  to_digits: string;
  message_data: object;
  context_data: object;
  carrier_id: string;
  campaign_log: string | null;
}

const store = prepared<{ moment: string }>(
  'messages.receive',
  `with arrived as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::json[], $10::json[], $11::text[], $12::uuid[]
    ) as a (account_id, uuid, chatapp_account, type, chatapp_number, from_number, from_digits, to_digits, message_data,
      context_data, carrier_id, campaign_log)
  ), stored as (
    insert into messages (account_id, uuid, chatapp_account, direction, type, chatapp_number, from_chatapp_number,
      to_chatapp_number, from_digits, to_digits, message_data, context_data, campaign_log)
    select account_id, uuid, chatapp_account, 'INBOUND', type, chatapp_number, from_number,
      chatapp_number, from_digits, to_digits, message_data, context_data, campaign_log from arrived
  ), states as (
    insert into message_states (account_id, uuid, chatapp_account, status, carrier_message_id)
    select account_id, uuid, chatapp_account, 'RECEIVED', carrier_id from arrived
  )
  select now() as moment`,
);

/** Stores messages and their states by one statement; answers the moment, which all of them share. */
export async function insertReceived(db: Db, messages: ReceivedMessage[]): Promise<string> {
  const column = <K extends keyof ReceivedMessage>(name: K) => messages.map((message) => message[name]);
  const content = contentOf(db);
  const [row] = await store(db, [
    uuidArray(column('account_id')),
    uuidArray(column('uuid')),
    uuidArray(column('chatapp_account')),
    column('type'),
    column('chatapp_number'),
    column('from_chatapp_number'),
    column('from_digits'),
    column('to_digits'),
    jsonTextArray(messages.map((message) => content.json(message.account_id, JSON.stringify(message.message_data)))),
    jsonArray(column('context_data')),
    column('carrier_id'),
    column('campaign_log'),
  ]);
  return row!.moment;
}

/** Forgets the carriers' ids of messages that no carrier repeats any more. */
export async function purgeInboundIdsAnyAccount(db: Db): Promise<void> {
  await sql`delete from inbound_ids where created < now() - interval '40 days'`.execute(db);
}
