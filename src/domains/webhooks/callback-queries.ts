import { sql } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/layout.ts';

/** SQL of the endpoints that messages name by their addresses, and of the secrets that sign for them. */

/** An address of an account; `name` is what it is looked up by. */
export interface CallbackKey {
  accountId: string;
  name: string;
}
export interface NewCallback extends CallbackKey {
  uuid: string;
  url: string;
}

const lock = prepared<{ account_id: string; name: string; uuid: string }>(
  'lock-callbacks',
  `
  select endpoint.account_id, endpoint.name, endpoint.uuid
  from unnest($1::uuid[], $2::text[]) as wanted (account_id, name)
  join webhook_endpoints as endpoint on endpoint.account_id = wanted.account_id and endpoint.name = wanted.name
  where endpoint.kind = 'CALLBACK'
  for key share of endpoint`,
);

/** Those of these that are there. They are not tidied away until the transaction ends. */
export async function lockCallbacks(db: Db, keys: CallbackKey[]) {
  if (!isDistributed(db))
    return lock(db, [uuidArray(keys.map(({ accountId }) => accountId)), keys.map(({ name }) => name)]);
  const rows: { account_id: string; name: string; uuid: string }[] = [];
  for (const [accountId, its] of Map.groupBy(keys, ({ accountId }) => accountId)) {
    rows.push(...(await lockOfAccount(db, [accountId, its.map(({ name }) => name)])));
  }
  return rows;
}

/** Rows of one shard at a time. */
const lockOfAccount = prepared<{ account_id: string; name: string; uuid: string }>(
  'lock-callbacks-of-account',
  `select account_id, name, uuid from webhook_endpoints
  where account_id = $1 and name = any ($2::text[]) and kind = 'CALLBACK' for key share`,
);

/** Several may do so at once: the first one counts, and the common order keeps them from waiting in a circle. */
export async function insertCallbacks(db: Db, callbacks: NewCallback[]): Promise<void> {
  await sql`
    insert into webhook_endpoints (account_id, uuid, kind, name, url, events, description, enabled)
    select account_id, uuid, 'CALLBACK', name, url, array['*'], '', true
    from unnest(
      ${uuidArray(callbacks.map(({ accountId }) => accountId))}::uuid[],
      ${uuidArray(callbacks.map(({ uuid }) => uuid))}::uuid[],
      ${callbacks.map(({ name }) => name)}::text[],
      ${callbacks.map(({ url }) => url)}::text[]) as callback (account_id, uuid, name, url)
    order by account_id, name
    on conflict (account_id, name) where kind = 'CALLBACK' do nothing`.execute(db);
}

/** Gives secrets to accounts that have none. */
export async function ensureSecrets(db: Db, secrets: { accountId: string; secret: string }[]): Promise<void> {
  await sql`
    insert into callback_secrets (account_id, secret)
    select * from unnest(
      ${uuidArray(secrets.map(({ accountId }) => accountId))}::uuid[],
      ${secrets.map(({ secret }) => secret)}::text[]) as given (account_id, secret)
    order by account_id
    on conflict (account_id) do nothing`.execute(db);
}

/** The secret it replaces, if there is one, signs too until `previousUntil`. */
export async function putSecret(db: Db, accountId: string, secret: string, previousUntil: Date): Promise<void> {
  await sql`
    insert into callback_secrets as known (account_id, secret) values (${accountId}, ${secret})
    on conflict (account_id) do update set secret = excluded.secret, previous_secret = known.secret,
      previous_secret_until = ${previousUntil.toISOString()}, modified = excluded.modified`.execute(db);
}

/** Nobody can enable these by hand: they get their fresh start a day after they were disabled. */
export async function reviveCallbacksAnyAccount(db: Db): Promise<void> {
  await sql`
    update webhook_endpoints
    set enabled = true, disabled_reason = '', failing_since = null, paused_until = null, modified = now()
    where kind = 'CALLBACK' and not enabled and modified < now() - interval '1 day'`.execute(db);
}

const batchSize = 1000;

/**
 * Deletes addresses that were first named a month ago and have nothing waiting; one that is named again is made again. They
 * are locked by one statement and looked at by the next, which sees what was announced until then.
 */
export async function deleteOldCallbacksAnyAccount(db: Db): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize; ) {
    deleted = await db.transaction().execute(async (db) => {
      const isOld = sql`kind = 'CALLBACK' and created < now() - interval '30 days'`;
      const due = sql`select account_id from webhook_endpoints where ${isOld}`;
      const rows = await perAccount(db, due, async (ofAccount) => {
        const { rows } = await sql<{ account_id: string; uuid: string }>`
          select account_id, uuid from webhook_endpoints as endpoint
          where ${isOld} and ${ofAccount('endpoint.account_id')} and not exists (
            select 1 from webhook_queue as queue
            where queue.account_id = endpoint.account_id and queue.endpoint = endpoint.uuid
              and ${ofAccount('queue.account_id')})
          order by created limit ${batchSize} for update skip locked`.execute(db);
        return rows;
      });
      const { numAffectedRows = 0n } = await sql`
        delete from webhook_endpoints as endpoint
        using unnest(
          ${uuidArray(rows.map((row) => row.account_id))}::uuid[],
          ${uuidArray(rows.map((row) => row.uuid))}::uuid[]) as old (account_id, uuid)
        where endpoint.account_id = old.account_id and endpoint.uuid = old.uuid and not exists (
          select 1 from webhook_queue as queue
          where queue.account_id = endpoint.account_id and queue.endpoint = endpoint.uuid)`.execute(db);
      return Number(numAffectedRows);
    });
  }
}
