import { Type } from 'typebox';
import { deleteRowsOf, findTenantTables } from '../../../platform/db/tenant-tables.ts';
import { Uuid } from '../../../platform/http/openapi/models.ts';
import { forgetGuesses, hasTenantAnyAccount, removeTenantAnyAccount } from '../../accounts/index.ts';
import { releaseAllNumbers } from '../../numbers/index.ts';
import type { Kind } from '../kind.ts';
import type { Work } from '../running/work.ts';

/** Rows of one transaction: little enough that nobody waits for it. */
const batchSize = 2_000;

/**
 * Removes an account with all that it has: numbers go back to the pool, then rows table by table, then files, then the account. It may
 * begin anew at any time, since what is gone costs one look. Processes that had something of the account in hand may write a little more
 * after that, so it looks once more a while later, and ends when a whole look finds nothing.
 *
 * The job is the operator's; how far it is are tables gone through.
 */
export const accountsDelete: Kind = {
  type: 'accounts.delete',
  scope: 'operator',
  isInternal: true,
  Input: Type.Object({ account: Uuid() }, { title: 'AccountsDeleteInput' }),
  totalOf: () => null,
  async run(work) {
    const { account } = work.input as { account: string };
    const { db } = work.deps;
    const isLast = !(await hasTenantAnyAccount(db, account));
    const before = work.done;
    const found = await removeAll(work, account);
    if (found === 'stop') return 'stop';
    if (isLast) return found === 0 ? 'go' : 'later';
    const verdict = await work.step(async ({ db, caches }, done) => {
      await removeTenantAnyAccount(db, account);
      caches.forget();
      return { done: Math.max(done, before) + 1, counts: {}, results: [] };
    });
    return verdict === 'go' ? 'later' : verdict;
  },
};

/** Answers how much there was. */
async function removeAll(work: Work, account: string): Promise<number | 'stop'> {
  const tables = await findTenantTables(work.deps.db);
  let found = 0;
  const some = async (name: 'numbers' | 'rows', place: number, take: (db: Work['deps']['db']) => Promise<number>) => {
    for (let taken = batchSize; taken >= batchSize; ) {
      const verdict = await work.step(async ({ db }, done) => {
        taken = await take(db);
        return { done: Math.max(done, place), total: tables.length + 3, counts: { [name]: taken }, results: [] };
      });
      if (verdict === 'stop') return verdict;
      found += taken;
    }
    return 'go';
  };
  if ((await some('numbers', 0, (db) => releaseAllNumbers(db, account, batchSize))) === 'stop') return 'stop';
  await forgetGuesses(work.deps.db, account);
  for (const [place, table] of tables.entries()) {
    const verdict = await some('rows', place + 1, (db) => deleteRowsOf(db, account, table, batchSize));
    if (verdict === 'stop') return 'stop';
  }
  const files = await work.deps.files.deleteOf(account);
  const verdict = await work.step(async (_deps, done) => ({
    done: Math.max(done, tables.length + 1),
    counts: { files },
    results: [],
  }));
  return verdict === 'stop' ? 'stop' : found + files;
}
