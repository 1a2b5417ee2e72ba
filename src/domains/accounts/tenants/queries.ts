import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { Accounts } from '../../../platform/db/types.ts';
import { newId } from '../../../platform/ids.ts';
import type { Standing } from '../standing.ts';
import type { TenantCreate, TenantPatch } from './schemas.ts';

/** SQL of the operator, to whom accounts are rows like others. */

const columns = [
  'accounts.uuid',
  'accounts.name',
  'accounts.status',
  'accounts.default_country',
  'accounts.time_zone',
  'accounts.limits',
  'accounts.operator',
  'accounts.suspended_at',
  'accounts.created',
  'accounts.modified',
] as const;

type Shown = (typeof columns)[number] extends `accounts.${infer Column extends keyof Accounts}` ? Column : never;
export type TenantRow = Omit<Pick<Selectable<Accounts>, Shown>, 'status'> & { status: Standing; stored_bytes: number };

const tenantsAnyAccount = (db: Db) =>
  db
    .selectFrom('accounts')
    .leftJoin('account_storage as storage', 'storage.account_id', 'accounts.uuid')
    .select(columns)
    .select(sql<number>`coalesce(storage.bytes, 0)`.as('stored_bytes'))
    .$castTo<TenantRow>();

export function listTenantsAnyAccount(db: Db, query: PageQuery & { name?: string; q?: string; status?: Standing }) {
  let rows = tenantsAnyAccount(db);
  if (query.status) rows = rows.where('accounts.status', '=', query.status);
  // The index has lower(name), in the order of its bytes.
  if (query.name) {
    rows = rows
      .where('accounts.name', '=', query.name)
      .where(sql<boolean>`lower(accounts.name) collate "C" = lower(${query.name})`);
  }
  if (query.q) {
    const begin = `${query.q.replace(/[\\%_]/g, '\\$&')}%`;
    rows = rows.where(sql<boolean>`lower(accounts.name) collate "C" like lower(${begin})`);
  }
  return keysetPage(db, rows, query, { uuid: 'accounts.uuid', created: 'accounts.created' });
}

export const findTenantAnyAccount = (db: Db, uuid: string): Promise<TenantRow | undefined> =>
  tenantsAnyAccount(db).where('accounts.uuid', '=', uuid).executeTakeFirst();

export async function insertTenant(db: Db, { limits = {}, ...fields }: TenantCreate): Promise<string> {
  const uuid = newId();
  await db
    .insertInto('accounts')
    .values({ uuid, ...fields, limits: JSON.stringify(limits) })
    .execute();
  return uuid;
}

export async function updateTenantAnyAccount(db: Db, uuid: string, { limits, ...plain }: TenantPatch): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ ...plain, ...(limits !== undefined && { limits: JSON.stringify(limits) }), modified: sql`now()` })
    .where('uuid', '=', uuid)
    .execute();
}

/** Who an account is and where it stands, locked until the transaction ends. */
export const lockTenantAnyAccount = (db: Db, uuid: string) =>
  db
    .selectFrom('accounts')
    .select(['uuid', 'status', 'operator'])
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .$castTo<{ uuid: string; status: Standing; operator: boolean }>()
    .executeTakeFirst();

/** Since when something is suspended is kept while it is deleted. */
export async function setStandingAnyAccount(db: Db, uuid: string, status: Standing): Promise<void> {
  await sql`
    with moment as materialized (select now() as at)
    update accounts set status = ${status}, modified = moment.at,
      suspended_at = ${status === 'ACTIVE' ? sql`null` : sql`coalesce(suspended_at, moment.at)`}
    from moment where uuid = ${uuid}`.execute(db);
}

export const hasTenantAnyAccount = async (db: Db, uuid: string): Promise<boolean> =>
  (await db.selectFrom('accounts').select('uuid').where('uuid', '=', uuid).executeTakeFirst()) !== undefined;

/** The account itself, when nothing belongs to it any more. */
export async function removeTenantAnyAccount(db: Db, uuid: string): Promise<void> {
  await db.deleteFrom('accounts').where('uuid', '=', uuid).where('status', '=', 'DELETING').execute();
}
