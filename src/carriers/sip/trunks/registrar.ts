import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type Leases, makeLeases } from '../../../platform/db/lease.ts';
import type { Log } from '../../../platform/log.ts';
import type { Found } from '../../../platform/outbound/addresses.ts';
import type { Vault } from '../../../platform/secrets.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/time/pause.ts';
import { leastTrunkPassword } from '../../ports/legs.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  addStatesAnyAccount,
  findOwnedAnyAccount,
  findTrunksAnyAccount,
  isWanted,
  storeReportsAnyAccount,
  type TrunkRow,
  type Whose,
} from './queries.ts';
import { keepTrunk } from './registration.ts';
import { credentialsOf, type Trunk, trunkOf } from './trunk.ts';

export interface RegistrarDeps {
  db: Db;
  listener: Listener;
  log: Log;
  vault: Pick<Vault, 'open'>;
  addresses(host: string): Promise<Found>;
}

const goodbyeMs = 1_000;
/** At a time: to look after a trunk is one message in half a minute. */
const mostTaken = 1000;
/** All trunks are read as often as this, for notices that were lost and hosts that moved; else only those that have changed. */
const wholeEveryMs = 30_000;

/** Who looks after which trunk. */
export const trunkLeases = (db: Db, workerNumber: number, now: () => number): Leases =>
  makeLeases({
    db,
    workerNumber,
    table: 'sip_trunk_states',
    key: 'trunk',
    wanted: isWanted,
    most: mostTaken,
    now,
  });

/** Finds trunks, and looks after those that are this process's. */
export function makeRegistrar({ db, listener, log, vault, addresses }: RegistrarDeps) {
  const me = listener.workerNumber;
  const leases = trunkLeases(db, me, steadyMs);
  let rows: TrunkRow[] = [];
  let trunks: readonly Trunk[] = [];
  /** Whose trunks have changed since they were read. */
  let changed: 'all' | Set<string> = 'all';
  let wholeMs = Number.NEGATIVE_INFINITY;
  /** By trunk: what the one who looks after it knows. Others' trunks count as up: who calls finds out. */
  let down = new Set<string>();
  const written = new Map<string, string>();
  const opened = new Map<string, { mark: string; trunk: Trunk }>();

  /** Secrets are opened again only when something changed. */
  async function ready(row: TrunkRow): Promise<Trunk> {
    const found = await addresses(row.host);
    const mark = markOf(row, found);
    const before = opened.get(row.uuid);
    if (before?.mark === mark) return before.trunk;
    const trunk = trunkOf(vault, row, found);
    opened.set(row.uuid, { mark, trunk });
    if (credentialsOf(trunk) && trunk.password.length < leastTrunkPassword) {
      log.warn({ trunk: row.name }, `The trunk's password has less than ${leastTrunkPassword} characters: change it`);
    }
    return trunk;
  }

  /** Reads what has changed. Answers whether anything was read. */
  async function read(): Promise<boolean> {
    const whose: Whose = steadyMs() - wholeMs >= wholeEveryMs ? 'all' : changed;
    if (whose !== 'all' && whose.size === 0) return false;
    changed = new Set();
    try {
      const found = await findTrunksAnyAccount(db, whose);
      await addStatesAnyAccount(db, whose);
      rows = whose === 'all' ? found : [...rows.filter(({ account_id }) => !whose.has(account_id)), ...found];
    } catch (error) {
      changed = 'all';
      throw error;
    }
    if (whose === 'all') wholeMs = steadyMs();
    const present = new Set(rows.map(({ uuid }) => uuid));
    for (const uuid of opened.keys()) if (!present.has(uuid)) opened.delete(uuid);
    return true;
  }

  /** Whether there is something new about a host that had no address when it was last looked up. */
  async function isSomeFound(): Promise<boolean> {
    const missing = rows.filter(({ uuid }) => opened.get(uuid)?.trunk.addresses.length === 0);
    const marks = await Promise.all(missing.map(async (row) => markOf(row, await addresses(row.host))));
    return missing.some(({ uuid }, index) => opened.get(uuid)?.mark !== marks[index]);
  }

  async function own(trunks: readonly Trunk[]): Promise<Trunk[]> {
    const mine = await findOwnedAnyAccount(db, me);
    const isAll = trunks.every(({ uuid }) => mine.has(uuid));
    const taken = isAll ? new Set<string>() : await leases.take();
    return trunks.filter(({ uuid }) => taken.has(uuid) || mine.has(uuid));
  }

  async function report({ kept, legs }: Endpoint): Promise<void> {
    const calls = Map.groupBy(legs.values(), ({ trunk }) => trunk);
    const reports = [...kept.values()].flatMap((one) => {
      const { accountId, uuid } = one.trunk;
      const report = JSON.stringify({ ...one.snapshot(), calls: calls.get(uuid)?.length ?? 0 });
      return written.get(uuid) === report ? [] : [{ accountId, uuid, report }];
    });
    if (reports.length === 0) return;
    await storeReportsAnyAccount(db, reports);
    for (const { uuid, report } of reports) written.set(uuid, report);
  }

  return {
    /** There is something new about an account's trunks; '': about anybody's. */
    notice(accountId: string): void {
      if (accountId === '') changed = 'all';
      else if (changed !== 'all') changed.add(accountId);
    },
    /** All trunks; the same list for as long as nothing changes. */
    async find(): Promise<readonly Trunk[]> {
      const isNew = (await read()) || (await isSomeFound());
      if (isNew) trunks = await Promise.all(rows.map(ready));
      return trunks;
    },
    isDown: ({ uuid }: Trunk): boolean => down.has(uuid),
    async keep(endpoint: Endpoint, trunks: readonly Trunk[]): Promise<void> {
      const mine = new Map((await own(trunks)).map((trunk) => [trunk.uuid, trunk]));
      for (const [uuid, one] of endpoint.kept) {
        if (mine.get(uuid)?.mark === one.trunk.mark) continue;
        endpoint.kept.delete(uuid);
        written.delete(uuid);
        void one.stop();
      }
      for (const [uuid, trunk] of mine) {
        if (!endpoint.kept.has(uuid)) endpoint.kept.set(uuid, keepTrunk(endpoint.agent, trunk, log));
      }
      down = new Set([...endpoint.kept].filter(([, one]) => one.snapshot().state === 'DOWN').map(([uuid]) => uuid));
      await report(endpoint);
    },
    /** Gives them all back, whether or not the other sides say that they know. */
    async leave(endpoint: Endpoint | undefined): Promise<void> {
      const kept = [...(endpoint?.kept.values() ?? [])];
      endpoint?.kept.clear();
      await within(goodbyeMs, Promise.all(kept.map((one) => one.stop())));
      await leases.giveBack('all');
    },
  };
}

/** Changes with the trunk, and with what its host is found to be. */
const markOf = ({ modified }: TrunkRow, { addresses, problem }: Found): string =>
  `${modified} ${addresses.join()} ${problem}`;
