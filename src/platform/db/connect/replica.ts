import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '../../log.ts';
import type { Db } from './pool.ts';

/** A copy of the database to read from. */
export interface Replica {
  /**
   * The copy, once it has everything that was committed before this call, so that nobody misses what they were told. undefined: it
   * is away, or too far behind to wait for.
   */
  upToDate(): Promise<Db | undefined>;
  /** To be called when the copy failed: it is not used for a while. */
  failed(error: unknown): void;
}

/** Pauses between looks at whether the copy has caught up: longer than the network needs, shorter than anybody notices. */
const pausesMs = [2, 4, 8, 16, 32];
const awayMs = 5_000;

interface ReplicaOptions {
  primary: Db;
  replica: Db;
  log: Log;
}

export function makeReplica({ primary, replica, log }: ReplicaOptions): Replica {
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  /** The position that the copy is known to have reached. */
  let reached = 0n;

  async function catchesUp(position: bigint): Promise<boolean> {
    for (const pauseMs of [...pausesMs, undefined]) {
      if (reached >= position) return true;
      // A copy that was promoted replays nothing, and is no copy any more.
      const { rows } = await sql<{ position: string | null }>`
        select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position`.execute(replica);
      const now = rows[0]?.position;
      if (!now) throw new Error('DATABASE_READ_URL leads to a server that is not a replica.');
      if (positionOf(now) > reached) reached = positionOf(now);
      if (reached < position && pauseMs !== undefined) await sleep(pauseMs);
    }
    return reached >= position;
  }

  const failed = (error: unknown): void => {
    if (performance.now() >= awayUntilMs) {
      log.warn({ error: (error as Error).message }, 'The replica cannot be read; the primary is read instead');
    }
    awayUntilMs = performance.now() + awayMs;
    reached = 0n;
  };

  return {
    failed,
    async upToDate() {
      if (performance.now() < awayUntilMs) return undefined;
      const { rows } = await sql<{ position: string }>`select pg_current_wal_flush_lsn()::text as position`.execute(
        primary,
      );
      try {
        return (await catchesUp(positionOf(rows[0]!.position))) ? replica : undefined;
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
  };
}

/** `16/B374D848`: two halves of a 64-bit number. */
function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
