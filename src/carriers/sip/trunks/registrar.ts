import type { Listener } from '../../../platform/db/connect/listener.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { type Leases, makeLeases } from '../../../platform/db/lease.ts';
import type { Log } from '../../../platform/log.ts';
import { steadyMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/time/pause.ts';
import type { Endpoint } from '../endpoint.ts';
import type { TrunkChange } from './admission.ts';
import type { TrunkList } from './list.ts';
import {
  countOwnedAnyAccount,
  disownAnyAccount,
  findOwnedAnyAccount,
  isWanted,
  storeReportsAnyAccount,
} from './queries.ts';
import { keepTrunk } from './registration.ts';

export interface RegistrarDeps {
  db: Db;
  listener: Listener;
  log: Log;
  trunks: Pick<TrunkList, 'get' | 'size'>;
}

export interface Registrar {
  /** Looks after the trunks that are this process's; `change` is what became of trunks since the last time. */
  keep(endpoint: Endpoint, change: TrunkChange): Promise<void>;
  /** Gives them all back, whether or not the other sides say that they know. */
  leave(endpoint: Endpoint | undefined): Promise<void>;
}

const goodbyeMs = 1_000;
/** At a time: to look after a trunk is one message in half a minute. */
const mostTaken = 1000;
/** How often is looked whether another process took trunks of ours. */
const ownedEveryMs = 2_000;

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

/** Costs as much as there is to change, to take and to tell; what is as it was is not gone through. */
export function makeRegistrar({ db, listener, log, trunks }: RegistrarDeps): Registrar {
  const me = listener.workerNumber;
  const leases = trunkLeases(db, me, steadyMs);
  /** The trunks that this process looks after: others only ever take some away. */
  let mine = new Set<string>();
  let ownedMs = Number.NEGATIVE_INFINITY;
  /** Trunks about which something changed since they were last looked at; 'all': anything may have. */
  let touched: 'all' | Set<string> = 'all';
  let last: Endpoint | undefined;
  /** Those to tell something new of, and the calls that were told of. */
  const news = new Set<string>();
  let told = new Map<string, number>();

  const touch = (uuid: string): void => {
    if (touched !== 'all') touched.add(uuid);
  };

  /** Gives back those that are no more, or not enabled any more. */
  async function disown(gone: readonly { accountId: string; uuid: string }[]): Promise<void> {
    const left = gone.filter(({ uuid }) => mine.has(uuid) && !trunks.get(uuid));
    if (left.length === 0) return;
    await disownAnyAccount(db, me, left);
    for (const { uuid } of left) mine.delete(uuid);
  }

  async function own(): Promise<void> {
    if (steadyMs() - ownedMs >= ownedEveryMs) {
      if ((await countOwnedAnyAccount(db, me)) !== mine.size) {
        const owned = await findOwnedAnyAccount(db, me);
        mine = new Set(owned.map(({ uuid }) => uuid));
        touched = 'all';
        await disown(owned);
      }
      ownedMs = steadyMs();
    }
    if (mine.size === trunks.size()) return;
    for (const uuid of await leases.take()) {
      mine.add(uuid);
      touch(uuid);
    }
  }

  function adjust({ agent, kept }: Endpoint, uuid: string): void {
    const trunk = mine.has(uuid) ? trunks.get(uuid) : undefined;
    const before = kept.get(uuid);
    if (before && before.trunk.mark !== trunk?.mark) {
      kept.delete(uuid);
      void before.stop();
    }
    if (!trunk || kept.has(uuid)) return;
    news.add(uuid);
    kept.set(
      uuid,
      keepTrunk(agent, trunk, log, () => news.add(uuid)),
    );
  }

  async function report({ kept, legs }: Endpoint): Promise<void> {
    const calls = new Map<string, number>();
    for (const { trunk } of legs.values()) calls.set(trunk, (calls.get(trunk) ?? 0) + 1);
    for (const uuid of [...told.keys(), ...calls.keys()]) if (told.get(uuid) !== calls.get(uuid)) news.add(uuid);
    told = calls;
    const uuids = [...news];
    news.clear();
    const reports = uuids.flatMap((uuid) => {
      const one = kept.get(uuid);
      if (!one) return [];
      const report = JSON.stringify({ ...one.snapshot(), calls: calls.get(uuid) ?? 0 });
      return [{ accountId: one.trunk.accountId, uuid, report }];
    });
    if (reports.length === 0) return;
    await storeReportsAnyAccount(db, reports).catch((error) => {
      for (const uuid of uuids) news.add(uuid);
      throw error;
    });
  }

  return {
    async keep(endpoint, { gone, come }) {
      if (endpoint !== last) touched = 'all';
      last = endpoint;
      for (const { uuid } of [...gone, ...come]) touch(uuid);
      await disown(gone);
      await own();
      const uuids = touched === 'all' ? new Set([...endpoint.kept.keys(), ...mine]) : touched;
      touched = new Set();
      for (const uuid of uuids) adjust(endpoint, uuid);
      await report(endpoint);
    },
    async leave(endpoint) {
      const kept = [...(endpoint?.kept.values() ?? [])];
      endpoint?.kept.clear();
      await within(goodbyeMs, Promise.all(kept.map((one) => one.stop())));
      await leases.giveBack('all');
      mine.clear();
    },
  };
}
