import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import { notify } from '../../platform/db/connect/listener.ts';
import { type Db, prepared } from '../../platform/db/connect/pool.ts';
import { within } from '../../platform/within.ts';
import type { Move } from './moves.ts';
import type { StatesTable } from './outbox.ts';
import { type OutboundStatus, priorities, queuedText } from './statuses.ts';

/** What can be done with all messages of a launch. Each costs as many rows as still wait, however many have left. */

export interface Ended {
  uuid: string;
  status: Exclude<OutboundStatus, 'QUEUED'>;
  status_description: string;
  failure_code: string | null;
}

const mostAtOnce = 1000;
/** Before all others. */
const firstUuid = '00000000-0000-0000-0000-000000000000';

export function makeLaunch(table: StatesTable) {
  const states = sql.table(table.states);
  const queued = sql.raw(queuedText);
  const ended = prepared<Ended>(`${table.name}.last-ended`, table.lastEnded);

  /**
   * Changes the priority of a launch's queued messages. Rows are locked in the order that everybody locks states in, so that nobody
   * waits in a circle.
   */
  async function changePriority(db: Db, accountId: string, campaignLog: string, from: number, to: number) {
    const { rows } = await sql<{ uuid: string }>`
      select uuid from ${states}
      where account_id = ${accountId} and campaign_log = ${campaignLog} and ${queued} and priority = ${from}
      order by uuid for no key update`.execute(db);
    if (rows.length === 0) return;
    // A statement of its own: see decision 65. The time in which it was paused does not count as time in which it was tried.
    await sql`
      update ${states} set priority = ${to}, give_up_at = null
      where account_id = ${accountId} and uuid = any (${uuidArray(rows.map(({ uuid }) => uuid))}::uuid[])`.execute(db);
  }

  /** Locks what is queued. What is being handed over, or may have been, cannot be taken back any more. */
  async function lock(db: Db, accountId: string, campaignLog: string) {
    const { rows } = await sql<{ uuid: string; is_claimed: boolean; is_waiting: boolean }>`
      select uuid, claimed_by is not null as is_claimed, claimed_by is null and due_at < 'infinity' as is_waiting
      from ${states}
      where account_id = ${accountId} and campaign_log = ${campaignLog} and ${queued}
      order by uuid for update`.execute(db);
    return rows;
  }

  /** Sees to it that what is being handed over does not leave again if it comes back to the queue. */
  async function withdraw(db: Db, accountId: string, uuids: string[]): Promise<void> {
    if (uuids.length === 0) return;
    await sql`
      update ${states} set priority = ${priorities.withdrawn}
      where account_id = ${accountId} and uuid = any (${uuids}::uuid[])`.execute(db);
  }

  return {
    /**
     * Pauses what a launch has queued: it stays QUEUED and keeps its place in time, but does not leave. What is being handed
     * over leaves, or is paused when it comes back.
     */
    pauseLaunch: (db: Db, accountId: string, campaignLog: string): Promise<void> =>
      changePriority(db, accountId, campaignLog, priorities.campaign, priorities.paused),

    /** Messages wait again as before, and leave when they are due. */
    async resumeLaunch(db: Db, accountId: string, campaignLog: string): Promise<void> {
      await changePriority(db, accountId, campaignLog, priorities.paused, priorities.campaign);
      await notify(db, table.topic);
    },

    /**
     * Takes back what a launch has queued, paused or not, by `move` in batches; answers how many. What is being handed over leaves,
     * or is taken back if it is put off. One transaction: campaigns feed a few seconds' worth ahead, so it is never much.
     */
    cancelLaunch: (
      deps: Deps,
      accountId: string,
      campaignLog: string,
      move: (deps: Deps, batches: Move[][]) => Promise<void>,
    ): Promise<number> =>
      within(deps, async (deps) => {
        const { db } = deps;
        // All at once: the counts stay locked from the first batch on, and nothing may be waited for after that.
        const rows = await lock(db, accountId, campaignLog);
        const claimed = rows.filter(({ is_claimed }) => is_claimed);
        await withdraw(
          db,
          accountId,
          claimed.map(({ uuid }) => uuid),
        );
        const cancelled = { accountId, status: 'CANCELLED', description: table.cancelledWithLaunch } as const;
        const moves = rows.filter(({ is_waiting }) => is_waiting).map(({ uuid }): Move => ({ ...cancelled, uuid }));
        const batches = Array.from({ length: Math.ceil(moves.length / mostAtOnce) }, (_, index) =>
          moves.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
        );
        await move(deps, batches);
        return moves.length;
      }),

    /** The newest of a launch that are not queued any more, newest first; with `after` only those that came after it. */
    lastEnded(
      db: Db,
      accountId: string,
      campaignLog: string,
      { after, most }: { after?: string | undefined; most: number },
    ): Promise<Ended[]> {
      return ended(db, [accountId, campaignLog, after ?? firstUuid, most]);
    },
  };
}
