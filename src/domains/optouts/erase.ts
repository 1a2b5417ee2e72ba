import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Vault } from '../../platform/secrets.ts';

/**
 * An erased person has no digits any more. What they opted out of is kept under a hash of the account and the digits, which takes the
 * server's key to make: whoever is written to is compared with it, and nobody can read a number out of it.
 */
export const erasedKey = (vault: Pick<Vault, 'digest'>, accountId: string, digits: string): string =>
  `#${vault.digest(`person ${accountId} ${digits}`)}`;

/** Keeps what a person opted out of under a hash. There is no moment at which it does not hold. */
export const eraseOptOuts = (
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  accountId: string,
  digits: string,
): Promise<number> => hashOptOuts(db, accountId, { digits, hash: erasedKey(vault, accountId, digits) });

/** What a person opted out of goes on to hold under a hash; what they said is forgotten. */
async function hashOptOuts(
  db: Db,
  accountId: string,
  { digits, hash }: { digits: string; hash: string },
): Promise<number> {
  // Somebody who was erased before, and opted out anew.
  await sql`
    delete from opt_outs where account_id = ${accountId} and digits = ${digits} and channel in (
      select channel from opt_outs where account_id = ${accountId} and digits = ${hash})`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    update opt_outs set digits = ${hash}, phone_number = '', text = ''
    where account_id = ${accountId} and digits = ${digits}`.execute(db);
  return Number(numAffectedRows);
}
