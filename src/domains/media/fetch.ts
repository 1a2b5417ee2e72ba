import { CarrierRefusal } from '../../carriers/ports/carriers.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../platform/errors.ts';
import { FileTooLarge, type ReceivedFile } from '../../platform/files/files.ts';
import { within } from '../../platform/within.ts';
import { isOverQuota, roomOf, takeRoom, withinRoom } from '../accounts/index.ts';
import { findChatappAccount, senderOf } from '../chatapp-accounts/index.ts';
import { type FileId, findInbound, setFetched, setProblem } from './inbound-queries.ts';
import { mostBytesOfAll } from './kinds/types.ts';
import { type MediaRow, placeOf } from './queries.ts';

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
