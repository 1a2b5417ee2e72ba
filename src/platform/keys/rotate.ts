import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { aliveText } from '../db/connect/listener.ts';
import type { Db } from '../db/connect/pool.ts';
import { type KeyedVault, type Ring, Unreadable } from '../secrets.ts';
import {
  addDataKey,
  dataKeysOf,
  keysLock,
  learnSeconds,
  listDataKeys,
  tellOfDataKeys,
  unwrap,
  wrap,
} from './data-keys.ts';
import { writeCheck } from './open-vault.ts';
import { countSealedAnyAccount, type Place, places } from './places.ts';

export interface Rotated {
  /** Values that were encrypted anew. */
  resealed: number;
  /** Values that no key of the ring opens: they were unreadable before, and still are. */
  unreadable: number;
  /** The data key that everything is encrypted with now. */
  data_key: number;
}

export interface RotateOptions {
  /** Only wraps the data keys with the first key of the ring, and encrypts anew what has no data key yet. */
  keepDataKey?: boolean;
  onProgress?(place: Place, done: number): void;
  /** How long processes have to learn of a new data key. */
  learnSeconds?: number;
}

const mostAtOnce = 200;
/** What was sealed with the previous data key while the first walk went on is found by another. */
const mostWalks = 5;

/** Hosts of processes that serve and lack the first key of the ring. */
export async function findLackingAnyAccount(db: Db, ring: Ring): Promise<string[]> {
  const { rows } = await sql<{ host: string; pid: number }>`
    select host, pid from processes
    where worker in (${sql.raw(aliveText)}) and not (${ring[0].id} = any (key_ids)) order by host, pid`.execute(db);
  return rows.map(({ host, pid }) => `${host} (process ${pid})`);
}

/**
 * Wraps all data keys with the first key of the ring, makes a new one, and encrypts all that is stored with it, a batch at a time, while
 * others serve. Whatever stops it, nothing is half done: each value is readable before and after, and another run goes on.
 */
export async function rotate(db: Db, vault: KeyedVault, options: RotateOptions = {}): Promise<Rotated> {
  const { ring } = vault;
  await db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${keysLock})`.execute(db);
    for (const row of await listDataKeys(db)) {
      const bytes = unwrap(ring, row);
      if (!bytes || row.wrapped_by === ring[0].id) continue;
      await sql`
        update data_keys set wrapped = ${wrap(ring[0], bytes, row)}, wrapped_by = ${ring[0].id}
        where number = ${row.number}`.execute(db);
    }
    await writeCheck(db, ring[0]);
    const rows = await listDataKeys(db);
    const newest = rows.findLast(({ purpose, is_lost }) => purpose === 'seal' && !is_lost);
    // One that a run made which was stopped is gone on with.
    if (!newest || (newest.is_complete && !options.keepDataKey))
      await addDataKey(db, ring[0], { purpose: 'seal', afterSeconds: options.learnSeconds ?? learnSeconds });
  });
  const number = await awaitActive(db, vault);
  let resealed = 0;
  for (let walk = 0; walk < mostWalks; walk++) {
    let changed = 0;
    for (const place of places) {
      let done = 0;
      for await (const count of resealAnyAccount(db, vault, place, options.keepDataKey ? 'v1:' : '')) {
        done += count;
        options.onProgress?.(place, done);
      }
      changed += done;
    }
    resealed += changed;
    if (changed === 0) break;
  }
  if (!options.keepDataKey) await sql`update data_keys set is_complete = true where number = ${number}`.execute(db);
  return { resealed, unreadable: await countUnreadable(db, vault), data_key: number };
}

/** Waits until the newest data key may be used, and all processes were told. */
async function awaitActive(db: Db, vault: KeyedVault): Promise<number> {
  for (;;) {
    const rows = await listDataKeys(db);
    const newest = rows.findLast(({ purpose, is_lost }) => purpose === 'seal' && !is_lost)!;
    vault.use(dataKeysOf(vault.ring, rows, 0, vault.keys()));
    if (newest.is_active) {
      await tellOfDataKeys(db);
      return newest.number;
    }
    await sleep(250);
  }
}

/** Encrypts anew what is not under the current data key, or what begins with `only`; yields how many each batch had. */
async function* resealAnyAccount(db: Db, vault: KeyedVault, place: Place, only: string): AsyncGenerator<number> {
  const column = sql.ref(place.column);
  const table = sql.table(place.table);
  const names = sql.join(place.key.map(([name]) => sql.ref(name)));
  const current = `v2:${vault.keys().current}:%`;
  let after: string[] | undefined;
  for (;;) {
    const beyond = after ? sql`and (${names}) > (${values(place, after)})` : sql``;
    const { rows } = await sql<Record<string, string>>`
      select ${names}, ${column} as sealed from ${table}
      where ${column} <> '' and ${column} not like ${current} and ${column} like ${`${only}%`} ${beyond}
      order by ${names} limit ${mostAtOnce}`.execute(db);
    const keys = rows.map((row) => place.key.map(([name]) => row[name]!));
    let done = 0;
    for (const [index, { sealed }] of rows.entries()) {
      const plain = openOrSkip(vault, sealed!);
      if (plain === undefined) continue;
      // Compared with what was read: whoever set the secret anew meanwhile has the last word.
      const { numAffectedRows } = await sql`
        update ${table} set ${column} = ${vault.seal(plain)}
        where (${names}) = (${values(place, keys[index]!)}) and ${column} = ${sealed}`.execute(db);
      done += Number(numAffectedRows ?? 0);
    }
    if (done > 0) yield done;
    if (rows.length < mostAtOnce) return;
    after = keys.at(-1);
  }
}

const values = (place: Place, key: string[]) =>
  sql.join(place.key.map(([, type], index) => sql`${key[index]}::${sql.raw(type)}`));

function openOrSkip(vault: KeyedVault, sealed: string): string | undefined {
  try {
    return vault.open(sealed);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

async function countUnreadable(db: Db, vault: KeyedVault): Promise<number> {
  const counts = await Promise.all(places.map((place) => countSealedAnyAccount(db, place)));
  const { seal } = vault.keys();
  return counts
    .flatMap((count) => [...count])
    .filter(([number]) => number === 0 || !seal.has(number))
    .reduce((sum, [, count]) => sum + count, 0);
}

export interface KeyStatus {
  /** The ring, the first one first. `is_needed`: something in the database cannot be read without it. */
  ring: { id: string; is_first: boolean; is_needed: boolean }[];
  data_keys: {
    number: number;
    purpose: string;
    wrapped_by: string;
    is_active: boolean;
    is_lost: boolean;
    values: number;
  }[];
  /** Values of the first format, which has no data key. */
  without_data_key: number;
  /** Ids of keys that are needed and not in the ring. */
  missing: string[];
  /** Processes that lack the first key of the ring. */
  lacking: string[];
}

export async function readKeyStatus(db: Db, vault: KeyedVault): Promise<KeyStatus> {
  const { ring } = vault;
  const rows = await listDataKeys(db);
  const counts = new Map<number, number>();
  for (const place of places)
    for (const [number, count] of await countSealedAnyAccount(db, place))
      counts.set(number, count + (counts.get(number) ?? 0));
  const without = counts.get(0) ?? 0;
  const living = rows.filter(({ is_lost }) => !is_lost);
  const wrappers = new Set(living.map(({ wrapped_by }) => wrapped_by));
  return {
    ring: ring.map(({ id }, index) => ({
      id,
      is_first: index === 0,
      is_needed: index === 0 || wrappers.has(id) || without > 0,
    })),
    data_keys: rows.map(({ number, purpose, wrapped_by, is_active, is_lost }) => ({
      ...{ number, purpose, wrapped_by, is_active, is_lost },
      values: counts.get(number) ?? 0,
    })),
    without_data_key: without,
    missing: [...wrappers].filter((id) => !ring.some((one) => one.id === id)),
    lacking: await findLackingAnyAccount(db, ring),
  };
}
