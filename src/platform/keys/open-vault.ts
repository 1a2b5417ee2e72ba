import { sql } from 'kysely';
import type { Db } from '../db/connect/pool.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import { decrypt, encrypt, type KeyedVault, makeVault, type Ring, type RingKey } from '../secrets.ts';
import { addDataKey, type DataKeyRow, dataKeysOf, keysLock, listDataKeys, missingIds } from './data-keys.ts';
import { sampleAnyAccount } from './places.ts';

/** Sealed with the key, and stored: whoever can open it has the same key. Versions without data keys look at nothing else. */
const constant = 'parley secret key check';

/**
 * The vault of a start. Refuses another ring than the one that stored secrets were encrypted with, unless the operator says that the key
 * was changed: then what is stored stays unreadable until it is set anew, each secret by itself. A new database gets its data keys. One
 * of an earlier version keeps its first format until `parley secrets rotate`, so that old and new processes can serve it together.
 * Safe in several processes at once.
 */
export async function openVault(
  db: Db,
  secretKeys: readonly string[],
  { isChanged, log }: { isChanged: boolean; log: Log },
): Promise<KeyedVault> {
  const vault = makeVault(secretKeys);
  const { ring } = vault;
  await db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${keysLock})`.execute(db);
    const known = await db.selectFrom('secret_key_check').select('sealed').executeTakeFirst();
    const rows = await listDataKeys(db);
    const missing = missingIds(ring, rows);
    const stored = known ? [known.sealed] : await sampleAnyAccount(db);
    const isNew = stored.length === 0 && rows.length === 0;
    const opener = isNew ? ring[0] : keyOf(ring, rows, stored);
    const fits = opener !== undefined && missing.length === 0;
    if (!fits && !isChanged) throw new StartError(refusalOf(ring, missing));
    if (fits && known && isChanged)
      log.warn('SECRET_KEY_CHANGED has done its work. Remove it, so that a wrong key is noticed.');
    if (!fits) {
      log.warn('SECRET_KEY was changed: secrets that were stored before cannot be decrypted. Set them anew.');
      await sql`update data_keys set lost = ${new Date().toISOString()}
        where wrapped_by = any (${missing}) and lost is null`.execute(db);
    }
    const key = opener ?? ring[0];
    const left = rows.filter((row) => !missing.includes(row.wrapped_by) && !row.is_lost);
    // Digests of an earlier version are looked up still.
    if (!left.some(({ purpose }) => purpose === 'digest'))
      await addDataKey(db, key, { purpose: 'digest', ...(!isNew && { bytes: key.digestKey }) });
    if (isNew || (rows.some(({ purpose }) => purpose === 'seal') && !left.some(({ purpose }) => purpose === 'seal')))
      await addDataKey(db, key, { purpose: 'seal' });
    if (!known || !fits) await writeCheck(db, key);
    vault.use(dataKeysOf(ring, await listDataKeys(db), ring.indexOf(key)));
  });
  return vault;
}

/** Writes down which key of the ring is in use, for starts of earlier versions and for `parley doctor`. */
export async function writeCheck(db: Db, key: RingKey): Promise<void> {
  const sealed = `v1:${encrypt(key.sealKey, constant).toString('base64')}`;
  const created = new Date().toISOString();
  await db
    .insertInto('secret_key_check')
    .values({ sealed, created })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ sealed, created }))
    .execute();
}

/** The key of the ring that what is stored was made with: data keys are wrapped by it, or sealed values opened. */
export function keyOf(ring: Ring, rows: readonly DataKeyRow[], stored: readonly string[]): RingKey | undefined {
  const wrappers = new Set(rows.filter(({ is_lost }) => !is_lost).map((row) => row.wrapped_by));
  return ring.find(({ id, sealKey }) => wrappers.has(id) || stored.some((sealed) => isOpenedBy(sealKey, sealed)));
}

function isOpenedBy(key: Buffer, sealed: string): boolean {
  try {
    decrypt(key, Buffer.from(sealed.slice(3), 'base64'));
    return true;
  } catch {
    return false;
  }
}

function refusalOf(ring: Ring, missing: string[]): string {
  const ids = ring.map(({ id }) => id).join(', ');
  const which = missing.length === 0 ? '' : ` Missing is the key with the id ${missing.join(', ')}; set is ${ids}.`;
  return (
    `SECRET_KEY is not the one that the secrets in this database were encrypted with.${which} Set the right one (if it was never set, it ` +
    'is in DATA_DIR/secret-key), or add it to the end of SECRET_KEYS; or, if it is lost, start with SECRET_KEY_CHANGED=true and set the ' +
    'passwords of links, trunks, chat-app accounts and webhooks anew.'
  );
}
