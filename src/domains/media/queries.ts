import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import { keysetPage, type PageQuery } from '../../platform/db/page.ts';
import type { Media } from '../../platform/db/types.ts';
import type { FileName } from '../../platform/files/files.ts';

export type MediaRow = Omit<Selectable<Media>, 'path'> & { path: FileName | null };
/** A file that is there. */
export type StoredRow = MediaRow & { path: FileName; size: number; sha256: string };

/** Where the file of a row is put: each has a place of its own. */
export const placeOf = (accountId: string, uuid: string): FileName => `media/${accountId}/${uuid}`;

export async function insertTemplateMedia(
  db: Db,
  accountId: string,
  row: Pick<StoredRow, 'uuid' | 'name' | 'filename' | 'mime_type' | 'size' | 'sha256'>,
): Promise<StoredRow> {
  const inserted = await db
    .insertInto('media')
    .values({ account_id: accountId, kind: 'TEMPLATE', path: placeOf(accountId, row.uuid), ...row })
    .returningAll()
    .executeTakeFirstOrThrow();
  return inserted as StoredRow;
}

const templateMedia = (db: Db, accountId: string) =>
  db.selectFrom('media').selectAll().where('account_id', '=', accountId).where('kind', '=', sql.lit('TEMPLATE'));

export const findTemplateMedia = (db: Db, accountId: string, uuid: string) =>
  templateMedia(db, accountId).where('uuid', '=', uuid).executeTakeFirst() as Promise<StoredRow | undefined>;

export async function listTemplateMedia(db: Db, accountId: string, query: PageQuery) {
  const page = await keysetPage(db, templateMedia(db, accountId), query);
  return { ...page, rows: page.rows as StoredRow[] };
}

export const deleteTemplateMedia = (db: Db, accountId: string, uuid: string) =>
  db
    .deleteFrom('media')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .where('kind', '=', 'TEMPLATE')
    .returningAll()
    .executeTakeFirst() as Promise<StoredRow | undefined>;

/** The types of files that an account may send; those it does not have are missing. */
export async function findTypes(
  db: Db,
  uses: { accountId: string; uuid: string }[],
): Promise<{ account_id: string; uuid: string; mime_type: string }[]> {
  const { rows } = await sql<{ account_id: string; uuid: string; mime_type: string }>`
    select account_id, uuid, mime_type from media
    where kind = 'TEMPLATE' and (account_id, uuid) in (
      select * from unnest(${uses.map((use) => use.accountId)}::uuid[], ${uses.map((use) => use.uuid)}::uuid[]))`.execute(
    db,
  );
  return rows;
}

/** Those of these files that are there, each with what the sender's carrier calls it if it will for another day. */
export async function findForSending(
  db: Db,
  accountId: string,
  chatappAccount: string,
  uuids: string[],
): Promise<(StoredRow & { carrier_id: string | null })[]> {
  const { rows } = await sql<StoredRow & { carrier_id: string | null }>`
    select media.*, upload.carrier_id from media
    left join media_uploads as upload on upload.account_id = media.account_id and upload.media = media.uuid
      and upload.chatapp_account = ${chatappAccount} and upload.expires > now() + interval '1 day'
    where media.account_id = ${accountId} and media.uuid = any (${uuids}::uuid[]) and media.kind = 'TEMPLATE'`.execute(
    db,
  );
  return rows;
}

/** Remembers what a carrier calls a file; of one that was deleted meanwhile there is nothing to remember. */
export async function rememberUpload(
  db: Db,
  accountId: string,
  upload: { media: string; chatappAccount: string; carrierId: string; expires: Date },
): Promise<void> {
  await sql`
    insert into media_uploads (account_id, media, chatapp_account, carrier_id, expires)
    select account_id, uuid, ${upload.chatappAccount}, ${upload.carrierId}, ${upload.expires.toISOString()}
    from media where account_id = ${accountId} and uuid = ${upload.media} for key share
    on conflict (account_id, media, chatapp_account)
      do update set carrier_id = excluded.carrier_id, expires = excluded.expires`.execute(db);
}

/** What a sender's carrier calls files is not asked any more: it has another carrier. */
export async function forgetUploads(db: Db, accountId: string, chatappAccount: string): Promise<void> {
  await db
    .deleteFrom('media_uploads')
    .where('account_id', '=', accountId)
    .where('chatapp_account', '=', chatappAccount)
    .execute();
}
