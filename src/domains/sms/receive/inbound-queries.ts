import { sql } from 'kysely';
import { uuidArray } from '../../../platform/db/arrays.ts';
import { contentOf, type Db, prepared } from '../../../platform/db/connect/pool.ts';
import { receivedText } from '../deliver/states.ts';

/** SQL of SMS that people wrote. */

/** Reserves a link's ids of messages; answers those that were new. */
export async function reserveIds(db: Db, accountId: string, link: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ carrier_id: string }>`
    insert into sms_inbound_ids (account_id, link, carrier_id)
    select ${accountId}, ${link}, * from unnest(${ids.toSorted()}::text[])
    on conflict do nothing returning carrier_id`.execute(db);
  return new Set(rows.map(({ carrier_id }) => carrier_id));
}

/** How long after a link is back an unacknowledged message may come again, and how long before that it may have come first. */
const againMs = 60_000;
const forgottenMs = 600_000;

/**
 * Remembers messages that have no id by their fingerprints. Answers those that came over an earlier connection, each once: the
 * other side did not get their acknowledgement.
 */
export async function noteFingerprints(
  db: Db,
  accountId: string,
  link: string,
  marks: { fingerprint: string; connectedMs: number }[],
): Promise<Set<string>> {
  if (marks.length === 0) return new Set();
  const connectedMs = Math.min(...marks.map((mark) => mark.connectedMs));
  const names = [...new Set(marks.map(({ fingerprint }) => fingerprint))].toSorted();
  const known =
    connectedMs > againMs ? new Set<string>() : await forgetFingerprints(db, accountId, link, names, connectedMs);
  await sql`
    insert into sms_inbound_ids (account_id, link, carrier_id)
    select ${accountId}, ${link}, '=' || name from unnest(${names}::text[]) as name
    on conflict (account_id, link, carrier_id) do update set created = excluded.created`.execute(db);
  return known;
}

/** Which of these are remembered. */
export async function findFingerprints(db: Db, accountId: string, link: string, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    select substr(carrier_id, 2) as name from sms_inbound_ids
    where account_id = ${accountId} and link = ${link}
      and carrier_id = any (select '=' || name from unnest(${names}::text[]) as name)`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function forgetFingerprints(db: Db, accountId: string, link: string, names: string[], connectedMs: number) {
  // By the database's clock alone: that of the process may differ.
  const back = sql`now() - ${connectedMs}::float8 * interval '1 millisecond'`;
  const { rows } = await sql<{ name: string }>`
    delete from sms_inbound_ids
    where account_id = ${accountId} and link = ${link}
      and carrier_id = any (select '=' || name from unnest(${names}::text[]) as name)
      and created < ${back} and created > ${back} - ${forgottenMs}::float8 * interval '1 millisecond'
    returning substr(carrier_id, 2) as name`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** An SMS that a person wrote, about to be stored. */
export interface ReceivedSms {
  uuid: string;
  from_number: string;
  to_number: string;
  from_digits: string;
  to_digits: string;
  text: string;
  encoding: string;
  segments: number;
  keyword: string | null;
  /** The launch of a campaign that it answers. */
  campaign_log: string | null;
  /** A note where nobody may be expecting it; else ''. */
  note: string;
}

const store = prepared<{ moment: string }>(
  'sms.receive',
  `with arrived as materialized (
    select $1::uuid as account_id, * from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::smallint[], $11::text[], $12::text[], $13::uuid[]
    ) as a (uuid, from_number, to_number, from_digits, to_digits, text, encoding, segments, keyword, note, campaign_log)
  ), stored as (
    insert into sms (account_id, uuid, direction, from_number, to_number, from_digits, to_digits, text, encoding, segments,
      keyword, campaign_log)
    select account_id, uuid, 'INBOUND', from_number, to_number, from_digits, to_digits, text, encoding, segments, keyword,
      campaign_log
    from arrived
  ), states as (
    ${receivedText('$2')}
  )
  select now() as moment`,
);

/** Stores SMS and their states by one statement; answers the moment, which all of them share. */
export async function insertReceived(db: Db, accountId: string, link: string, batch: ReceivedSms[]): Promise<string> {
  const column = <K extends keyof ReceivedSms>(name: K) => batch.map((sms) => sms[name]);
  const content = contentOf(db);
  const [row] = await store(db, [
    accountId,
    link,
    uuidArray(column('uuid')),
    column('from_number'),
    column('to_number'),
    column('from_digits'),
    column('to_digits'),
    batch.map((sms) => content.text(accountId, sms.text)),
    column('encoding'),
    column('segments'),
    column('keyword'),
    column('note'),
    column('campaign_log'),
  ]);
  return row!.moment;
}

/** What the parts of one long message have in common. */
export interface LongKey {
  fromDigits: string;
  toDigits: string;
  reference: number;
  total: number;
}
export interface LongPart extends LongKey {
  part: number;
  fromNumber: string;
  toNumber: string;
  text: string;
  encoding: string;
  /** Its bytes, where the link has those. */
  raw: { dataCoding: number; body: Buffer } | null;
  at: Date;
  /** The SMS that the parts became; null: some are missing. */
  sms: string | null;
}

const partColumns = sql`from_digits as "fromDigits", to_digits as "toDigits", reference, total, part,
  from_number as "fromNumber", to_number as "toNumber", text, encoding, data_coding, body, at, sms`;
type PartRow = Omit<LongPart, 'at' | 'raw'> & { at: string; data_coding: number | null; body: Buffer | null };
function partOf({ data_coding: dataCoding, body, at, ...row }: PartRow): LongPart {
  return { ...row, raw: dataCoding === null || body === null ? null : { dataCoding, body }, at: new Date(at) };
}

const keyList = (keys: LongKey[]) => sql`select * from unnest(
  ${keys.map(({ fromDigits }) => fromDigits)}::text[], ${keys.map(({ toDigits }) => toDigits)}::text[],
  ${keys.map(({ reference }) => reference)}::integer[], ${keys.map(({ total }) => total)}::smallint[])`;

/**
 * Locks the parts of long messages that came before. Another process that asks for the same ones waits until the transaction ends.
 */
export async function lockLong(db: Db, accountId: string, link: string, keys: LongKey[]): Promise<LongPart[]> {
  const names = keys.map((key) => JSON.stringify([link, key.fromDigits, key.toDigits, key.reference, key.total]));
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names.toSorted()}::text[]) as name`.execute(
    db,
  );
  const { rows } = await sql<PartRow>`
    select ${partColumns} from sms_inbound_parts
    where account_id = ${accountId} and link = ${link} and (from_digits, to_digits, reference, total) in (${keyList(keys)})
    order by part`.execute(db);
  return rows.map(partOf);
}

/** Writes long messages as they stand now, in place of what was known of them. */
export async function storeLong(db: Db, accountId: string, link: string, keys: LongKey[], parts: LongPart[]) {
  const content = contentOf(db);
  await sql`
    delete from sms_inbound_parts
    where account_id = ${accountId} and link = ${link} and (from_digits, to_digits, reference, total) in (${keyList(keys)})`.execute(
    db,
  );
  await sql`
    insert into sms_inbound_parts (account_id, link, from_digits, to_digits, reference, total, part, from_number, to_number,
      text, encoding, data_coding, body, at, sms)
    select ${accountId}, ${link}, * from unnest(
      ${parts.map((one) => one.fromDigits)}::text[], ${parts.map((one) => one.toDigits)}::text[],
      ${parts.map((one) => one.reference)}::integer[], ${parts.map((one) => one.total)}::smallint[],
      ${parts.map((one) => one.part)}::smallint[], ${parts.map((one) => one.fromNumber)}::text[],
      ${parts.map((one) => one.toNumber)}::text[], ${parts.map((one) => content.text(accountId, one.text))}::text[],
      ${parts.map((one) => one.encoding)}::text[], ${parts.map((one) => one.raw?.dataCoding ?? null)}::smallint[],
      ${parts.map((one) => one.raw && content.bytes(accountId, one.raw.body))}::bytea[], ${parts.map((one) => one.at.toISOString())}::timestamptz[],
      ${parts.map((one) => one.sms)}::uuid[])`.execute(db);
}

export interface IncompletePart extends LongPart {
  account_id: string;
  link: string;
}

/** Removes and answers all parts of long messages that never became whole. */
export async function takeIncompleteAnyAccount(db: Db, most: number): Promise<IncompletePart[]> {
  const { rows } = await sql<PartRow & { account_id: string; link: string }>`
    with incomplete as (
      select account_id, link, from_digits, to_digits, reference, total from sms_inbound_parts
      where sms is null group by account_id, link, from_digits, to_digits, reference, total
      having max(received) < now() - interval '24 hours' limit ${most}
    )
    delete from sms_inbound_parts where sms is null
      and (account_id, link, from_digits, to_digits, reference, total) in (select * from incomplete)
    returning account_id, link, ${partColumns}`.execute(db);
  return rows.map((row) => ({ ...partOf(row), account_id: row.account_id, link: row.link }));
}

/** Removes what only serves to recognise messages that come twice. */
export async function purgeInboundAnyAccount(db: Db): Promise<void> {
  await sql`delete from sms_inbound_parts where sms is not null and received < now() - interval '24 hours'`.execute(db);
  await sql`
    delete from sms_inbound_ids
    where created < now() - case when carrier_id like '=%' then interval '1 hour' else interval '40 days' end`.execute(
    db,
  );
}
