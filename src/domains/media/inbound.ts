import { sql } from 'kysely';
import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { Deps, Task } from '../../deps.ts';
import { type Config, originOf } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import { type FileName, FileTooLarge, type ReceivedFile } from '../../platform/files/files.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { isOverQuota, roomOf, takeRoom, withinRoom } from '../accounts/index.ts';
import { findChatappAccount, senderOf } from '../chatapp-accounts/index.ts';
import { mostBytesOfAll } from './media-types.ts';
import { type MediaRow, placeOf } from './queries.ts';
import { sweep } from './retention.ts';

/** Notes files that came with messages; they are fetched soon after the caller's transaction commits. */
export async function noteInbound({ db, queue }: Pick<Deps, 'db' | 'queue'>, files: InboundFile[]): Promise<void> {
  if (files.length === 0) return;
  const added = await insertInbound(db, files);
  if (added.length > 0) await queue.enqueue(db, 'media.fetch', added);
}

/** The address of the file of an inbound message, as the outside world reaches it. */
export const inboundMediaUrl = (config: Config, message: string): string =>
  `${originOf(config)}/v2/chatapp/messages/${message}/media/`;

/** Fetches files of inbound messages, all at once. When some have to be tried again, the others have done nothing wrong. */
export async function fetchInbound(deps: Deps, files: FileId[]): Promise<void> {
  const results = await Promise.allSettled(files.map(({ accountId, uuid }) => fetchOne(deps, accountId, uuid)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function fetchOne(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const row = await findInbound(deps.db, accountId, uuid);
  if (!row || row.path !== null || row.problem !== null) return;
  try {
    if ((await roomOf(deps, accountId)) === 0) throw new ApiError('storage_quota_exceeded');
    const { mimeType, ...received } = await download(deps, accountId, row);
    const path = placeOf(accountId, uuid);
    await deps.files.adopt(received.path, path);
    const { size, sha256 } = received;
    // Others are fetched at the same time, and may have taken the room meanwhile.
    const store = () =>
      within(deps, async (deps) => {
        const { db } = deps;
        await setFetched(db, accountId, uuid, { path, size, sha256, mime_type: row.mime_type || mimeType });
        await takeRoom(deps, accountId, size);
      });
    await withinRoom(deps, [path], store);
  } catch (error) {
    const problem = finalProblem(error);
    if (problem === undefined) throw error;
    await setProblem(deps.db, accountId, uuid, problem);
  }
}

async function download(deps: Deps, accountId: string, row: MediaRow): Promise<ReceivedFile & { mimeType: string }> {
  const account = row.chatapp_account && (await findChatappAccount(deps.db, accountId, row.chatapp_account));
  if (!account) throw new CarrierRefusal('no_sender', 'The number that it was sent to is not registered any more.');
  const { media } = deps.carriers.get(account.carrier, 'chat').chat;
  const { mimeType, bytes } = await media.download(senderOf(deps, account), row.carrier_media_id ?? '');
  return { ...(await deps.files.receive(bytes, mostBytesOfAll)), mimeType };
}

/** Why another try would not help; undefined when it may. */
function finalProblem(error: unknown): string | undefined {
  if (isOverQuota(error)) return 'The account has used up its file storage.';
  if (error instanceof FileTooLarge) return 'It is larger than 100 MB.';
  return error instanceof CarrierRefusal && !error.temporary ? error.message : undefined;
}

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
async function insertInbound(db: Db, files: InboundFile[]): Promise<FileId[]> {
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

const findInbound = (db: Db, accountId: string, uuid: string) =>
  inbound(db, accountId).where('uuid', '=', uuid).executeTakeFirst() as Promise<MediaRow | undefined>;

export const findOfMessage = (db: Db, accountId: string, message: string) =>
  inbound(db, accountId).where('message', '=', message).executeTakeFirst() as Promise<MediaRow | undefined>;

async function setFetched(
  db: Db,
  accountId: string,
  uuid: string,
  file: { path: FileName; size: number; sha256: string; mime_type: string },
): Promise<void> {
  await db.updateTable('media').set(file).where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

async function setProblem(db: Db, accountId: string, uuid: string, problem: string): Promise<void> {
  await db.updateTable('media').set({ problem }).where('account_id', '=', accountId).where('uuid', '=', uuid).execute();
}

const fetch: Task<FileId> = { name: 'media.fetch', batchSize: 5, handler: fetchInbound };

export const tasks: Task[] = [
  fetch as Task,
  { name: 'media.sweep', batchSize: 1, cron: '41 3 * * *', handler: (deps) => sweep(deps) },
];
