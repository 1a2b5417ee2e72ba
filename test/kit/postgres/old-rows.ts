// What the tests of retention are made of: a database with months behind it, and things of an age in it.
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connect/pool.ts';
import { makeIdSource } from '../../../src/platform/ids.ts';

const dayMs = 86_400_000;

/** Partitions for each of the last 16 months, as a server has that has run for so long. */
export const makeMonths = (db: Db) =>
  sql`do $$
    declare
      parent regclass;
      present text;
    begin
      for parent in select oid from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace loop
        present := parent::text || '_' || to_char(now() at time zone 'UTC', 'YYYYMM');
        execute format('alter table %s detach partition %I', parent, present);
        execute format('alter table %I rename to former', present);
        for ago in reverse 16..0 loop
          execute format('create table %I partition of %s for values from (%s) to (%L)',
            parent::text || '_' || to_char((now() - make_interval(months => ago)) at time zone 'UTC', 'YYYYMM'), parent,
            case ago when 16 then 'minvalue'
              else quote_literal(uuid_floor(date_trunc('month', now(), 'UTC') - make_interval(months => ago))) end,
            uuid_floor(date_trunc('month', now(), 'UTC') - make_interval(months => ago - 1)));
        end loop;
        if parent::text = 'events' then insert into events select * from former; end if;
        drop table former;
      end loop;
    end $$`.execute(db);

/** Makes a month of the past once more, after it went. */
export async function makeOldMonth(db: Db, table: string): Promise<void> {
  const bounds = await sql<{ first: string; last: string }>`
    select uuid_floor(moment - interval '1 month') as first, uuid_floor(moment) as last
    from (select date_trunc('month', now() - interval '365 days', 'UTC') as moment) as month`.execute(db);
  const { first, last } = bounds.rows[0]!;
  await sql`drop table ${sql.table(`${table}_000000`)}`.execute(db);
  await sql`create table ${sql.table(`${table}_old`)} partition of ${sql.table(table)}
    for values from (${sql.lit(first)}) to (${sql.lit(last)})`.execute(db);
}

export const idsAt = (daysAgo: number) => makeIdSource(() => Date.now() - daysAgo * dayMs);

/** Outbound messages of an age, each with its state and first event. */
export async function writeMessages(
  db: Db,
  accountId: string,
  daysAgo: number,
  states: { status: string; modified?: number; due?: string }[],
) {
  const newId = idsAt(daysAgo);
  const uuids = states.map(() => newId());
  const values = states.map(({ status, modified = daysAgo, due = '-infinity' }, index) => ({
    uuid: uuids[index],
    status,
    modified,
    due,
  }));
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(values)}::json) as one
        (uuid uuid, status text, modified integer, due timestamptz)
    ), said as (
      insert into messages (account_id, uuid, chatapp_account, direction, type, chatapp_number, from_chatapp_number,
        to_chatapp_number, from_digits, to_digits, message_data)
      select ${accountId}, uuid, gen_random_uuid(), 'OUTBOUND', 'TEXT', '', '', '', '1', '2', '{}' from given
    ), logged as (
      insert into events (account_id, uuid, subject_type, subject, kind, data)
      select ${accountId}, uuid, 'message', uuid, 'message.sent', '{"status": "SENT"}' from given
    )
    insert into message_states (account_id, uuid, chatapp_account, status, priority, modified, due_at)
    select ${accountId}, uuid, gen_random_uuid(), status, 2, now() - make_interval(days => modified), due from given`.execute(
    db,
  );
  return uuids;
}

export async function writeSms(db: Db, accountId: string, daysAgo: number, status: string): Promise<string> {
  const uuid = idsAt(daysAgo)();
  await sql`
    with said as (
      insert into sms (account_id, uuid, direction, from_number, to_number, from_digits, to_digits, text, encoding, segments)
      values (${accountId}, ${uuid}, 'OUTBOUND', '1', '2', '1', '2', '', 'GSM', 1)
    ), parts as (
      insert into sms_parts (account_id, sms, part, link, carrier_id) values (${accountId}, ${uuid}, 1, ${uuid}, '1')
    )
    insert into sms_states (account_id, uuid, status, priority, modified)
    values (${accountId}, ${uuid}, ${status}, 2, now() - make_interval(days => ${daysAgo}))`.execute(db);
  return uuid;
}

export async function writeEvent(
  db: Db,
  accountId: string,
  daysAgo: number,
  subjectType: string,
  kind: string,
  data: object,
) {
  const uuid = idsAt(daysAgo)();
  await sql`
    insert into events (account_id, uuid, subject_type, subject, kind, data, at)
    values (${accountId}, ${uuid}, ${subjectType}, ${uuid}, ${kind}, ${JSON.stringify(data)},
      now() - make_interval(days => ${daysAgo}))`.execute(db);
  return uuid;
}

/** Which of these ids a table still has. */
export async function findLeft(db: Db, table: string, uuids: string[], key = 'uuid'): Promise<boolean[]> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(key)} as id from ${sql.table(table)} where ${sql.ref(key)} = any (${uuids}::uuid[])`.execute(db);
  return uuids.map((uuid) => rows.some(({ id }) => id === uuid));
}

export const partitionNames = async (db: Db, table: string): Promise<string[]> =>
  (
    await sql<{ name: string }>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = ${table}::regclass order by relname`.execute(db)
  ).rows.map(({ name }) => name);
