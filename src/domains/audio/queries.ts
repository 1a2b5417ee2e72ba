import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { AudioFiles } from '../../platform/db/types.ts';
import type { FileName } from '../../platform/files/files.ts';
import { isUuid } from '../../platform/ids.ts';

export type AudioRow = Selectable<AudioFiles>;

/** Where the MP3 of a row is, and what calls play of it. */
export const mp3Place = (accountId: string, uuid: string): FileName => `audio/${accountId}/${uuid}`;
export const soundPlace = (accountId: string, uuid: string): FileName => `sounds/${accountId}/${uuid}`;

const audioFiles = (db: Db, accountId: string) =>
  db.selectFrom('audio_files').selectAll().where('account_id', '=', accountId);

export const findAudioFile = (db: Db, accountId: string, uuid: string): Promise<AudioRow | undefined> =>
  audioFiles(db, accountId).where('uuid', '=', uuid).executeTakeFirst();

export const findByName = (db: Db, accountId: string, name: string): Promise<AudioRow | undefined> =>
  audioFiles(db, accountId).where('name', '=', name).executeTakeFirst();

export const listAudioFiles = (db: Db, accountId: string, query: PageQuery) =>
  keysetPage(db, audioFiles(db, accountId), query);

/** Files of an account get their names one after the other, so that none gets one that another is about to have. */
export async function lockNames(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audio names ${accountId}`}, 0))`.execute(db);
}

/** The first of `stem (2).mp3`, `stem (3).mp3` … that no file has. */
export async function findFreeName(db: Db, accountId: string, stem: string, ending: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select candidate.name
    -- As a column, so that the series is counted no further than the first that is free
    from (select generate_series(2, 1000000) as place) as series,
      lateral (select ${stem}::text || ' (' || place || ')' || ${ending}::text as name) as candidate
    where not exists (select 1 from audio_files where account_id = ${accountId} and name = candidate.name)
    limit 1`.execute(db);
  return rows[0]!.name;
}

export const insertAudioFile = (
  db: Db,
  accountId: string,
  row: Omit<AudioRow, 'account_id' | 'created'>,
): Promise<AudioRow> =>
  db
    .insertInto('audio_files')
    .values({ account_id: accountId, ...row })
    .returningAll()
    .executeTakeFirstOrThrow();

export const lockAudioFile = (db: Db, accountId: string, uuid: string): Promise<AudioRow | undefined> =>
  audioFiles(db, accountId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();

export async function removeAudioFile(db: Db, accountId: string, uuid: string): Promise<void> {
  await db.deleteFrom('audio_files').where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

/**
 * Those of these files, given by name or uuid, that there are; until the end of the transaction nobody deletes them. By what they
 * were given as.
 */
export async function lockAudioFiles(db: Db, accountId: string, given: string[]): Promise<Map<string, string>> {
  if (given.length === 0) return new Map();
  const { rows } = await sql<{ uuid: string; name: string }>`
    select uuid, name from audio_files
    where account_id = ${accountId}
      and (uuid = any(${given.filter(isUuid)}::uuid[]) or name = any(${given}::text[]))
    for key share`.execute(db);
  const known = new Map(rows.flatMap(({ uuid, name }) => [[uuid, uuid] as const, [name, uuid] as const]));
  return new Map(
    given.flatMap((one) => {
      const uuid = known.get(isUuid(one) ? one.toLowerCase() : one);
      return uuid === undefined ? [] : [[one, uuid] as const];
    }),
  );
}

/** Those of these files that a row speaks of. */
export async function findKnownAnyAccount(db: Db, files: { accountId: string; uuid: string }[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid from audio_files where (account_id, uuid) in (
      select * from unnest(${files.map((file) => file.accountId)}::uuid[], ${files.map((file) => file.uuid)}::uuid[]))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.uuid));
}
