import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { isDistributed } from '../../../platform/db/distribute/layout.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import type { AuditLog } from '../../../platform/db/types.ts';
import { deleteAuditEntriesAnyAccount } from '../../../platform/http/audit.ts';

export type AuditRow = Selectable<AuditLog>;
export type AuditFilter = PageQuery & { actor?: string; operation?: string };

export const listAuditEntries = (db: Db, accountId: string, query: AuditFilter) =>
  keysetPage(db, filtered(db, accountId, query), query);

export const auditChunks = (db: Db, accountId: string, query: AuditFilter) =>
  keysetChunks(filtered(db, accountId, query), query);

function filtered(db: Db, accountId: string, { actor, operation }: AuditFilter) {
  let rows = db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId);
  if (actor) rows = rows.where('actor_uuid', '=', actor);
  if (operation) rows = rows.where('operation', '=', operation);
  return rows;
}

const mostAtOnce = 5_000;

/** Removes what is older than its account keeps things, and than the server does: whoever covers tracks cannot shorten that. */
export async function purgeAuditLogAnyAccount(db: Db, leastDays: number): Promise<void> {
  for (;;) {
    const since = sql`uuid_floor(now() - make_interval(days => greatest(accounts.retention_days, ${leastDays})))`;
    const { rows } = isDistributed()
      ? await sql<{ account_id: string; uuid: string }>`
          select audit_log.account_id, audit_log.uuid from audit_log join accounts on accounts.uuid = audit_log.account_id
          where audit_log.uuid < ${since} limit ${mostAtOnce}`.execute(db)
      : await sql<{ account_id: string; uuid: string }>`
          select expired.account_id, expired.uuid from accounts
          cross join lateral (
            select account_id, uuid from audit_log
            where audit_log.account_id = accounts.uuid and audit_log.uuid < ${since}
            order by audit_log.uuid limit ${mostAtOnce}) as expired
          limit ${mostAtOnce}`.execute(db);
    await deleteAuditEntriesAnyAccount(db, rows);
    if (rows.length < mostAtOnce) return;
  }
}
