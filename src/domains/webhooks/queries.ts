import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type Db, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { WebhookEndpoints } from '../../platform/db/types.ts';
import type { EndpointKind } from './event-types.ts';

/** SQL of the endpoints: where events are sent. */

export type EndpointRow = Selectable<WebhookEndpoints>;

/** How the API names an endpoint: a NUMBER one by its name, the others by their uuid. */
export type EndpointKey = { kind: 'CHATAPP' | 'ACCOUNT'; uuid: string } | { kind: 'NUMBER'; name: string };

/** Undefined when the name is taken. */
export const insertEndpoint = (
  db: Db,
  accountId: string,
  endpoint: Omit<Insertable<WebhookEndpoints>, 'account_id'>,
): Promise<EndpointRow | undefined> =>
  db
    .insertInto('webhook_endpoints')
    .values({ account_id: accountId, ...endpoint })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).where('kind', '=', 'NUMBER').doNothing())
    .returningAll()
    .executeTakeFirst();

const byKey = (db: Db, accountId: string, key: EndpointKey) => {
  const rows = db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', key.kind);
  return key.kind === 'NUMBER' ? rows.where('name', '=', key.name) : rows.where('uuid', '=', key.uuid);
};

export const findEndpoint = (db: Db, accountId: string, key: EndpointKey): Promise<EndpointRow | undefined> =>
  byKey(db, accountId, key).executeTakeFirst();

/** Holds the endpoint until the transaction ends, so that two changes at once do not undo each other. */
export const lockEndpoint = (db: Db, accountId: string, key: EndpointKey): Promise<EndpointRow | undefined> =>
  byKey(db, accountId, key).forUpdate().executeTakeFirst();

/** Whether there is such an endpoint and it takes deliveries; it is not deleted until the transaction ends. */
export async function isEnabled(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select('enabled')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .forKeyShare()
    .executeTakeFirst();
  return row?.enabled === true;
}

export const listEndpoints = (db: Db, accountId: string, kind: EndpointKind, query: PageQuery) =>
  keysetPage(
    db,
    db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', accountId).where('kind', '=', kind),
    query,
  );

export const updateEndpoint = (
  db: Db,
  accountId: string,
  uuid: string,
  columns: Updateable<WebhookEndpoints>,
): Promise<EndpointRow> =>
  db
    .updateTable('webhook_endpoints')
    .set({ ...columns, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function removeEndpoint(db: Db, accountId: string, uuid: string): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

/** Which of these names are not number webhooks of the account. Those that are cannot be deleted until the transaction ends. */
export async function findUnknownWebhooks(db: Db, accountId: string, names: string[]): Promise<Set<string>> {
  const known = await db
    .selectFrom('webhook_endpoints')
    .select('name')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'NUMBER')
    .where('name', '=', sql<string>`any(${sql.val(names)}::text[])`)
    .orderBy('uuid')
    .forKeyShare()
    .execute();
  return new Set(names).difference(new Set(known.map(({ name }) => name)));
}

export interface Subscription {
  account_id: string;
  kind: EndpointKind;
  name: string;
  events: string[];
  heard_numbers: string[];
  heard_senders: string[];
  heard_intros: string[];
}

/** What the enabled webhooks of these accounts want to hear. */
export const subscriptionsAnyAccount = (db: Db, accountIds: string[]): Promise<Subscription[]> =>
  runPrepared(
    db,
    'webhooks.subscriptions',
    db
      .selectFrom('webhook_endpoints')
      .select(['account_id', 'kind', 'name', 'events', 'heard_numbers', 'heard_senders', 'heard_intros'])
      .where('account_id', '=', sql<string>`any(${sql.val(accountIds)}::uuid[])`)
      .where('kind', 'in', ['CHATAPP', 'NUMBER', 'ACCOUNT'])
      .where('enabled', '=', true)
      .$castTo<Subscription>(),
  );

/** Disables an endpoint that is still enabled and, if asked, still failing; undefined when it is not. */
export const disableEndpoint = (
  db: Db,
  { account_id, uuid }: Pick<EndpointRow, 'account_id' | 'uuid'>,
  { reason, failingSince }: { reason: string; failingSince?: Date },
): Promise<EndpointRow | undefined> => {
  const update = db
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: reason, modified: sql`now()` })
    .where('account_id', '=', account_id)
    .where('uuid', '=', uuid)
    .where('enabled', '=', true)
    .returningAll();
  return (failingSince ? update.where('failing_since', '<=', failingSince.toISOString()) : update).executeTakeFirst();
};

/** Secrets that sign no more are not kept. */
export async function forgetOldSecretsAnyAccount(db: Db): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ previous_secret: null, previous_secret_until: null })
    .where('previous_secret_until', '<', sql<string>`now()`)
    .execute();
  await db
    .updateTable('callback_secrets')
    .set({ previous_secret: null, previous_secret_until: null })
    .where('previous_secret_until', '<', sql<string>`now()`)
    .execute();
}
