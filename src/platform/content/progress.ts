import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';

/** How far what was stored before an account turned encryption on or off has been brought along. */
export interface ContentProgress {
  status: (typeof contentStatuses)[number];
  /** Rows and files; null: not counted yet. */
  total: number | null;
  remaining: number | null;
  /** When it was turned on or off last; null: it never was. */
  started: string | null;
  finished: string | null;
}

export const contentStatuses = ['OFF', 'ENCRYPTING', 'ENCRYPTED', 'DECRYPTING'] as const;

export async function readContentProgress(db: Db, accountId: string): Promise<ContentProgress> {
  const { rows } = await sql<{
    encrypt: boolean;
    turned: string;
    finished: string | null;
    total: number | null;
    seen: number;
  }>`
    select encrypt, turned, finished, total, seen from content_passes where account_id = ${accountId}`.execute(db);
  const [pass] = rows;
  if (!pass) return { status: 'OFF', total: 0, remaining: 0, started: null, finished: null };
  const { encrypt, turned, finished, total, seen } = pass;
  const statuses = finished === null ? (['ENCRYPTING', 'DECRYPTING'] as const) : (['ENCRYPTED', 'OFF'] as const);
  const left = total === null ? null : Math.max(total - seen, 0);
  return {
    status: statuses[encrypt ? 0 : 1],
    total,
    remaining: finished === null ? left : 0,
    started: turned,
    finished,
  };
}
