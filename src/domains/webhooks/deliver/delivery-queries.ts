import { type Selectable, sql } from 'kysely';
import { contentOf, type Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { WebhookAttempts, WebhookDeliveries } from '../../../platform/db/types.ts';
import { isSought, type Sought, type SoughtIn } from '../../directory/index.ts';

/** SQL of the deliveries and their attempts, as the API shows them. */

/** With the address of its endpoint; null: that was deleted. */
export type DeliveryRow = Selectable<WebhookDeliveries> & { url: string | null };
export type AttemptRow = Selectable<WebhookAttempts>;

const deliveriesOf = (db: Db, accountId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .select(
      sql<string | null>`(select url from webhook_endpoints
        where account_id = webhook_deliveries.account_id and uuid = webhook_deliveries.endpoint)`.as('url'),
    )
    .where('account_id', '=', accountId);

export interface DeliveryFilter extends PageQuery {
  webhook?: string;
  type?: string;
  status?: string;
  retrying?: boolean;
  subject?: string;
  sought?: Sought | undefined;
}

const soughtIn: SoughtIn = { ids: ['uuid', 'subject', 'endpoint'] };

export function listDeliveries(db: Db, accountId: string, filter: DeliveryFilter) {
  let rows = deliveriesOf(db, accountId);
  if (filter.sought) rows = rows.where(isSought(filter.sought, soughtIn));
  if (filter.webhook) rows = rows.where('endpoint', '=', filter.webhook);
  if (filter.type) rows = rows.where('type', '=', filter.type);
  if (filter.status) rows = rows.where('status', '=', filter.status);
  // By the index of the status: what is pending is what waits.
  if (filter.retrying === true) rows = rows.where('status', '=', 'PENDING').where('attempts', '>', 0);
  if (filter.retrying === false)
    rows = rows.where(({ or, eb }) => or([eb('status', '<>', 'PENDING'), eb('attempts', '=', 0)]));
  if (filter.subject) rows = rows.where('subject', '=', filter.subject);
  return keysetPage(db, rows, filter);
}

export const findDelivery = (db: Db, accountId: string, uuid: string): Promise<DeliveryRow | undefined> =>
  deliveriesOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

/** The attempts of a delivery, oldest first. */
export const attemptsOf = (db: Db, accountId: string, delivery: string): Promise<AttemptRow[]> =>
  db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('delivery', '=', delivery)
    .orderBy('uuid')
    .execute();

/** Puts an event for one endpoint into its queue, whatever that endpoint has asked for. */
export async function insertDelivery(
  db: Db,
  accountId: string,
  delivery: { uuid: string; endpoint: string; event: string; type: string; payload: string },
): Promise<DeliveryRow> {
  await db
    .insertInto('webhook_deliveries')
    .values({ account_id: accountId, ...delivery, payload: contentOf(db).text(accountId, delivery.payload) })
    .execute();
  await db
    .insertInto('webhook_queue')
    .values({ account_id: accountId, endpoint: delivery.endpoint, delivery: delivery.uuid })
    .execute();
  return (await findDelivery(db, accountId, delivery.uuid))!;
}

/** Starts the schedule of a delivery anew, at once. One that is being sent this moment is left to that. undefined: it is gone. */
export async function requeue(
  db: Db,
  accountId: string,
  { uuid, endpoint }: DeliveryRow,
): Promise<DeliveryRow | undefined> {
  await sql`
    insert into webhook_queue as queue (account_id, endpoint, delivery) values (${accountId}, ${endpoint}, ${uuid})
    on conflict (account_id, delivery) do update set due_at = excluded.due_at, ready = excluded.ready, attempts = 0
    where queue.claimed_by is null`.execute(db);
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'PENDING', next_attempt: sql`now()`, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
  return findDelivery(db, accountId, uuid);
}

/** Ends what still waits for an endpoint. */
export async function endPending(
  db: Db,
  accountId: string,
  endpoint: string,
  { status, error }: { status: 'FAILED' | 'CANCELLED'; error: string },
): Promise<void> {
  await sql`
    with ended as (
      delete from webhook_queue where account_id = ${accountId} and endpoint = ${endpoint} returning delivery
    )
    update webhook_deliveries set status = ${status}, last_error = ${error}, next_attempt = null, modified = now()
    from ended where account_id = ${accountId} and uuid = ended.delivery`.execute(db);
}

/** Ends what was announced in the very moment in which its endpoint was deleted. */
export async function endOrphansAnyAccount(db: Db): Promise<void> {
  await sql`
    with ended as (
      delete from webhook_queue as queue
      where not exists (select 1 from webhook_endpoints where account_id = queue.account_id and uuid = queue.endpoint)
      returning account_id, delivery
    )
    update webhook_deliveries as delivery set status = 'CANCELLED', next_attempt = null, modified = now()
    from ended where delivery.account_id = ended.account_id and delivery.uuid = ended.delivery`.execute(db);
}
