import { type Selectable, sql } from 'kysely';
import { jsonArray, uuidArray } from '../../platform/db/arrays.ts';
import { type Db, runPrepared } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { SafeguardIncidents } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import type { Rule, Settings } from './schemas.ts';

export type IncidentRow = Selectable<SafeguardIncidents>;

interface Stored {
  settings: Partial<Settings>;
  feedback_since: string | null;
}

export interface PolicyRow extends Stored {
  closed: ClosedRange[];
  open: ClosedRange[];
}

/** A range of numbers that is held or blocked on a channel, or was let through, and by which rule. */
interface ClosedRange {
  rule: string;
  channel: string;
  range: string;
}

/** Settings and reviewed ranges of accounts that have settings, by account. */
export async function findPolicies(db: Db, accountIds: string[]): Promise<Map<string, PolicyRow>> {
  const rows = await runPrepared(
    db,
    'safeguards.find-policies',
    sql<PolicyRow & { account_id: string }>`
    select safeguards.account_id, settings, feedback_since,
      array(select json_build_object('rule', rule, 'channel', channel, 'range', subject) from safeguard_incidents as incident
        where incident.account_id = safeguards.account_id and status in ('HELD', 'BLOCKED')) as closed,
      array(select json_build_object('rule', rule, 'channel', channel, 'range', subject) from safeguard_incidents as incident
        where incident.account_id = safeguards.account_id and status = 'RELEASED'
          and modified > now() - interval '2 hours') as open
    from safeguards where account_id = any(${uuidArray(accountIds)}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.account_id, row]));
}

export async function findSettings(db: Db, accountId: string): Promise<Stored> {
  const row = await db
    .selectFrom('safeguards')
    .select(['settings', 'feedback_since'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { settings: (row?.settings ?? {}) as Partial<Settings>, feedback_since: row?.feedback_since ?? null };
}

/** Makes sure that there is a row, and holds it until the transaction ends. */
export async function lockSettings(db: Db, accountId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    insert into safeguards (account_id) values (${accountId})
    on conflict (account_id) do update set account_id = excluded.account_id
    returning settings, feedback_since`.execute(db);
  return rows[0]!;
}

export const storeSettings = (db: Db, accountId: string, settings: Settings, now: Date) =>
  db
    .updateTable('safeguards')
    .set({ settings: JSON.stringify(settings), modified: now.toISOString() })
    .where('account_id', '=', accountId)
    .execute();

/** What is asked of a cap. */
export interface Ask {
  accountId: string;
  key: string;
  windowStart: Date;
  amount: number;
  cap: number;
}

const askParameters = (asks: Ask[]) => sql`unnest(${uuidArray(asks.map((ask) => ask.accountId))}::uuid[],
  ${asks.map((ask) => ask.key)}::text[], ${asks.map((ask) => ask.windowStart.toISOString())}::timestamptz[],
  ${asks.map((ask) => ask.amount)}::numeric[], ${asks.map((ask) => ask.cap)}::numeric[])`;

/** Takes from caps as much as is left of what is asked; answers how much that is, by account and key. In one order: nobody waits in a circle. */
export async function takeFromCaps(db: Db, asks: Ask[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string; key: string; given: string }>`
    insert into safeguard_counts as known (account_id, key, window_start, used, cap, granted)
    select account_id, key, window_start, least(amount, cap), cap, least(amount, cap)
    from (select * from ${askParameters(asks)} as ask (account_id, key, window_start, amount, cap)
      order by account_id, key, window_start) as ask
    on conflict (account_id, key, window_start) do update set
      cap = excluded.cap,
      granted = greatest(0, least(excluded.granted, excluded.cap - known.used)),
      used = known.used + greatest(0, least(excluded.granted, excluded.cap - known.used))
    returning account_id, key, granted as given`.execute(db);
  return new Map(rows.map(({ account_id, key, given }) => [`${account_id} ${key}`, Number(given)]));
}

/** Gives back what was taken from caps for what another one refused. */
export async function giveBackToCaps(db: Db, asks: Ask[]): Promise<void> {
  await sql`
    update safeguard_counts as known set used = greatest(0, known.used - ask.amount)
    from ${askParameters(asks)} as ask (account_id, key, window_start, amount, cap)
    where known.account_id = ask.account_id and known.key = ask.key and known.window_start = ask.window_start`.execute(
    db,
  );
}

/** What is used of caps, by key and start of the window. */
export async function findUses(db: Db, accountId: string, keys: string[], since: Date): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('safeguard_counts')
    .select(['key', 'window_start', 'used'])
    .where('account_id', '=', accountId)
    .where('key', 'in', keys)
    .where('window_start', '>=', since.toISOString())
    .execute();
  return new Map(rows.map((row) => [`${row.key} ${Date.parse(row.window_start)}`, Number(row.used)]));
}

export interface NewIncident {
  accountId: string;
  rule: Rule;
  channel: string;
  subject: string;
  status: 'NOTED' | 'HELD';
  windowStart: Date;
  sender: string;
  recipient: string;
  refused: number;
  /** The last time. */
  refusedAt: Date;
}

/** Notes what was refused; one that is known counts on. Answers all, with whether they are new. */
export async function insertIncidents(
  db: Db,
  incidents: NewIncident[],
): Promise<(IncidentRow & { is_new: boolean })[]> {
  const given = incidents.map((one) => ({
    account_id: one.accountId,
    uuid: newId(),
    rule: one.rule,
    channel: one.channel,
    subject: one.subject,
    status: one.status,
    window_start: one.windowStart.toISOString(),
    sender: one.sender,
    recipient: one.recipient,
    refused: one.refused,
    modified: one.refusedAt.toISOString(),
  }));
  // They are written a moment later: what was refused before a range was let through does not hold it again.
  const isHeldAgain = sql`known.status = 'RELEASED' and excluded.modified > known.modified`;
  const { rows } = await sql<IncidentRow & { is_new: boolean }>`
    insert into safeguard_incidents as known
      (account_id, uuid, rule, channel, subject, status, window_start, sender, recipient, refused, modified)
    select one.* from unnest(${jsonArray(given)}::json[]) as given (value), json_to_record(value) as one
      (account_id uuid, uuid uuid, rule text, channel text, subject text, status text, window_start timestamptz,
       sender text, recipient text, refused bigint, modified timestamptz)
    order by one.account_id, one.rule, one.channel, one.subject, one.window_start
    on conflict (account_id, rule, channel, subject, window_start) do update set
      refused = known.refused + excluded.refused,
      modified = greatest(known.modified, excluded.modified),
      -- A range that was let through and is held again is as good as new.
      created = case when ${isHeldAgain} then excluded.modified else known.created end,
      status = case when ${isHeldAgain} then excluded.status else known.status end
    returning known.*, xmax = 0 or created = modified as is_new`.execute(db);
  return rows;
}

export const listIncidents = (db: Db, accountId: string, query: PageQuery & { rule?: string; status?: string }) => {
  let rows = db.selectFrom('safeguard_incidents').selectAll().where('account_id', '=', accountId);
  if (query.rule !== undefined) rows = rows.where('rule', '=', query.rule);
  if (query.status !== undefined) rows = rows.where('status', '=', query.status);
  return keysetPage(db, rows, query);
};

export const findIncident = (db: Db, accountId: string, uuid: string): Promise<IncidentRow | undefined> =>
  db
    .selectFrom('safeguard_incidents')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

export const reviewIncident = (
  db: Db,
  accountId: string,
  uuid: string,
  { status, reviewedBy, now }: { status: string; reviewedBy: string; now: Date },
): Promise<IncidentRow | undefined> =>
  db
    .updateTable('safeguard_incidents')
    .set({ status, reviewed_by: reviewedBy, modified: now.toISOString() })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('status', '<>', 'NOTED')
    .returningAll()
    .executeTakeFirst();

/** Counts of windows that are over, and what was noted long ago. */
export async function purgeSafeguardCountsAnyAccount(db: Db): Promise<void> {
  const isOver = sql`window_start < now() - interval '2 days'`;
  await sql`delete from safeguard_counts where ${isOver}`.execute(db);
  await sql`delete from safeguard_passwords where ${isOver}`.execute(db);
  await sql`delete from safeguard_ranges where ${isOver}`.execute(db);
  await sql`delete from safeguard_incidents where status = 'NOTED' and modified < now() - interval '90 days'`.execute(
    db,
  );
}

/** Forgets a person: what was counted for their number, and that it was refused. */
export async function eraseSafeguards(db: Db, accountId: string, digits: string): Promise<void> {
  await sql`delete from safeguard_counts where account_id = ${accountId} and key like ${`% RECIPIENT ${digits}`}`.execute(
    db,
  );
  await sql`delete from safeguard_incidents
    where account_id = ${accountId} and recipient = ${digits} and status = 'NOTED'`.execute(db);
  await sql`update safeguard_incidents set recipient = '' where account_id = ${accountId} and recipient = ${digits}`.execute(
    db,
  );
}
