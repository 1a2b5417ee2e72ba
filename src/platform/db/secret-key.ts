import { sql } from 'kysely';
import type { Log } from '../log.ts';
import { StartError } from '../process/start-error.ts';
import type { Vault } from '../secrets.ts';
import type { Db } from './connect/pool.ts';

/** Sealed with the key, and stored: whoever can open it has the same key. */
const constant = 'parley secret key check';
const lock = 7_265_004;

/** All that is stored sealed, and kept. (Answers to keyed requests are, too, for a day.) */
const places = [
  ['sms_links', 'secrets'],
  ['sip_trunks', 'password'],
  ['chatapp_accounts', 'secrets'],
  ['webhook_endpoints', 'secret'],
  ['callback_secrets', 'secret'],
] as const;
/** Of a database from before the check: so many of each tell whose key they are of. */
const mostLooked = 20;

/**
 * Refuses a start with another SECRET_KEY than the one that stored secrets were encrypted with, unless the operator says that the key
 * was changed: then what is stored stays unreadable until it is set anew, each secret by itself. Safe in several processes at once.
 */
export async function checkSecretKey(
  db: Db,
  vault: Vault,
  { isChanged, log }: { isChanged: boolean; log: Log },
): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(db);
    const known = await db.selectFrom('secret_key_check').select('sealed').executeTakeFirst();
    const fits = known ? isOpenedBy(vault, known.sealed) : await opensWhatIsStored(db, vault);
    if (fits && known) {
      if (isChanged) log.warn('SECRET_KEY_CHANGED has done its work. Remove it, so that a wrong key is noticed.');
      return;
    }
    if (!fits && !isChanged) throw new StartError(refusal);
    if (!fits) log.warn('SECRET_KEY was changed: secrets that were stored before cannot be decrypted. Set them anew.');
    const sealed = vault.seal(constant);
    await db
      .insertInto('secret_key_check')
      .values({ sealed })
      .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ sealed, created: sql`now()` }))
      .execute();
  });
}

const refusal =
  'SECRET_KEY is not the one that the secrets in this database were encrypted with. Set the right one (if it was never set, it is in ' +
  'DATA_DIR/secret-key); or, if it is lost, start with SECRET_KEY_CHANGED=true and set the passwords of links, trunks, chat-app ' +
  'accounts and webhooks anew.';

function isOpenedBy(vault: Vault, sealed: string): boolean {
  try {
    vault.open(sealed);
    return true;
  } catch {
    return false;
  }
}

/** Of a database that has no check yet: nothing is stored, or some of it can be opened. */
async function opensWhatIsStored(db: Db, vault: Vault): Promise<boolean> {
  const found: string[] = [];
  for (const [table, column] of places) {
    const { rows } = await sql<{ sealed: string }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} <> '' limit ${mostLooked}`.execute(db);
    found.push(...rows.map(({ sealed }) => sealed));
  }
  return found.length === 0 || found.some((sealed) => isOpenedBy(vault, sealed));
}
