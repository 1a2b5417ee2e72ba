import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '../../log.ts';
import { timelineText } from './lives.ts';
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

/** What the primary has committed: how far it is, in which life of the server. */
interface Committed {
  position: string;
  timeline: string;
  server_started: string;
}

const committedText = `select pg_current_wal_flush_lsn()::text as position, ${timelineText} as timeline,
  pg_postmaster_start_time()::text as server_started`;

export function makeReplica({ primary, replica, log }: ReplicaOptions): Replica {
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  /** The position that the copy is known to have reached, in a life of the primary. */
  let known = { life: '', reached: 0n };

  /**
   * Positions count on after a failover, also those of a copy that still follows what was lost. So the copy must have what is written down
   * of this life of the primary, too (`noteLifeText`); which timeline it follows, an ordinary role is not told.
   */
  async function catchesUp({ position, timeline, server_started }: Committed): Promise<boolean> {
    const wanted = positionOf(position);
    const life = `${timeline} ${server_started}`;
    if (known.life !== life) known = { life, reached: 0n };
    const mine = known;
    for (const pauseMs of [...pausesMs, undefined]) {
      if (mine.reached >= wanted) return true;
      // A copy that was promoted replays nothing, and is no copy any more.
      const { rows } = await sql<{ position: string | null; follows: boolean }>`
        select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as position,
          exists (
            select 1 from database_lives
            where timeline = ${timeline} and server_started = ${server_started}::timestamptz) as follows`.execute(
        replica,
      );
      const { position: now, follows } = rows[0]!;
      if (!now) throw new Error('DATABASE_READ_URL leads to a server that is not a replica.');
      if (follows && positionOf(now) > mine.reached) mine.reached = positionOf(now);
      if (mine.reached < wanted && pauseMs !== undefined) await sleep(pauseMs);
    }
    return mine.reached >= wanted;
  }

  const failed = (error: unknown): void => {
    if (performance.now() >= awayUntilMs) {
      log.warn({ error: (error as Error).message }, 'The replica cannot be read; the primary is read instead');
    }
    awayUntilMs = performance.now() + awayMs;
    known = { life: '', reached: 0n };
  };

  return {
    failed,
    async upToDate() {
      if (performance.now() < awayUntilMs) return undefined;
      const { rows } = await sql.raw<Committed>(committedText).execute(primary);
      try {
        return (await catchesUp(rows[0]!)) ? replica : undefined;
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
