import { sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { FileName } from '../../platform/files/files.ts';
import { newId } from '../../platform/ids.ts';
import type { MediaRow } from './queries.ts';

/** A file that came with a message and is still at the carrier. */
export interface InboundFile {
  accountId: string;
  message: string;
  chatappAccount: string;
  carrierMediaId: string;
  mimeType: string;
  /** '' where the carrier names none. */
  filename: string;
  /** As the carrier says; ours is computed when the bytes are here. */
  sha256: string | null;
}

/** Names a file for a task. */
export interface FileId {
  accountId: string;
  uuid: string;
}

/** One row per message, however often it is noted; answers with those that are new. */
export async function insertInbound(db: Db, files: InboundFile[]): Promise<FileId[]> {
  const { rows } = await sql<FileId>`
    insert into media
      (account_id, uuid, kind, message, chatapp_account, carrier_media_id, mime_type, filename, sha256)
    select account_id, uuid, 'INBOUND', message, chatapp_account, carrier_media_id, mime_type, filename, sha256
    from unnest(
      ${files.map((file) => file.accountId)}::uuid[], ${files.map(() => newId())}::uuid[],
      ${files.map((file) => file.message)}::uuid[], ${files.map((file) => file.chatappAccount)}::uuid[],
      ${files.map((file) => file.carrierMediaId)}::text[], ${files.map((file) => file.mimeType)}::text[],
      ${files.map((file) => file.filename)}::text[], ${files.map((file) => file.sha256)}::text[]
    ) as file (account_id, uuid, message, chatapp_account, carrier_media_id, mime_type, filename, sha256)
    on conflict (account_id, message) where message is not null do nothing
    returning account_id as "accountId", uuid`.execute(db);
  return rows;
}

const inbound = (db: Db, accountId: string) =>
  db.selectFrom('media').selectAll().where('account_id', '=', accountId).where('kind', '=', 'INBOUND');

export const findInbound = (db: Db, accountId: string, uuid: string) =>
  inbound(db, accountId).where('uuid', '=', uuid).executeTakeFirst() as Promise<MediaRow | undefined>;

export const findOfMessage = (db: Db, accountId: string, message: string) =>
  inbound(db, accountId).where('message', '=', message).executeTakeFirst() as Promise<MediaRow | undefined>;

export async function setFetched(
  db: Db,
  accountId: string,
  uuid: string,
  file: { path: FileName; size: number; sha256: string; mime_type: string },
): Promise<void> {
  await db.updateTable('media').set(file).where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

export async function setProblem(db: Db, accountId: string, uuid: string, problem: string): Promise<void> {
  await db.updateTable('media').set({ problem }).where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}
