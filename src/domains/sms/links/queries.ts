import { type Selectable, sql } from 'kysely';
import { aliveText } from '../../../platform/db/connect/listener.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { type Allowance, slowDown, takeOffDistributedText, takeOffText } from '../../../platform/db/rate.ts';
import type { SmsLinks } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import type { SandboxMode } from '../../accounts/index.ts';

/** SQL of the links that SMS leave and arrive by. */

export type LinkRow = Selectable<SmsLinks>;

/** What a link is told to be. */
export interface LinkFields {
  name: string;
  settings: string;
  secrets: string | null;
  messages_per_second: number;
  weight: number;
  enabled: boolean;
}

export const listLinks = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, db.selectFrom('sms_links').selectAll().where('account_id', '=', accountId), query);

export const findLinkRow = (db: Db, accountId: string, uuid: string): Promise<LinkRow | undefined> =>
  db
    .selectFrom('sms_links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

export const lockLink = (db: Db, accountId: string, uuid: string): Promise<LinkRow | undefined> =>
  db
    .selectFrom('sms_links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** undefined: another link has this name. */
export const insertLink = (
  db: Db,
  accountId: string,
  link: LinkFields & { carrier: string },
): Promise<LinkRow | undefined> =>
  db
    .insertInto('sms_links')
    .values({ account_id: accountId, uuid: newId(), ...link })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** undefined: another link has this name. */
export async function updateLink(
  db: Db,
  accountId: string,
  uuid: string,
  { name, ...change }: LinkFields,
): Promise<LinkRow | undefined> {
  return db
    .updateTable('sms_links')
    .set({ ...change, name, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sms_links as other')
            .select('other.uuid')
            .where('other.account_id', '=', accountId)
            .where('other.name', '=', name)
            .where('other.uuid', '<>', uuid),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function deleteLinkRow(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sms_links')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Nothing leaves any more by links of this carrier. */
export async function disableLinks(db: Db, accountId: string, carrier: string): Promise<void> {
  await db
    .updateTable('sms_links')
    .set({ enabled: false, modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('carrier', '=', carrier)
    .where('enabled', '=', true)
    .execute();
}

/** The carriers of accounts' links, in the order in which these were made. */
export async function findLinkCarriers(db: Db, accountIds: string[]) {
  const { rows } = await sql<{
    account_id: string;
    uuid: string;
    carrier: string;
    enabled: boolean;
    adopted: boolean;
    sandbox: SandboxMode;
  }>`
    select link.account_id, link.uuid, link.carrier, link.enabled, link.adopted, account.sandbox
    from sms_links as link join accounts as account on account.uuid = link.account_id
    where link.account_id = any (${accountIds}::uuid[])
    order by link.uuid`.execute(db);
  return rows;
}

/**
 * Gives accounts their first link, if they adopt what nobody registered. If two processes do so at once, the first one counts; the
 * common order keeps them from waiting for each other in a circle.
 */
export async function adoptLinks(db: Db, carrier: string, accountIds: string[]): Promise<void> {
  await sql`
    insert into sms_links (account_id, uuid, name, carrier, adopted)
    select new.account_id, new.uuid, ${carrier}, ${carrier}, true
    from unnest(${accountIds.toSorted()}::uuid[], ${accountIds.map(() => newId())}::uuid[]) as new (account_id, uuid)
    join accounts as account on account.uuid = new.account_id and account.sandbox = 'adopt'
    order by new.account_id
    on conflict (account_id, name) do nothing`.execute(db);
}

export const findOwnedAnyAccount = (db: Db, workerNumber: number): Promise<LinkRow[]> =>
  db
    .selectFrom('sms_links')
    .selectAll()
    .where('owner', '=', workerNumber)
    .where('enabled', '=', true)
    .orderBy('uuid')
    .execute();

export async function storeReportsAnyAccount(
  db: Db,
  reports: { accountId: string; uuid: string; report: string }[],
): Promise<void> {
  await sql`
    update sms_links as link set report = new.report, reported = now()
    from unnest(${reports.map(({ accountId }) => accountId)}::uuid[], ${reports.map(({ uuid }) => uuid)}::uuid[],
      ${reports.map(({ report }) => report)}::json[]) as new (account_id, uuid, report)
    where link.account_id = new.account_id and link.uuid = new.uuid`.execute(db);
}

/** Those of these processes that are alive. */
export async function findAliveAnyAccount(db: Db): Promise<Set<number>> {
  const { rows } = await sql<{ worker: number }>`${sql.raw(aliveText)}`.execute(db);
  return new Set(rows.map(({ worker }) => worker));
}

const takeOff = prepared<Allowance>(
  'sms.spend',
  takeOffText('sms_links', 'enabled'),
  takeOffDistributedText('sms_links', 'enabled'),
);

/** Takes off the rate of a link what left by it without a claim. */
export async function spendAllowance(db: Db, accountId: string, link: string, count: number): Promise<Allowance> {
  const [allowance] = await takeOff(db, [accountId, link, count]);
  return allowance ?? { available: 0, perSecond: 0 };
}

export const slowLink = (db: Db, accountId: string, uuid: string, pauseMs: number): Promise<void> =>
  slowDown(db, 'sms_links', accountId, uuid, pauseMs);
