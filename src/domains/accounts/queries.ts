import { type Selectable, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Accounts } from '../../platform/db/types.ts';
import type { AccountPatch, NotifyTemplate } from './schemas.ts';

export type AccountRow = Selectable<Accounts>;

export const findAccount = (db: Db, accountId: string): Promise<AccountRow> =>
  db.selectFrom('accounts').selectAll().where('uuid', '=', accountId).executeTakeFirstOrThrow();

export const findCountries = (db: Db, accountIds: string[]) =>
  db.selectFrom('accounts').select(['uuid', 'default_country']).where('uuid', 'in', accountIds).execute();

/** Those of the accounts that keep content out of webhooks and events. */
export const findRedactingAnyAccount = async (db: Db, accountIds: string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('accounts')
      .select('uuid')
      .where('uuid', 'in', accountIds)
      .where('redact_content', '=', true)
      .execute()
  ).map(({ uuid }) => uuid);

export const findKeywordSettings = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['opt_out_keywords', 'help_text'])
    .where('uuid', '=', accountId)
    .executeTakeFirstOrThrow();

export function updateAccount(db: Db, accountId: string, patch: AccountPatch): Promise<AccountRow> {
  const { quiet_hours, notify_template, prices, limits, retention, ...plain } = patch;
  return db
    .updateTable('accounts')
    .set({
      ...plain,
      ...(quiet_hours !== undefined && { quiet_hours: quiet_hours && JSON.stringify(quiet_hours) }),
      ...(notify_template !== undefined && { notify_template: notify_template && JSON.stringify(notify_template) }),
      ...(prices !== undefined && { prices: prices && JSON.stringify(prices) }),
      ...(retention !== undefined && { retention: JSON.stringify(retention) }),
      ...(limits !== undefined && { limits: JSON.stringify(limits) }),
      modified: sql`now()`,
    })
    .where('uuid', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The template for agents who have none of their own. */
export async function findNotifyTemplate({ db }: Pick<Deps, 'db'>, accountId: string): Promise<NotifyTemplate | null> {
  const row = await db
    .selectFrom('accounts')
    .select('notify_template')
    .where('uuid', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.notify_template as NotifyTemplate | null;
}

/** What an account may keep for another time than `retention_days`. */
export const retentionKinds = [
  'messages',
  'sms',
  'calls',
  'recordings',
  'media',
  'leads',
  'events',
  'webhooks',
] as const;
export type RetentionKind = (typeof retentionKinds)[number];

/** SQL: how many days an account keeps things of a kind; without one, what has no time of its own. */
export const daysOf = (kind: string | undefined) =>
  kind === undefined
    ? sql`accounts.retention_days`
    : sql`coalesce((accounts.retention ->> ${sql.lit(kind)})::integer, accounts.retention_days)`;

/** What is old of a kind, told by ids. */
export interface Retention {
  /** What began before this is old for every account: the beginning of a month. */
  month: string;
  /** What began after this is old for nobody. */
  youngest: string;
  /** The fewest and the most days that an account keeps things. */
  shortest: number;
  longest: number;
}

/** SQL of the id below which things of a kind are old for an account of `accounts`. */
export const oldBefore = (kind: string | undefined) =>
  sql<string>`uuid_floor(now() - make_interval(days => ${daysOf(kind)}))`;

/** By kind, and without one for what has no time of its own. Accounts are read once for all. */
export async function findRetentionsAnyAccount(db: Db): Promise<Map<string | undefined, Retention>> {
  const kinds = [undefined, ...retentionKinds];
  const ofEach = (what: 'min' | 'max') => sql.join(kinds.map((kind) => sql`${sql.raw(what)}(${daysOf(kind)})`));
  const { rows } = await sql<Retention>`
    select uuid_floor(date_trunc('month', now() - make_interval(days => longest), 'UTC')) as month,
      uuid_floor(now() - make_interval(days => shortest)) as youngest, shortest, longest
    from (select array[${ofEach('min')}] as fewest, array[${ofEach('max')}] as most from accounts) as days
    cross join unnest(days.fewest, days.most) with ordinality as kept (shortest, longest, place)
    order by place`.execute(db);
  return new Map(kinds.map((kind, place) => [kind, rows[place]!]));
}
