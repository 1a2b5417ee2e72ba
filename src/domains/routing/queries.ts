import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { RoutingConfigs } from '../../platform/db/types.ts';
import { newId } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { Channel, ConfigFields } from './schemas.ts';

export type ConfigRow = Selectable<RoutingConfigs>;

/** In `routing_numbers`, all numbers that are not named. */
const anyNumber = '';

const configsOf = (db: Db, accountId: string) =>
  db.selectFrom('routing_configs').selectAll().where('account_id', '=', accountId);

export const findConfig = (db: Db, accountId: string, uuid: string): Promise<ConfigRow | undefined> =>
  configsOf(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

export function listConfigs(db: Db, accountId: string, query: PageQuery & { channel?: Channel; number?: string }) {
  let rows = configsOf(db, accountId);
  if (query.channel) rows = rows.where('channel', '=', query.channel);
  if (query.number !== undefined) {
    const deciding = sql<string>`(select config from routing_numbers where account_id = ${accountId}
      and channel = any(array['VOICE', 'SMS', 'CHATAPP']) and digits = ${phoneDigits(query.number)})`;
    rows = rows.where('uuid', 'in', deciding);
  }
  return keysetPage(db, rows, query);
}

/** The enabled config that decides for a number: the one that names it, else the one for all. */
export async function findDeciding(
  db: Db,
  accountId: string,
  channel: Channel,
  digits: string,
): Promise<ConfigRow | undefined> {
  const { rows } = await sql<ConfigRow>`
    select config.* from routing_numbers as deciding
    join routing_configs as config on config.account_id = deciding.account_id and config.uuid = deciding.config
    where deciding.account_id = ${accountId} and deciding.channel = ${channel}
      and deciding.digits = any(${[digits, anyNumber]}::text[])
    order by deciding.digits = ${anyNumber} limit 1`.execute(db);
  return rows[0];
}

/** The channels for which an account has any enabled config. */
export async function findChannels(db: Db, accountId: string): Promise<Set<string>> {
  const { rows } = await sql<{ channel: string }>`
    select channel from unnest(array['VOICE', 'SMS', 'CHATAPP']) as channel
    where exists (select 1 from routing_numbers
      where account_id = ${accountId} and routing_numbers.channel = channel.channel)`.execute(db);
  return new Set(rows.map(({ channel }) => channel));
}

const columnsOf = ({ routes, fallback, ...fields }: ConfigFields) => ({
  ...fields,
  routes: JSON.stringify(routes),
  fallback: fallback && JSON.stringify(fallback),
});

export async function insertConfig(db: Db, accountId: string, fields: ConfigFields): Promise<string> {
  const uuid = newId();
  await db
    .insertInto('routing_configs')
    .values({ account_id: accountId, uuid, ...columnsOf(fields) })
    .execute();
  return uuid;
}

export async function updateConfig(db: Db, accountId: string, uuid: string, fields: ConfigFields): Promise<void> {
  await db
    .updateTable('routing_configs')
    .set({ ...columnsOf(fields), modified: sql`now()` })
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Changes of an account's configs come one after the other: two that exchange numbers would wait for each other in a circle. */
export async function lockConfigs(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`routing ${accountId}`}, 0))`.execute(db);
}

/** Lets a config decide for its numbers, if it is enabled; answers those for which another one does (as digits, '': all). */
export async function setNumbers(
  db: Db,
  accountId: string,
  uuid: string,
  { enabled, channel, digits }: Pick<ConfigFields, 'enabled' | 'channel'> & { digits: string[] },
): Promise<Set<string>> {
  await db.deleteFrom('routing_numbers').where('account_id', '=', accountId).where('config', '=', uuid).execute();
  if (!enabled) return new Set();
  const wanted = digits.length === 0 ? [anyNumber] : [...new Set(digits)];
  const { rows } = await sql<{ digits: string }>`
    insert into routing_numbers (account_id, channel, digits, config)
    select ${accountId}::uuid, ${channel}, digits, ${uuid}::uuid from unnest(${wanted}::text[]) as digits
    on conflict (account_id, channel, digits) do nothing
    returning digits`.execute(db);
  return new Set(wanted).difference(new Set(rows.map(({ digits }) => digits)));
}

/** Notes which audio files a config plays. */
export async function setAudioFiles(db: Db, accountId: string, uuid: string, files: string[]): Promise<void> {
  await db.deleteFrom('routing_audio_files').where('account_id', '=', accountId).where('config', '=', uuid).execute();
  if (files.length === 0) return;
  await db
    .insertInto('routing_audio_files')
    .values(files.map((file) => ({ account_id: accountId, file, config: uuid })))
    .execute();
}

export async function deleteConfig(db: Db, accountId: string, uuid: string): Promise<boolean> {
  const row = await db
    .deleteFrom('routing_configs')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .returning('uuid')
    .executeTakeFirst();
  return row !== undefined;
}

/** On which of these lists the person with a number is. */
export async function findListsOf(db: Db, accountId: string, digits: string, lists: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ list: string }>`
    select member.list from contacts as contact
    join list_members as member on member.account_id = contact.account_id and member.contact = contact.uuid
      and member.list = any(${lists}::uuid[]) and member.removed_at is null
    join lists on lists.account_id = member.account_id and lists.uuid = member.list and lists.deleted_at is null
    where contact.account_id = ${accountId} and contact.digits = ${digits}`.execute(db);
  return new Set(rows.map(({ list }) => list));
}

/** Configs that play an audio file, by the file's uuid: at most so many of each. */
export async function configsPlaying(
  db: Db,
  accountId: string,
  files: { uuid: string }[],
  most: number,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ uuid: string; configs: string[] }>`
    select file.uuid, array(
      select config::text from routing_audio_files
      where account_id = ${accountId} and routing_audio_files.file = file.uuid::uuid order by config limit ${most}) as configs
    from unnest(${files.map(({ uuid }) => uuid)}::text[]) as file (uuid)`.execute(db);
  return new Map(rows.map(({ uuid, configs }) => [uuid, configs]));
}
