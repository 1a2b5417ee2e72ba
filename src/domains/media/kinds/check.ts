import type { Db } from '../../../platform/db/connect/pool.ts';
import { findTypes } from '../queries.ts';
import { type MediaType, mediaTypeOf, notA } from './types.ts';

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
