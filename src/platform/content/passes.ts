import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';

/** The task that brings along what was stored before; see `content-pass.ts`. */
export const contentPassTask = 'content.pass';

/** How far it is. */
export interface Pass {
  encrypt: boolean;
  turned: string;
  place: string;
  after: string[];
  changed: number;
  /** Rows and files there were when it began; null: not counted yet. */
  total: number | null;
  /** How many of them the first walk has looked at. */
  seen: number;
}

/** Notes that an account turns it on or off, and begins a pass. False: it is so already. */
export async function turnContent(db: Db, accountId: string, encrypt: boolean, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into content_passes as pass (account_id, encrypt, turned) values (${accountId}, ${encrypt}, ${now.toISOString()})
    on conflict (account_id) do update set encrypt = excluded.encrypt, turned = excluded.turned, place = '', after = '{}', changed = 0,
      finished = null, total = null, seen = 0, noted = null
    where pass.encrypt <> excluded.encrypt
    returning account_id`.execute(db);
  return rows.length > 0;
}

/** A batch takes seconds. Two who go on with the same pass do no harm. */
const abandonedMs = 120_000;

/** Passes that nobody has gone on with for a while. */
export async function findUnfinishedAnyAccount(db: Db, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - abandonedMs).toISOString();
  const { rows } = await sql<{ account_id: string }>`
    select account_id from content_passes where finished is null and coalesce(noted, turned) < ${before} order by coalesce(noted, turned) limit 20`.execute(
    db,
  );
  return rows.map(({ account_id }) => account_id);
}

export async function readPass(db: Db, accountId: string): Promise<Pass | undefined> {
  const { rows } = await sql<Pass>`
    select encrypt, turned, place, after, changed, total, seen from content_passes
    where account_id = ${accountId} and finished is null`.execute(db);
  return rows[0];
}

/** False: it was turned again meanwhile, and begins anew. */
export async function notePass(
  db: Db,
  accountId: string,
  pass: Pass,
  now: Date,
  { isOver = false } = {},
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update content_passes set place = ${pass.place}, after = ${pass.after}, changed = ${pass.changed},
      total = ${pass.total}, seen = ${pass.seen}, noted = ${now.toISOString()},
      finished = ${isOver ? now.toISOString() : null}
    where account_id = ${accountId} and turned = ${pass.turned} and finished is null`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

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
