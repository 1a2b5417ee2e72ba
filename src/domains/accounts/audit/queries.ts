import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { keysetChunks, keysetPage, type PageQuery } from '../../../platform/db/page.ts';
import { findWithOldAnyAccount } from '../../../platform/db/retention.ts';
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
  const moment = (days: RawBuilder<unknown>) => sql`uuid_floor(now() - make_interval(days => ${days}))`;
  const old = {
    before: moment(sql`greatest(accounts.retention_days, ${leastDays})`),
    youngest: moment(sql`${leastDays}`),
  };
  const entries = { name: 'audit_log', key: 'uuid', isWhole: true };
  for (const { uuid, before } of await findWithOldAnyAccount(db, entries, old)) {
    // Numbers first: an entry without one is no part of the chain.
    while ((await sealAuditEntries(db, vault, uuid)).length > 0);
    while ((await cutChain(db, vault, uuid, { before, most: mostAtOnce })) === mostAtOnce);
  }
}
