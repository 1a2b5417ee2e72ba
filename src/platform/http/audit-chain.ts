import { hash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { uuidArray } from '../db/arrays.ts';
import { type Db, inTransaction } from '../db/connect/pool.ts';
import type { AuditChains, AuditLog } from '../db/types.ts';
import type { Vault } from '../secrets.ts';

export type AuditRow = Selectable<AuditLog>;
type Chain = Selectable<AuditChains>;

const mostAtOnce = 500;

/** The hash of an entry: over these fields in this order, as JSON. docs/accounts.md tells this to whoever checks an export. */
export const hashOf = (previous: string, sequence: number, row: AuditRow): string =>
  hash(
    'sha256',
    JSON.stringify([
      ...[previous, sequence, row.account_id, row.uuid, row.created, row.actor_type, row.actor_uuid, row.actor_name],
      ...[row.operation, row.summary, row.method, row.path, row.status, row.address, row.request_id],
    ]),
    'hex',
  );

type End = Pick<Chain, 'account_id' | 'sequence' | 'hash' | 'anchor_sequence' | 'anchor_hash'>;

const signatureOf = (vault: Pick<Vault, 'digest'>, end: End): string =>
  vault.digest(`audit chain ${end.account_id} ${end.sequence} ${end.hash} ${end.anchor_sequence} ${end.anchor_hash}`);

/** Accounts that have entries without a number. */
export async function findUnsealedAnyAccount(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from audit_log where sequence is null limit ${most}`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/**
 * Locks the end of the chain, so that one transaction at a time adds to it or removes from it. undefined: there is no entry to
 * chain.
 */
async function lockChain(db: Db, accountId: string): Promise<Chain | undefined> {
  await sql`
    insert into audit_chains (account_id)
    select account_id from audit_log where account_id = ${accountId} limit 1 on conflict do nothing`.execute(db);
  return db.selectFrom('audit_chains').selectAll().where('account_id', '=', accountId).forUpdate().executeTakeFirst();
}

/** Numbers and hashes entries that have none yet, oldest first; answers them. */
export const sealAuditEntries = (db: Db, vault: Pick<Vault, 'digest'>, accountId: string): Promise<AuditRow[]> =>
  inTransaction(db, async (db) => {
    const end = await lockChain(db, accountId);
    if (!end) return [];
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('sequence', 'is', null)
      .orderBy('uuid')
      .limit(mostAtOnce)
      .execute();
    if (rows.length === 0) return [];
    let previous = end.hash;
    const sealed = rows.map((row, index) => {
      const sequence = Number(end.sequence) + index + 1;
      previous = hashOf(previous, sequence, row);
      return { ...row, sequence, hash: previous };
    });
    await sql`
      update audit_log set sequence = sealed.sequence, hash = sealed.hash
      from unnest(${uuidArray(sealed.map(({ uuid }) => uuid))}::uuid[], ${sealed.map(({ sequence }) => sequence)}::bigint[],
        ${sealed.map((row) => row.hash)}::text[]) as sealed (uuid, sequence, hash)
      where audit_log.account_id = ${accountId} and audit_log.uuid = sealed.uuid`.execute(db);
    await writeChain(db, vault, { ...end, sequence: sealed.at(-1)!.sequence, hash: previous });
    return sealed;
  });

async function writeChain(db: Db, vault: Pick<Vault, 'digest'>, end: End): Promise<void> {
  await db
    .updateTable('audit_chains')
    .set({
      sequence: end.sequence,
      hash: end.hash,
      anchor_sequence: end.anchor_sequence,
      anchor_hash: end.anchor_hash,
      signature: signatureOf(vault, end),
      modified: new Date().toISOString(),
    })
    .where('account_id', '=', end.account_id)
    .execute();
}

/** Removes the beginning of the chain, as far as it is older than `before`, and remembers where it ended. Answers how many went. */
export const cutChain = (
  db: Db,
  vault: Pick<Vault, 'digest'>,
  accountId: string,
  { before, most }: { before: string; most: number },
): Promise<number> =>
  db.transaction().execute(async (db) => {
    const end = await lockChain(db, accountId);
    if (!end) return 0;
    const rows = await db
      .selectFrom('audit_log')
      .select(['uuid', 'sequence', 'hash'])
      .where('account_id', '=', accountId)
      .where('sequence', '>', end.anchor_sequence)
      .orderBy('sequence')
      .limit(most)
      .execute();
    const kept = rows.findIndex(({ uuid }) => uuid >= before);
    const last = rows.at(kept === -1 ? -1 : kept - 1);
    if (!last || kept === 0) return 0;
    await db
      .deleteFrom('audit_log')
      .where('account_id', '=', accountId)
      .where('sequence', '<=', last.sequence)
      .execute();
    await writeChain(db, vault, { ...end, anchor_sequence: last.sequence!, anchor_hash: last.hash! });
    return kept === -1 ? rows.length : kept;
  });

export interface ChainReport {
  status: 'INTACT' | 'BROKEN';
  /** What is wrong, in words; null: nothing. */
  problem: string | null;
  /** The number of the entry at which it is. */
  problem_sequence: number | null;
  /** Entries whose hashes were checked. */
  checked: number;
  first_sequence: number | null;
  last_sequence: number | null;
  last_hash: string | null;
  /** Entries of the last seconds, which have no number yet. */
  unsealed: number;
  /** false: there is more; go on with `after`. */
  complete: boolean;
}

const chunk = 1000;

type Bounds = { after?: number; most?: number };

/** Goes through the chain of an account, from its beginning or after an entry, and compares every hash. */
export const verifyChain = (
  db: Db,
  vault: Pick<Vault, 'digest'>,
  accountId: string,
  bounds: Bounds = {},
): Promise<ChainReport> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((db) => checkChain(db, vault, accountId, bounds));

/** The same in the caller's transaction, which has to see one moment. */
export async function checkChain(
  db: Db,
  vault: Pick<Vault, 'digest'>,
  accountId: string,
  { after = 0, most = Number.POSITIVE_INFINITY }: Bounds,
): Promise<ChainReport> {
  const end = await db.selectFrom('audit_chains').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  const { unsealed } = await db
    .selectFrom('audit_log')
    .select(sql<number>`count(*)::integer`.as('unsealed'))
    .where('account_id', '=', accountId)
    .where('sequence', 'is', null)
    .executeTakeFirstOrThrow();
  const report: ChainReport = {
    ...{ status: 'INTACT', problem: null, problem_sequence: null, checked: 0 },
    ...{ first_sequence: null, last_sequence: null, last_hash: null, unsealed, complete: true },
  };
  const broken = (problem_sequence: number | null, problem: string): ChainReport => ({
    ...report,
    status: 'BROKEN',
    problem,
    problem_sequence,
  });
  if (end && end.signature !== signatureOf(vault, end))
    return broken(null, 'The end of the chain was not written by a server that has the key.');
  const begin = Math.max(after, Number(end?.anchor_sequence ?? 0));
  let last = await startOf(db, accountId, begin, end);
  if (!last) return broken(begin, 'The entry to go on after is missing.');
  for (;;) {
    const rows: AuditRow[] = await readAfter(db, accountId, last.sequence);
    for (const row of rows) {
      const sequence = Number(row.sequence);
      if (sequence !== last.sequence + 1) return broken(last.sequence + 1, 'An entry is missing.');
      if (row.hash !== hashOf(last.hash, sequence, row)) return broken(sequence, 'An entry was changed.');
      last = { sequence, hash: row.hash };
      report.first_sequence ??= sequence;
      report.last_sequence = sequence;
      report.last_hash = row.hash;
      report.checked++;
    }
    if (rows.length < chunk) break;
    if (report.checked >= most) return { ...report, complete: false };
  }
  if (last.sequence === Number(end?.sequence ?? 0) && last.hash === (end?.hash ?? '')) return report;
  return broken(last.sequence + 1, 'The newest entries are missing.');
}

const readAfter = (db: Db, accountId: string, sequence: number): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(chunk)
    .execute();

async function startOf(db: Db, accountId: string, begin: number, end: Chain | undefined) {
  if (begin === Number(end?.anchor_sequence ?? 0)) return { sequence: begin, hash: end?.anchor_hash ?? '' };
  const row = await db
    .selectFrom('audit_log')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('sequence', '=', begin)
    .executeTakeFirst();
  return row ? { sequence: begin, hash: row.hash! } : undefined;
}
