import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage } from '../../../platform/db/page.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import { eventsOfType } from '../../timeline/index.ts';
import type { RawNumberFilter } from './schemas.ts';

export interface NumberEventRow {
  uuid: string;
  kind: string;
  data: { number: string; changed?: string[] };
  at: string;
}

const columns = { uuid: 'uuid', created: 'at' };

export function numberEvents(db: Db, accountId: string, { number, event }: Pick<RawNumberFilter, 'number' | 'event'>) {
  let rows = eventsOfType(db, accountId, 'number').$castTo<NumberEventRow>();
  if (number) rows = rows.where(sql`data ->> 'number'`, '=', `+${phoneDigits(number)}`);
  if (event) rows = rows.where('kind', '=', event);
  return rows;
}

export const listNumberEvents = (db: Db, accountId: string, filter: RawNumberFilter) =>
  keysetPage(db, numberEvents(db, accountId, filter), filter, columns);

/** All of them, a chunk at a time. */
export const readNumberEvents = (db: Db, accountId: string, filter: RawNumberFilter) =>
  keysetChunks(numberEvents(db, accountId, filter), filter, columns);
