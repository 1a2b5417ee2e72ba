import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Dimension, Metric } from './metrics.ts';

/** What a key of a dimension stands for: the thing itself (several keys may be one thing), its name, and the value that its list is filtered by. */
export interface Meaning {
  id: string;
  label: string;
  filter: string;
}

/** The meanings of keys; a key that is not in the answer belongs to nothing that still exists. */
export async function findMeanings(
  db: Db,
  accountId: string,
  metric: Metric,
  dimension: Dimension,
  keys: string[],
): Promise<Map<string, Meaning>> {
  if (keys.length === 0) return new Map();
  switch (dimension) {
    case 'agent':
      return metric === 'calls' ? agents(db, accountId, keys) : plain(keys);
    case 'intro':
      return read(
        db,
        sql`select uuid::text as key, uuid::text as id, coalesce(nullif(reference_id, ''), shortcode) as label, uuid::text as filter
          from chat_intros where account_id = ${accountId} and uuid = any(${keys}::uuid[])`,
      );
    case 'number':
      return metric === 'messages' ? senders(db, accountId, keys) : numbers(keys);
    case 'campaign':
      return metric === 'campaigns' ? campaigns(db, accountId, keys) : launches(db, accountId, keys);
    case 'source':
      return plain(keys);
  }
}

const plain = (keys: string[]): Map<string, Meaning> =>
  new Map(keys.map((key) => [key, { id: key, label: key, filter: key }]));

const numbers = (keys: string[]): Map<string, Meaning> =>
  new Map(
    keys.map((key) => {
      const label = /^\d+$/.test(key) ? `+${key}` : key;
      return [key, { id: label, label, filter: label }];
    }),
  );

async function read(db: Db, query: ReturnType<typeof sql>): Promise<Map<string, Meaning>> {
  const { rows } = await (query as ReturnType<typeof sql<Meaning & { key: string }>>).execute(db);
  return new Map(rows.map(({ key, ...meaning }) => [key, meaning]));
}

/** A call knows the number that was rung, as it was written; the agent is who has it now. */
const agents = (db: Db, accountId: string, keys: string[]) =>
  read(
    db,
    sql`select distinct on (rung.key) rung.key, agent.uuid::text as id, agent.name as label, agent.uuid::text as filter
      from agents as agent
      cross join lateral (
        select unnest(agent.numbers) as key union select '+' || unnest(agent.number_digits)
        union select unnest(agent.number_digits)) as rung
      where agent.account_id = ${accountId} and rung.key = any(${keys}::text[])
      order by rung.key, agent.uuid`,
  );

const senders = (db: Db, accountId: string, keys: string[]) =>
  read(
    db,
    sql`select uuid::text as key, chatapp_number as id, chatapp_number as label, chatapp_number as filter
      from chatapp_accounts where account_id = ${accountId} and uuid = any(${keys}::uuid[])`,
  );

const campaigns = (db: Db, accountId: string, keys: string[]) =>
  read(
    db,
    sql`select uuid::text as key, uuid::text as id, name as label, uuid::text as filter
      from campaigns where account_id = ${accountId} and uuid = any(${keys}::uuid[])`,
  );

const launches = (db: Db, accountId: string, keys: string[]) =>
  read(
    db,
    sql`select launch.uuid::text as key, campaign.uuid::text as id, campaign.name as label, campaign.uuid::text as filter
      from campaign_logs as launch
      join campaigns as campaign on campaign.account_id = launch.account_id and campaign.uuid = launch.campaign
      where launch.account_id = ${accountId} and launch.uuid = any(${keys}::uuid[])`,
  );
