import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { isDistributed } from '../../../platform/db/distribute/layout.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { type AuditRow, cutChain, sealAuditEntries } from '../../../platform/http/audit-chain.ts';
import type { Vault } from '../../../platform/secrets.ts';

export type { AuditRow };
export type AuditFilter = PageQuery & { actor?: string; operation?: string };

export const listAuditEntries = (db: Db, accountId: string, query: AuditFilter) =>
  keysetPage(db, filtered(db, accountId, query), query);

export const auditChunks = (db: Db, accountId: string, query: AuditFilter) =>
  keysetChunks(filtered(db, accountId, query), query);

/** All of an account, oldest first, some at a time. */
export const listAllAuditEntries = (db: Db, accountId: string) =>
  auditChunks(db, accountId, { page_size: 200, ordering: 'created' });

/** For whoever checks them all. */
export const listEveryAccountAnyAccount = (db: Db) =>
  db.selectFrom('accounts').select(['uuid', 'name']).orderBy('uuid').execute();

function filtered(db: Db, accountId: string, { actor, operation }: AuditFilter) {
  let rows = db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId);
  if (actor) rows = rows.where('actor_uuid', '=', actor);
  if (operation) rows = rows.where('operation', '=', operation);
  return rows;
}

const mostAtOnce = 5_000;

/**
 * Removes what is older than its account keeps things, and than the server does: whoever covers tracks cannot shorten that. Entries go
 * from the beginning of the chain, which remembers the last one that went.
 */
export async function purgeAuditLogAnyAccount(
  { db, vault }: { db: Db; vault: Pick<Vault, 'digest'> },
  leastDays: number,
): Promise<void> {
  for (const { account_id, before } of await findExpiredAnyAccount(db, leastDays)) {
    // Numbers first: an entry without one is no part of the chain.
    while ((await sealAuditEntries(db, vault, account_id)).length > 0);
    while ((await cutChain(db, vault, account_id, { before, most: mostAtOnce })) === mostAtOnce);
  }
}

/** Accounts whose oldest entries are too old, and the id before which they are. */
async function findExpiredAnyAccount(db: Db, leastDays: number): Promise<{ account_id: string; before: string }[]> {
  const since = sql`uuid_floor(now() - make_interval(days => greatest(accounts.retention_days, ${leastDays})))`;
  const { rows } = isDistributed()
    ? await sql<{ account_id: string; before: string }>`
        select distinct audit_log.account_id, ${since} as before
        from audit_log join accounts on accounts.uuid = audit_log.account_id where audit_log.uuid < ${since}`.execute(
        db,
      )
    : await sql<{ account_id: string; before: string }>`
        select accounts.uuid as account_id, ${since} as before from accounts
        where exists (
          select from audit_log where audit_log.account_id = accounts.uuid and audit_log.uuid < ${since})`.execute(db);
  return rows;
}
