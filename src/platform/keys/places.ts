import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';

/** A column with sealed values; `key` is the primary key of its table, with types, the account first. */
export interface Place {
  table: string;
  column: string;
  key: readonly (readonly [name: string, type: 'uuid' | 'text'])[];
}

const byUuid = [
  ['account_id', 'uuid'],
  ['uuid', 'uuid'],
] as const;
const byAccount = [['account_id', 'uuid']] as const;

/** All that is stored sealed. `places.test.ts` looks for whoever seals something and is not here. */
export const places: readonly Place[] = [
  { table: 'sms_links', column: 'secrets', key: byUuid },
  { table: 'sip_trunks', column: 'password', key: byUuid },
  { table: 'chatapp_accounts', column: 'secrets', key: byUuid },
  { table: 'webhook_endpoints', column: 'secret', key: byUuid },
  { table: 'webhook_endpoints', column: 'previous_secret', key: byUuid },
  { table: 'callback_secrets', column: 'secret', key: byAccount },
  { table: 'callback_secrets', column: 'previous_secret', key: byAccount },
  { table: 'second_factors', column: 'totp_secret', key: [...byAccount, ['user_uuid', 'uuid']] },
  { table: 'identity_providers', column: 'client_secret', key: byUuid },
  { table: 'sso_sessions', column: 'id_token', key: [...byAccount, ['token_uuid', 'uuid']] },
  {
    table: 'idempotency_keys',
    column: 'body',
    key: [...byAccount, ['owner', 'uuid'], ['method', 'text'], ['path', 'text'], ['key', 'text']],
  },
];

/** So many of each tell whose key they are of. */
const mostLooked = 20;

/** Some of what is stored sealed. */
export async function sampleAnyAccount(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of places.filter((place) => place.table !== 'idempotency_keys')) {
    const { rows } = await sql<{ sealed: string }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} <> '' limit ${mostLooked}`.execute(db);
    found.push(...rows.map(({ sealed }) => sealed));
  }
  return found;
}

/** How many values of a place are sealed with which data key; 0: with a key of the ring itself, as the first format was. */
export async function countSealedAnyAccount(db: Db, { table, column }: Place): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; count: number }>`
    select coalesce(substring(${sql.ref(column)} from '^v2:([0-9]+):')::integer, 0) as number, count(*)::integer as count
    from ${sql.table(table)} where ${sql.ref(column)} <> '' group by 1`.execute(db);
  return new Map(rows.map(({ number, count }) => [number, count]));
}
