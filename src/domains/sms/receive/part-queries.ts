import { sql } from 'kysely';
import type { TakenPart } from '../../../carriers/ports/sms.ts';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { type Db, prepared } from '../../../platform/db/connect/pool.ts';

/** SQL of the parts that the other side took. */

export interface NewPart extends TakenPart {
  sms: string;
}

const insert = prepared(
  'sms.insert-parts',
  `insert into sms_parts (account_id, link, sms, part, carrier_id)
  select $1, $2, sms, part, carrier_id from unnest($3::uuid[], $4::smallint[], $5::text[]) as part (sms, part, carrier_id)
  on conflict (account_id, sms, part) do nothing`,
);

/** Stores parts. A part that is stored already keeps its id. */
export async function insertParts(db: Db, accountId: string, link: string, parts: NewPart[]): Promise<void> {
  if (parts.length === 0) return;
  await insert(db, [
    accountId,
    link,
    uuidArray(parts.map(({ sms }) => sms)),
    parts.map(({ part }) => part),
    parts.map(({ id }) => id),
  ]);
}

const taken = prepared<{ sms: string; part: number }>(
  'sms.taken-parts',
  'select sms, part from sms_parts where account_id = $1 and sms = any ($2::uuid[])',
);

/** Which parts of these the other side has. */
export async function findTaken(db: Db, accountId: string, uuids: string[]): Promise<Map<string, Set<number>>> {
  const parts = uuids.length === 0 ? [] : await taken(db, [accountId, uuidArray(uuids)]);
  const bySms = Map.groupBy(parts, ({ sms }) => sms);
  return new Map([...bySms].map(([sms, some]) => [sms, new Set(some.map(({ part }) => part))]));
}

/** The links that parts left by, by message and part. */
export async function findPartLinks(db: Db, accountId: string, uuids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ sms: string; part: number; link: string }>`
    select sms, part, link from sms_parts
    where account_id = ${accountId} and sms = any (${uuidArray(uuids)}::uuid[])`.execute(db);
  return new Map(rows.map(({ sms, part, link }) => [`${sms} ${part}`, link]));
}

export interface KnownPart {
  sms: string;
  part: number;
  carrier_id: string;
  status: 'SENT' | 'DELIVERED' | 'FAILED';
}

/**
 * SQL text of the latest part with an id, `carrier_id` of `source`. $1 is the account, compared so that no index on it is used: the
 * index of links and ids is the one to use (see the migration). Centres keep messages for some days, so older parts are skipped,
 * and so are partitions of the future.
 */
export const latestPartText = (source: string, isAccount = 'account_id is not distinct from $1::uuid'): string => `
  select sms, part, status from sms_parts
  where link = $2 and carrier_id = ${source}.carrier_id and ${isAccount}
    and sms >= uuid_floor(now() - interval '30 days') and sms < uuid_floor(now() + interval '1 day')
  order by sms desc, part limit 1`;

/** The account as a distributed database has to see it compared. */
export const inShardText = 'account_id = $1::uuid';

const namedText = (latest: string): string => `
  select known.sms, known.part, wanted.carrier_id, known.status
  from unnest($3::text[]) as wanted (carrier_id) cross join lateral (${latest}) as known`;
const named = prepared<KnownPart>(
  'sms.parts-by-carrier-id',
  namedText(latestPartText('wanted')),
  namedText(latestPartText('wanted', inShardText)),
);

/** The parts with these ids of a link. Centres begin to count anew, so the latest message with an id is meant. */
export async function findByCarrierIds(
  db: Db,
  accountId: string,
  link: string,
  ids: string[],
): Promise<Map<string, KnownPart>> {
  const rows = ids.length === 0 ? [] : await named(db, [accountId, link, ids]);
  return new Map(rows.map((row) => [row.carrier_id, row]));
}

const mark = prepared(
  'sms.mark-parts',
  `update sms_parts set status = change.status
  from unnest($2::uuid[], $3::smallint[], $4::text[]) as change (sms, part, status)
  where sms_parts.account_id = $1 and sms_parts.sms = any ($2::uuid[])
    and sms_parts.sms = change.sms and sms_parts.part = change.part`,
);

export async function markParts(
  db: Db,
  accountId: string,
  changes: { sms: string; part: number; status: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  await mark(db, [
    accountId,
    uuidArray(changes.map(({ sms }) => sms)),
    changes.map(({ part }) => part),
    changes.map(({ status }) => status),
  ]);
}

export interface Progress {
  uuid: string;
  segments: number;
  taken: number;
  delivered: number;
}

const progress = prepared<Progress>(
  'sms.progress',
  `select sms.uuid, sms.segments, count(part.part) as taken,
    count(part.part) filter (where part.status = 'DELIVERED') as delivered
  from sms left join sms_parts as part on part.account_id = sms.account_id and part.sms = sms.uuid
  where sms.account_id = $1 and sms.uuid = any ($2::uuid[])
  group by sms.uuid, sms.segments`,
);

/** How far SMS have come, by their parts. */
export const readProgress = (db: Db, accountId: string, uuids: string[]): Promise<Progress[]> =>
  progress(db, [accountId, uuidArray(uuids)]);

export interface EarlyReceipt {
  id: string;
  status: 'SENT' | 'DELIVERED' | 'FAILED';
  code: string | null;
  description: string | null;
  at: string;
  fromDigits: string | null;
  toDigits: string | null;
  /** The SMS and the part that it is about, if it names them. */
  sms: string | null;
  part: number | null;
}

/** Stores receipts whose part is not known yet. */
export async function keepEarly(db: Db, accountId: string, link: string, receipts: EarlyReceipt[]): Promise<void> {
  if (receipts.length === 0) return;
  await sql`
    insert into sms_early_receipts
      (account_id, link, carrier_id, status, code, description, at, from_digits, to_digits, sms, part)
    select ${accountId}, ${link}, * from unnest(
      ${receipts.map(({ id }) => id)}::text[], ${receipts.map(({ status }) => status)}::text[],
      ${receipts.map(({ code }) => code)}::text[], ${receipts.map(({ description }) => description)}::text[],
      ${receipts.map(({ at }) => at)}::timestamptz[], ${receipts.map(({ fromDigits }) => fromDigits)}::text[],
      ${receipts.map(({ toDigits }) => toDigits)}::text[], ${receipts.map(({ sms }) => sms)}::uuid[],
      ${receipts.map(({ part }) => part)}::smallint[])`.execute(db);
}

const early = `carrier_id as id, status, code, description, at, from_digits as "fromDigits", to_digits as "toDigits", sms, part`;

const takeUp = prepared<EarlyReceipt>(
  'sms.take-early',
  `delete from sms_early_receipts where account_id = $1 and link = $2 and carrier_id = any ($3) returning ${early}`,
);

/** Takes out the receipts that came for these ids before the ids were known. */
export const takeEarly = async (db: Db, accountId: string, link: string, ids: string[]): Promise<EarlyReceipt[]> =>
  ids.length === 0 ? [] : takeUp(db, [accountId, link, ids]);

export interface Overlooked {
  account_id: string;
  link: string;
  id: string;
}

/** SQL text: whether there are receipts whose parts were not known when they came. */
export const hasEarlyText = 'exists (select 1 from sms_early_receipts)';

/**
 * Receipts whose part is known by now, because it was being stored while they came. That takes moments, so only those of the last
 * minute are looked at.
 */
export async function findOverlookedAnyAccount(db: Db): Promise<Overlooked[]> {
  const { rows } = await sql<Overlooked>`
    select distinct account_id, link, carrier_id as id from sms_early_receipts as receipt
    where received > now() - interval '1 minute' and exists (
      select 1 from sms_parts as part where part.account_id = receipt.account_id and part.link = receipt.link
        and part.carrier_id = receipt.carrier_id)`.execute(db);
  return rows;
}

export interface Placed extends Overlooked {
  sms: string;
  part: number;
}

/** Receipts that name an SMS whose answer never came, and that came before this was known. */
export async function findNamedAnyAccount(db: Db): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select distinct receipt.account_id, receipt.link, carrier_id as id, receipt.sms, receipt.part
    from sms_early_receipts as receipt
    join sms_states as state on state.account_id = receipt.account_id and state.uuid = receipt.sms
    where receipt.sms is not null
      and state.status = 'QUEUED' and state.due_at = 'infinity' and state.claimed_by is null`.execute(db);
  return rows;
}

/**
 * Matches receipts whose part is unknown with SMS whose answer never came, between the same two numbers by the same link. The
 * oldest receipt belongs to the first unknown part of the oldest such SMS, and so on. An answer that is only late has half a minute
 * to come.
 */
export async function placeUnclaimedAnyAccount(db: Db): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    with receipts as (
      select account_id, link, carrier_id, from_digits, to_digits,
        row_number() over (partition by account_id, link, from_digits, to_digits order by min(received)) as place
      from sms_early_receipts
      where received between now() - interval '15 minutes' and now() - interval '30 seconds' and from_digits is not null
      group by account_id, link, carrier_id, from_digits, to_digits
    ), missing as (
      select state.account_id, state.link, sms.from_digits, sms.to_digits, state.uuid, part.part,
        row_number() over (partition by state.account_id, state.link, sms.from_digits, sms.to_digits
          order by state.uuid, part.part) as place
      from (select distinct account_id, link from receipts) as of_link
      join sms_states as state on state.account_id = of_link.account_id and state.link = of_link.link
        and state.status = 'QUEUED' and state.due_at = 'infinity' and state.claimed_by is null
      join sms on sms.account_id = state.account_id and sms.uuid = state.uuid
      cross join lateral generate_series(1, sms.segments) as part (part)
      where not exists (
        select 1 from sms_parts as known
        where known.account_id = state.account_id and known.sms = state.uuid and known.part = part.part)
    )
    select account_id, link, receipts.carrier_id as id, missing.uuid as sms, missing.part
    from receipts join missing using (account_id, link, from_digits, to_digits, place)`.execute(db);
  return rows;
}

/** Removes receipts that were never matched, after some days. */
export async function purgeEarlyAnyAccount(db: Db): Promise<void> {
  await sql`delete from sms_early_receipts where received < now() - interval '7 days'`.execute(db);
}
