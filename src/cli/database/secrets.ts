import { type Config, readConfig } from '../../platform/config.ts';
import { directOf } from '../../platform/db/connect/connection.ts';
import { type Db, makeDb, makePool } from '../../platform/db/connect/pool.ts';
import { readLayout } from '../../platform/db/distribute/layout.ts';
import { dataKeysOf, listDataKeys, missingIds } from '../../platform/keys/data-keys.ts';
import { readRing } from '../../platform/keys/read-ring.ts';
import { findLackingAnyAccount, type KeyStatus, readKeyStatus, rotate } from '../../platform/keys/rotate.ts';
import { makeLog } from '../../platform/log.ts';
import { type KeyedVault, makeVault } from '../../platform/secrets.ts';
import { Complaint, thousands } from '../terminal.ts';
import { openSource, readVersions } from './own-database.ts';

type Environment = Record<string, string | undefined>;

const tellEveryMs = 2_000;

/** Works on the database itself, with the ring that the settings name. */
export async function onVault<T>(env: Environment, work: (db: Db, vault: KeyedVault) => Promise<T>): Promise<T> {
  const config: Config = readConfig(env);
  const keys = await readRing(config, false);
  if (keys.length === 0)
    throw new Complaint('There is no ring: set SECRET_KEYS or DATA_DIR as the server has them.', 2);
  const source = await openSource(config, (line) => console.error(line));
  try {
    const { migration } = await readVersions(source.connection);
    if (migration === undefined)
      throw new Complaint('The database holds nothing of Parley yet. Start the server once.');
    const db = makeDb(makePool(directOf(source.connection), makeLog({ level: 'silent', pretty: false }), { size: 2 }));
    try {
      await readLayout(db);
      const vault = makeVault(keys);
      vault.use(dataKeysOf(vault.ring, await listDataKeys(db), 0));
      return await work(db, vault);
    } finally {
      await db.destroy();
    }
  } finally {
    await source.stop();
  }
}

/** Which keys there are, what is encrypted with which, and which key of the ring is not needed any more. */
export async function showSecrets(env: Environment, { json }: { json?: boolean }): Promise<void> {
  const status = await onVault(env, readKeyStatus);
  if (json) return console.log(JSON.stringify(status));
  for (const line of linesOf(status)) console.log(line);
}

function* linesOf(status: KeyStatus): Generator<string> {
  for (const { id, is_first, is_needed } of status.ring)
    yield `key ${id}       ${is_first ? 'the first: it wraps data keys' : is_needed ? 'needed still: run `parley secrets rotate`' : 'not needed: remove it'}`;
  for (const { number, purpose, wrapped_by, is_active, is_lost, values } of status.data_keys) {
    const state = is_lost ? 'lost' : is_active ? 'in use' : 'not used yet';
    const holds = purpose === 'seal' ? `, ${thousands(values)} values` : '';
    yield `data key ${String(number).padEnd(6)}${purpose}, wrapped by ${wrapped_by}, ${state}${holds}`;
  }
  if (status.without_data_key > 0)
    yield `${thousands(status.without_data_key)} values are encrypted without a data key: \`parley secrets rotate\` changes that.`;
  for (const id of status.missing) yield `key ${id} is missing in the ring, and needed.`;
  for (const process of status.lacking) yield `${process} does not have the first key: start it again with this ring.`;
}

/** Wraps the data keys with the first key of the ring and encrypts everything anew. */
export async function rotateSecrets(
  env: Environment,
  { json, keepDataKey = false, force = false }: { json?: boolean; keepDataKey?: boolean; force?: boolean },
): Promise<void> {
  const { rotated, status } = await onVault(env, async (db, vault) => {
    const missing = missingIds(vault.ring, await listDataKeys(db));
    if (missing.length > 0)
      throw new Complaint(`Key ${missing.join(', ')} is missing: add it to the end of the ring until this is done.`, 2);
    const lacking = await findLackingAnyAccount(db, vault.ring);
    if (lacking.length > 0 && !force) {
      const who = lacking.join(', ');
      throw new Complaint(
        `${who} cannot read what the first key of the ring encrypts. Start it again with the same SECRET_KEYS, then rotate. (--force does not wait for it.)`,
        2,
      );
    }
    let told = performance.now();
    const rotated = await rotate(db, vault, {
      keepDataKey,
      onProgress(place, done) {
        if (performance.now() - told < tellEveryMs) return;
        told = performance.now();
        console.error(`${place.table}: ${thousands(done)} values so far.`);
      },
    });
    return { rotated, status: await readKeyStatus(db, vault) };
  });
  if (json) return console.log(JSON.stringify({ ...rotated, ...status }));
  console.log(`Encrypted ${thousands(rotated.resealed)} values anew, with data key ${rotated.data_key}.`);
  if (rotated.unreadable > 0)
    console.log(`${thousands(rotated.unreadable)} cannot be opened with any key of the ring, and were left alone.`);
  const spare = status.ring.filter(({ is_needed }) => !is_needed);
  if (spare.length > 0)
    console.log(`Not needed any more: ${spare.map(({ id }) => id).join(', ')}. Remove it from the ring.`);
}
