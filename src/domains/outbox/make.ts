import type { Deps } from '../../deps.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { type Abandoned, makeClaims } from './claims.ts';
import { makeLaunch } from './launch.ts';
import { readLedger } from './ledger.ts';
import { makeMoves, type Standing } from './moves.ts';
import { makeReady } from './ready.ts';
import type { StatesTable } from './table.ts';
import { makeWatches } from './watches.ts';

/** The outbox of a channel: its statements, made once, and what is done with them. */
export const makeOutbox = <S extends Standing, A extends Abandoned>(table: StatesTable) => ({
  topic: table.topic,
  subject: table.subject,
  ...makeMoves<S>(table),
  ...makeClaims<A>(table),
  ...makeLaunch(table),
  ...makeReady(table),
  ...makeWatches(table),
  readLedger: <F extends string>(db: Db, accountId: string, finals: readonly F[]) =>
    readLedger(db, table, accountId, finals),

  /** Wakes delivery for these queues: in this process at once, in others by a notice. */
  wake({ listener }: Deps, queues: Iterable<string>): void {
    for (const queue of new Set(queues)) listener.signal(table.topic, queue);
  },
});
