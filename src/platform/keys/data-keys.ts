import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Listener, notify } from '../db/connect/listener.ts';
import type { Db } from '../db/connect/pool.ts';
import type { Log } from '../log.ts';
import { type DataKeys, decrypt, encrypt, type KeyedVault, type Ring, type RingKey } from '../secrets.ts';
import { startLoop } from '../work/loop.ts';

export type Purpose = 'seal' | 'digest';

export interface DataKeyRow {
  number: number;
  purpose: Purpose;
  wrapped: string;
  wrapped_by: string;
  is_active: boolean;
  is_lost: boolean;
  /** false: a rotation to it has not ended. */
  is_complete: boolean;
  created: string;
}

/** Serializes whoever makes or wraps data keys. */
export const keysLock = 7_265_004;
const topic = 'data-keys';
/** A notice may be lost: so often every process looks by itself. */
const lookPauseMs = 5_000;
/** A new data key is there for so long before anybody encrypts with it. */
export const learnSeconds = 10;

export async function listDataKeys(db: Db): Promise<DataKeyRow[]> {
  const { rows } = await sql<DataKeyRow>`
    select number, purpose, wrapped, wrapped_by, active_from <= now() as is_active, lost is not null as is_lost, is_complete,
      created
    from data_keys order by number`.execute(db);
  return rows;
}

/** Stores a new data key, wrapped by a key of the ring, and answers its number. `afterSeconds`: for a rotation, which completes it. */
export async function addDataKey(
  db: Db,
  by: RingKey,
  { purpose, bytes = randomBytes(32), afterSeconds }: { purpose: Purpose; bytes?: Buffer; afterSeconds?: number },
): Promise<number> {
  const isComplete = afterSeconds === undefined;
  const number = 1 + Math.max(0, ...(await listDataKeys(db)).map((one) => one.number));
  await sql`
    insert into data_keys (number, purpose, wrapped, wrapped_by, active_from, is_complete)
    values (${number}, ${purpose}, ${wrap(by, bytes, { number, purpose })}, ${by.id},
      now() + make_interval(secs => ${afterSeconds ?? 0}), ${isComplete})`.execute(db);
  await notify(db, topic);
  return number;
}

export const tellOfDataKeys = (db: Db): Promise<void> => notify(db, topic);

type Named = Pick<DataKeyRow, 'number' | 'purpose'>;

const boundOf = ({ number, purpose }: Named): string => `parley data key ${number} ${purpose}`;

export const wrap = (by: RingKey, bytes: Buffer, named: Named): string =>
  encrypt(by.wrapKey, bytes, boundOf(named)).toString('base64');

/** undefined: no key of the ring unwraps it. */
export function unwrap(ring: Ring, row: DataKeyRow): Buffer | undefined {
  const by = ring.find(({ id }) => id === row.wrapped_by);
  try {
    return by && decrypt(by.wrapKey, Buffer.from(row.wrapped, 'base64'), boundOf(row));
  } catch {
    return undefined;
  }
}

/**
 * What a vault works with, of what is stored, and of what the process knew before: a rotation may have wrapped a data key with a key of
 * the ring that this process does not have. The digest key is the newest that is not lost: there is one at a time.
 */
export function dataKeysOf(ring: Ring, rows: readonly DataKeyRow[], first: number, known?: DataKeys): DataKeys {
  const seal = new Map(known?.seal);
  let current = known?.current;
  let digest = known?.digest;
  for (const row of rows) {
    const bytes = unwrap(ring, row);
    if (row.purpose === 'digest') {
      if (bytes && !row.is_lost) digest = bytes;
      continue;
    }
    if (bytes) seal.set(row.number, bytes);
    if (seal.has(row.number) && row.is_active && !row.is_lost) current = row.number;
  }
  return { seal, current, digest, first };
}

/** Learns of new data keys while the process runs, by a notice or within seconds. */
export function followDataKeys(
  db: Db,
  { vault, listener, log }: { vault: KeyedVault; listener: Listener; log: Log },
): { stop(): Promise<void> } {
  let warned = '';
  const look = async (): Promise<void> => {
    const rows = await listDataKeys(db);
    vault.use(dataKeysOf(vault.ring, rows, vault.keys().first, vault.keys()));
    const missing = missingIds(vault.ring, rows).join(', ');
    if (missing !== warned && missing !== '')
      log.error(
        `Data keys were wrapped with key ${missing}, which this process lacks. Start it again with the new SECRET_KEYS.`,
      );
    warned = missing;
  };
  const loop = startLoop(log, 'data keys', async () => {
    await look();
    return lookPauseMs;
  });
  listener.on(topic, () => loop.wake());
  return loop;
}

/** Ids of the ring's keys that are needed and not there. */
export const missingIds = (ring: Ring, rows: readonly DataKeyRow[]): string[] => [
  ...new Set(rows.filter((row) => !row.is_lost && !unwrap(ring, row)).map((row) => row.wrapped_by)),
];
