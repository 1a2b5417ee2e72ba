import type { Db } from '../../../platform/db/connect/pool.ts';
import type { Log } from '../../../platform/log.ts';
import type { Found } from '../../../platform/outbound/guard.ts';
import type { Vault } from '../../../platform/secrets.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { leastTrunkPassword } from '../../ports/legs.ts';
import type { TrunkChange } from './admission.ts';
import {
  addStatesAnyAccount,
  findNextTrunksAnyAccount,
  findTrunksAnyAccount,
  type TrunkRow,
  type Whose,
} from './queries.ts';
import { credentialsOf, type Trunk, trunkOf } from './trunk.ts';

export interface TrunkListDeps {
  db: Db;
  log: Log;
  vault: Pick<Vault, 'open'>;
  addresses(host: string): Promise<Found>;
}

/** All enabled trunks, as they are known here. */
export interface TrunkList {
  /** There is something new about an account's trunks; '': about anybody's. */
  notice(accountId: string): void;
  /**
   * Reads what has changed and answers what became of trunks. Of an account in which any trunk changed, all of them go and come, so
   * that they stay in their order.
   */
  read(): Promise<TrunkChange>;
  ofAccount(accountId: string): readonly Trunk[];
  get(uuid: string): Trunk | undefined;
  size(): number;
}

/** For notices that were lost, and hosts that moved, all trunks are read again in turn. */
export interface Round {
  /** How long it takes, unless there are too many trunks for that. */
  roundMs: number;
  /** How many trunks are read at a time, so that nobody waits for long. */
  most: number;
}

const usualRound: Round = { roundMs: 30_000, most: 1_000 };
const firstAccount = '00000000-0000-0000-0000-000000000000';
const lastAccount = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Trunks as they were read, and the accounts of which these are all. */
interface Reading {
  rows: TrunkRow[];
  whose: Whose;
}

interface Known {
  row: TrunkRow;
  mark: string;
  trunk: Trunk;
}

/** Reading costs as much as there is to read, and not as much as there are trunks. */
export function makeTrunkList({ db, log, vault, addresses }: TrunkListDeps, round: Round = usualRound): TrunkList {
  const accounts = new Map<string, readonly Trunk[]>();
  const known = new Map<string, Known>();
  /** Those whose host had no address when it was last looked up. */
  const unfound = new Set<string>();
  /** Whose trunks have changed since they were read. */
  let changed: 'all' | Set<string> = 'all';
  /** The last account of the round that was read, and when. */
  let last = firstAccount;
  let lastMs = Number.NEGATIVE_INFINITY;

  /** Secrets are opened again only when something changed. */
  async function ready(row: TrunkRow): Promise<Trunk> {
    const found = await addresses(row.host);
    const mark = markOf(row, found);
    const before = known.get(row.uuid);
    if (before?.mark === mark) return before.trunk;
    const trunk = trunkOf(vault, row, found);
    known.set(row.uuid, { row, mark, trunk });
    if (trunk.addresses.length === 0) unfound.add(row.uuid);
    else unfound.delete(row.uuid);
    if (credentialsOf(trunk) && trunk.password.length < leastTrunkPassword) {
      log.warn({ trunk: row.name }, `The trunk's password has less than ${leastTrunkPassword} characters: change it`);
    }
    return trunk;
  }

  async function readRows(): Promise<Reading> {
    if (changed === 'all') {
      changed = new Set();
      lastMs = steadyMs();
      const rows = await findTrunksAnyAccount(db, 'all');
      await addStatesAnyAccount(db, 'all');
      return { rows, whose: 'all' };
    }
    const told = changed;
    changed = new Set();
    const next = await readRound();
    const rows = told.size === 0 ? [] : await findTrunksAnyAccount(db, told);
    const whose = new Set([...told, ...next.whose]);
    if (whose.size > 0) await addStatesAnyAccount(db, whose);
    return { rows: [...rows, ...next.rows.filter(({ account_id }) => !told.has(account_id))], whose };
  }

  /** The next accounts of the round, if it is their turn. */
  async function readRound(): Promise<{ rows: TrunkRow[]; whose: ReadonlySet<string> }> {
    const steps = Math.max(1, Math.ceil(known.size / round.most));
    if (steadyMs() - lastMs < round.roundMs / steps) return { rows: [], whose: new Set() };
    const found = await findNextTrunksAnyAccount(db, last, round.most);
    const isEnd = found.length < round.most;
    const cut = found.at(-1)?.account_id;
    const whole = isEnd ? found : found.filter(({ account_id }) => account_id !== cut);
    // One account has more than are read at a time.
    const rows = whole.length === 0 && cut !== undefined ? await findTrunksAnyAccount(db, new Set([cut])) : whole;
    const until = isEnd ? lastAccount : (rows.at(-1) ?? found.at(-1)!).account_id;
    const gone = accounts.keys().filter((accountId) => accountId > last && accountId <= until);
    const whose = new Set([...gone, ...rows.map(({ account_id }) => account_id)]);
    last = isEnd ? firstAccount : until;
    lastMs = steadyMs();
    return { rows, whose };
  }

  /** The accounts of trunks about whose hosts there is something new. */
  async function findMoved(): Promise<string[]> {
    const missing = [...unfound].map((uuid) => known.get(uuid)!);
    const found = await Promise.all(missing.map(({ row }) => addresses(row.host)));
    const moved = missing.filter(({ row, mark }, index) => markOf(row, found[index]!) !== mark);
    return moved.map(({ row }) => row.account_id);
  }

  function take(accountId: string, after: readonly Trunk[], change: { gone: Trunk[]; come: Trunk[] }): void {
    const before = accounts.get(accountId) ?? [];
    if (before.length === after.length && before.every((trunk, index) => trunk === after[index])) return;
    for (const trunk of before) change.gone.push(trunk);
    for (const trunk of after) change.come.push(trunk);
    if (after.length === 0) accounts.delete(accountId);
    else accounts.set(accountId, after);
    const left = new Set(after.map(({ uuid }) => uuid));
    for (const { uuid } of before) if (!left.has(uuid)) forget(uuid);
  }

  function forget(uuid: string): void {
    known.delete(uuid);
    unfound.delete(uuid);
  }

  /** Also of those that a reading which failed half-way left behind. */
  function forgetAllBut(present: ReadonlySet<string>): void {
    for (const uuid of known.keys()) if (!present.has(uuid)) forget(uuid);
  }

  async function read(): Promise<TrunkChange> {
    const { whose, rows } = await readRows();
    const moved = whose === 'all' ? [] : (await findMoved()).filter((accountId) => !whose.has(accountId));
    const again = new Set(moved).values().flatMap((accountId) => accounts.get(accountId) ?? []);
    const all = [...rows, ...again.map(({ uuid }) => known.get(uuid)!.row)];
    const trunks = Map.groupBy(await Promise.all(all.map(ready)), ({ accountId }) => accountId);
    // From here on nothing is waited for: whoever is told of the change is told all of it.
    const change = { gone: [], come: [] };
    const before = whose === 'all' ? accounts.keys() : whose;
    for (const accountId of new Set([...before, ...trunks.keys()])) {
      take(accountId, trunks.get(accountId) ?? [], change);
    }
    if (whose === 'all') forgetAllBut(new Set(rows.map(({ uuid }) => uuid)));
    return change;
  }

  return {
    notice(accountId) {
      if (accountId === '') changed = 'all';
      else if (changed !== 'all') changed.add(accountId);
    },
    async read() {
      try {
        return await read();
      } catch (error) {
        changed = 'all';
        throw error;
      }
    },
    ofAccount: (accountId) => accounts.get(accountId) ?? [],
    get: (uuid) => known.get(uuid)?.trunk,
    size: () => known.size,
  };
}

/** Changes with the trunk, and with what its host is found to be. */
const markOf = ({ modified }: TrunkRow, { addresses, problem }: Found): string =>
  `${modified} ${addresses.join()} ${problem}`;
