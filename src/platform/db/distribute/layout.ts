import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect/pool.ts';
import { isDistributed, traitsOf } from '../connect/traits.ts';

/** Looks once, at the start, whether the tables are spread over shards. A distributed database that lacks some tables (a migration added them) has them on the coordinator. */
export async function readLayout(db: Db): Promise<void> {
  const { rows: extension } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db);
  if (extension.length === 0) return;
  const spread = [...homes].filter(([, home]) => home === 'account').map(([name]) => name);
  const { rows } = await sql`
    select 1 from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relname = any (${spread}::text[]) and partmethod = 'h' limit 1`.execute(db);
  traitsOf(db).isDistributed = rows.length > 0;
}

/**
 * SQL of a condition on the column with the account: that it is the account at hand or, where one statement takes all accounts,
 * `true`.
 */
export type OfAccount = (column: string) => RawBuilder<boolean>;

/**
 * Runs a statement that takes rows of all accounts, such as what is due. A distributed database locks rows of one shard at a time: there,
 * `due` (a select of `account_id`) is read first, without locks, and then each of these accounts gets a statement of its own.
 */
export async function perAccount<T>(
  db: Db,
  due: RawBuilder<unknown>,
  work: (ofAccount: OfAccount) => Promise<T[]>,
): Promise<T[]> {
  if (!isDistributed(db)) return work(() => sql<boolean>`true`);
  const { rows } = await sql<{ account_id: string }>`select distinct account_id from (${due}) as due`.execute(db);
  const taken: T[] = [];
  for (const { account_id } of rows) {
    taken.push(...(await work((column) => sql<boolean>`${sql.ref(column)} = ${account_id}::uuid`)));
  }
  return taken;
}

/**
 * Where each table is when the database is distributed by Citus. Every table of the schema is named here once, and
 * `layout.test.ts` compares. Why each is where it is: decision 36.
 */
export type Home =
  /** In shards by `account_id`: what an account has is on one node, in tables that are co-located. */
  | 'account'
  /** In shards by `shortcode`, which is unique over all accounts. */
  | 'shortcode'
  /** Whole on every node: read everywhere, seldom written, and with keys that are unique over all accounts. */
  | 'reference'
  /** On the coordinator alone: what the house keeps for itself, and what is gone within minutes. */
  | 'local';

export const tables: Readonly<Record<Home, readonly string[]>> = {
  account: [
    ...[
      'account_storage',
      'agent_skills',
      'agent_turns',
      'agents',
      'audio_files',
      'audit_chains',
      'audit_log',
      'callback_secrets',
    ],
    ...['callback_watches', 'calls', 'calls_under_way', 'campaign_logs', 'campaign_recipients', 'campaigns'],
    ...[
      'chat_intros',
      'chat_people',
      'chatapp_accounts',
      'contacts',
      'content_passes',
      'events',
      'flows',
      'idempotency_keys',
    ],
    ...['inbound_ids', 'inbound_payloads', 'insights_configs', 'intro_keys', 'intro_notices', 'intro_sessions'],
    ...['job_results', 'jobs', 'leads', 'list_members', 'lists', 'media', 'media_uploads', 'message_states'],
    ...['message_templates', 'messages', 'missed_calls', 'number_callers', 'number_traffic', 'opt_outs', 'pair_rates'],
    ...[
      'person_erasures',
      'reply_watches',
      'report_counts',
      'report_days',
      'report_runs',
      'report_schedules',
      'roles',
      'routing_audio_files',
      'routing_configs',
      'routing_numbers',
    ],
    ...['safeguard_counts', 'safeguard_incidents', 'safeguard_passwords', 'safeguard_ranges', 'safeguards'],
    ...['sandbox_acts', 'sandbox_calls', 'sandbox_clocks', 'sandbox_faults', 'sandbox_flows', 'sandbox_holds'],
    ...['sandbox_legs', 'sandbox_messages', 'sandbox_templates', 'sip_trunk_states', 'sip_trunks', 'sms'],
    ...['sms_early_receipts', 'sms_in_hand', 'sms_inbound_ids', 'sms_inbound_parts', 'sms_links', 'sms_parts'],
    ...['sms_senders', 'sms_states', 'tallies', 'webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'],
    'webhook_queue',
  ],
  shortcode: ['links'],
  reference: [
    ...['accounts', 'identity_provider_domains', 'identity_providers', 'invitations', 'numbers', 'passkeys'],
    ...[
      'recovery_codes',
      'scim_groups',
      'scim_members',
      'second_factors',
      'sso_sessions',
      'tokens',
      'user_identities',
      'user_networks',
      'users',
    ],
  ],
  local: [
    ...[
      'click_batches',
      'data_keys',
      'database_lives',
      'login_failures',
      'number_pool',
      'number_pool_sources',
      'processes',
    ],
    ...['request_allowances', 'schema_migrations', 'secret_key_check', 'sign_in_challenges'],
  ],
};

export const homes: ReadonlyMap<string, Home> = new Map(
  Object.entries(tables).flatMap(([home, names]) => names.map((name) => [name, home as Home] as const)),
);

/** The column by which the rows of a table are spread. */
export const columnOf = (home: 'account' | 'shortcode'): string => (home === 'account' ? 'account_id' : 'shortcode');

/**
 * Unique indexes that a distributed table cannot have, since they are without the column by which it is spread. They become plain ones:
 * what they hold are ids made at random, which are unique without them.
 */
export const loosened: readonly string[] = ['chatapp_accounts_uuid'];

/** Foreign keys that a distributed table cannot have: they set a column to null. Whoever deletes such rows does that first. */
export const omittedKeys: readonly string[] = ['agents_account_id_fallback_fkey'];
