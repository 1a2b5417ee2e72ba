import { sql } from 'kysely';
import { CarrierRefusal, type CarrierWith } from '../../../carriers/ports/carriers.ts';
import type { Sender } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import type { FieldErrors } from '../../../platform/errors.ts';
import type { FileName } from '../../../platform/files/files.ts';
import { filesOf, headerFileErrors, withHandles } from '../definition/header-file.ts';
import type { Component } from '../definition/schemas.ts';

/** Samples for headers: files of the account that become handles, which is what the platform calls a sample. */

/** What the platform takes as a sample. */
const typesOf: Record<string, string[]> = {
  IMAGE: ['image/jpeg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
};

/** The files are another room's; they are only read here. */
async function findFiles(db: Db, accountId: string, uuids: string[]) {
  if (uuids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('media')
    .select(['uuid', 'filename', 'mime_type', 'size', 'path'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', sql<string>`any (${uuids}::uuid[])`)
    .where('kind', '=', 'TEMPLATE')
    .execute();
  return new Map(rows.map((row) => [row.uuid, row]));
}

/** Errors for headers whose file is not there or is of the wrong type. */
export async function sampleErrors(
  db: Db,
  accountId: string,
  components: Component[],
): Promise<FieldErrors | undefined> {
  const files = await findFiles(db, accountId, filesOf(components));
  return headerFileErrors(components, (uuid, format) => {
    const file = files.get(uuid);
    if (!file) return 'No template media has this uuid.';
    const types = typesOf[format]!;
    return types.includes(file.mime_type) ? undefined : `Give a file of type ${types.join(' or ')}.`;
  });
}

/** The components as the carrier takes them: files are uploaded, and their handles put in their places. */
export async function withSamples(
  { db, files: stored }: Deps,
  carrier: CarrierWith<'chat'>,
  sender: Sender,
  components: object[],
): Promise<object[]> {
  const wanted = filesOf(components);
  const files = await findFiles(db, sender.accountId, wanted);
  const handles = new Map<string, string>();
  for (const uuid of wanted) {
    const file = files.get(uuid);
    if (!file) throw new CarrierRefusal('sample_gone', 'The file for the header was deleted before it was submitted.');
    const { filename: name, mime_type: mimeType, size } = file;
    const path = await stored.local(file.path as FileName);
    handles.set(uuid, await carrier.chat.media.uploadSample(sender, { name, mimeType, size: size!, path }));
  }
  return withHandles(components, handles);
}
