import type { Selectable } from 'kysely';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import type { Events } from '../../platform/db/types.ts';

export type EventRow = Pick<Selectable<Events>, 'uuid' | 'kind' | 'subject_type' | 'subject' | 'data' | 'at'>;

/**
 * Ids are made before their transaction commits, and so become visible out of their order. What is older than this has
 * either become visible or never will.
 */
const settledSeconds = 5;

const settled = prepared<{ floor: string }>(
  'timeline.settled',
  `select uuid_floor(now() - interval '${settledSeconds} seconds') as floor`,
);

/** The id below which nothing new appears any more. */
export async function settledFloor(db: Db): Promise<string> {
  return (await settled(db, []))[0]!.floor;
}

const since = prepared<EventRow>(
  'timeline.since',
  `select uuid, kind, subject_type, subject, data, at from timeline
  where account_id = $1 and uuid > $2 and uuid <> all ($3::uuid[]) order by uuid limit $4`,
);

/** Events after an id, in the order of ids, without those that are known already. */
export const eventsSince = (db: Db, accountId: string, after: string, known: Iterable<string>, limit: number) =>
  since(db, [accountId, after, uuidArray([...known]), limit]);
