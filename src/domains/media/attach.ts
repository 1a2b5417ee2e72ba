import type { CarrierWith } from '../../carriers/ports/carriers.ts';
import type { Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type MediaType, mediaTypeOf, notA } from './media-types.ts';
import { findForSending, findTypes, rememberUpload } from './queries.ts';

/** A file that a message wants to be sent with. */
export interface MediaUse {
  accountId: string;
  uuid: string;
  mediaType: MediaType;
}

/** What is wrong with each of these uses, in their order. One query for all of them, none for none. */
export async function findMediaErrors(db: Db, uses: MediaUse[]): Promise<(string | undefined)[]> {
  if (uses.length === 0) return [];
  const rows = await findTypes(db, uses);
  const types = new Map(rows.map((row) => [row.account_id + row.uuid, mediaTypeOf(row.mime_type)]));
  return uses.map(({ accountId, uuid, mediaType }) => {
    const found = types.get(accountId + uuid.toLowerCase());
    if (!found) return 'Not found.';
    return found === mediaType ? undefined : notA(mediaType);
  });
}

/**
 * What a sender's carrier calls these files: remembered, or made known to it now. Two processes may do so at once; either id
 * is good. A file that was deleted is missing from the answer. Throws `CarrierRefusal`; what came before it is remembered.
 */
export async function carrierIdsOf(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  carrier: CarrierWith<'chat'>,
  sender: Sender,
  uuids: string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const ids = new Map<string, string>();
  for (const row of await findForSending(db, sender.accountId, sender.uuid, uuids)) {
    const { uuid, filename: name, mime_type: mimeType, size, path, carrier_id } = row;
    if (carrier_id === null) {
      const local = await files.local(path);
      const uploaded = await carrier.chat.media
        .upload(sender, { name, mimeType, size, path: local })
        .finally(() => files.release(path, local));
      const upload = { media: uuid, chatappAccount: sender.uuid, carrierId: uploaded.id, expires: uploaded.expiresAt };
      await rememberUpload(db, sender.accountId, upload);
      ids.set(uuid, uploaded.id);
    } else ids.set(uuid, carrier_id);
  }
  // Named as the caller named them: ids may be written in capitals.
  return new Map(
    uuids.flatMap((uuid) => {
      const id = ids.get(uuid.toLowerCase());
      return id === undefined ? [] : [[uuid, id] as const];
    }),
  );
}
