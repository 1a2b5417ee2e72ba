import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import type { Upload } from '../../platform/http/files/upload.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { countStored, refuseWithoutRoom, takeRoom, withinRoom } from '../accounts/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { type Identified, identify } from './identify.ts';
import { plainMimeType, whyTooLarge } from './media-types.ts';
import { deleteTemplateMedia, insertTemplateMedia, placeOf, type StoredRow } from './queries.ts';
import type { TemplateMediaCreate } from './schemas.ts';

/** Keeps an uploaded file that the platform will take. It is in its place before its row is seen by anybody. */
export async function storeTemplateMedia(
  deps: Deps,
  accountId: string,
  upload: Upload,
  { name = upload.filename }: TemplateMediaCreate,
): Promise<StoredRow> {
  const identified = await identify(upload.path);
  const error = whyRefused(identified, upload);
  if (error) throw new ValidationError({ file: [error] });
  const { filename, size, sha256 } = upload;
  const uuid = newId();
  await refuseWithoutRoom(deps, accountId, size);
  const place = placeOf(accountId, uuid);
  await deps.files.adopt(upload.path, place);
  const store = async (deps: Deps): Promise<StoredRow> => {
    const { db } = deps;
    const file = { uuid, name, filename, mime_type: identified.mimeType, size, sha256 };
    const row = await insertTemplateMedia(db, accountId, file);
    await takeRoom(deps, accountId, size);
    await appendEvents(db, [
      { accountId, subjectType: 'media', subject: uuid, kind: 'media.created', data: { filename, size, sha256 } },
    ]);
    return row;
  };
  return withinRoom(deps, [place], () => within(deps, store));
}

/** Types that say nothing. A part that names no type counts as text/plain (RFC 7578, 4.4), and many clients name none. */
const noClaim = ['', 'application/octet-stream', 'text/plain'];

function whyRefused({ mimeType, mediaType, isAnimated }: Identified, upload: Upload): string | undefined {
  const claimed = plainMimeType(upload.mimeType);
  if (mimeType === '') return 'The platform does not take files of this type.';
  if (!mediaType) return `The platform does not take files of this type (${mimeType}).`;
  if (!noClaim.includes(claimed) && claimed !== mimeType) return `The file is ${mimeType}, not ${claimed}.`;
  return whyTooLarge(mediaType, upload.size, isAnimated);
}

/** A message that waits to be sent with it will fail; it is not asked for. */
export async function deleteMedia(deps: Deps, accountId: string, uuid: string): Promise<void> {
  const row = await inTransaction(deps.db, async (db) => {
    const row = await deleteTemplateMedia(db, accountId, uuid);
    if (!row) throw notFound();
    await countStored(db, accountId, -(row.size ?? 0));
    await appendEvents(db, [{ accountId, subjectType: 'media', subject: uuid, kind: 'media.deleted' }]);
    return row;
  });
  await deps.files.delete(row.path);
}
