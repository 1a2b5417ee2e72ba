import type { CarrierWith } from '../../carriers/ports/carriers.ts';
import type { Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { findForSending, rememberUpload } from './queries.ts';

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
