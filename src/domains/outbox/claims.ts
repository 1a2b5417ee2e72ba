import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import { isOverText } from '../../platform/db/clock.ts';
import type { Db } from '../../platform/db/connect/pool.ts';
import { perAccount } from '../../platform/db/distribute/layout.ts';
import { seeLiving } from '../../platform/process/living.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { Doubts } from '../../platform/work/hands.ts';
import { allDone } from '../../platform/work/split-on-failure.ts';
import { appendEvents } from '../timeline/index.ts';
import type { Postponement } from './hand-over.ts';
import type { Move } from './moves.ts';
import type { StatesTable } from './outbox.ts';
import { priorities } from './statuses.ts';

/**
 * Claims: what a worker has taken from a queue to hand it over. `claimed_by` is the number of the worker, `claim` the number of the
 * claim; rows that were taken over from a dead worker have claim 0. See decision 24.
 */

/** Whose claims are put back. A row that was put back already and claimed again since stays as it is. */
export interface ClaimedAs {
  workerNumber: number;
  claims: number[];
}

/** A hand-over that a dead worker left half done, or a claim of this worker that it does not remember. */
export interface Abandoned {
  account_id: string;
  uuid: string;
  give_up_at: string | null;
  claim: number;
  /** It was never given to the carrier. */
  is_unsent: boolean;
}

const mostAtOnce = 1000;
/** The description of one that was withdrawn by itself, not with a launch. */
const withdrawnAlone = 'It was withdrawn while it was being handed over.';

export function makeClaims<A extends Abandoned>(table: StatesTable) {
  const states = sql.table(table.states);
  const setOnPutBack = sql.raw(table.setOnPutBack ?? '');
  const columns = sql.raw(table.recovered.columns);
  const joins = sql.raw(table.recovered.joins);
  const owner = sql.ref(`state.${table.owner}`);
  const isOver = sql.raw(isOverText('state.claimed_at', '3 seconds'));

  /**
   * Puts claimed rows back into the queue and notes on the timeline what happened. Rows that were withdrawn meanwhile must not
   * leave again: for these it answers the moves that cancel them.
   */
  async function putBack(
    db: Db,
    accountId: string,
    postponements: Postponement[],
    { workerNumber, claims }: ClaimedAs,
  ): Promise<Move[]> {
    if (postponements.length === 0) return [];
    const uuids = uuidArray(postponements.map(({ uuid }) => uuid));
    const nowMs = systemClock.now().getTime();
    const { rows } = await sql<{ uuid: string; campaign_log: string | null; is_withdrawn: boolean }>`
      with claimed as materialized (
        -- In the order in which everybody locks them: receipts of the same may come at this moment. A receipt that was faster than
        -- the answer leaves nothing to put back.
        select uuid from ${states}
        where account_id = ${accountId} and uuid = any (${uuids}::uuid[]) and status = 'QUEUED'
          and claimed_by = ${workerNumber} and coalesce(claim, 0) = any (${claims}::integer[])
        order by uuid for no key update
      )
      update ${states} as state set status_description = again.description, modified = now(),
        claimed_by = null, claim = null, claimed_at = null, due_at = again.due_at,
        ready = again.is_due or again.due_at < 'infinity' and exists (select 1 from sandbox_clocks as clock where clock.account_id = state.account_id),
        give_up_at = again.give_up_at,
        attempts = attempts - case when again.is_attempt then 0 else 1 end ${setOnPutBack}
      from unnest(
        ${uuids}::uuid[],
        ${postponements.map(({ dueAt }) => dueAt?.toISOString() ?? 'infinity')}::timestamptz[],
        ${postponements.map(({ giveUpAt }) => giveUpAt?.toISOString() ?? null)}::timestamptz[],
        ${postponements.map(({ description }) => description)}::text[],
        ${postponements.map(({ isAttempt = true }) => isAttempt)}::boolean[],
        ${postponements.map(({ dueAt }) => dueAt !== null && dueAt.getTime() <= nowMs)}::boolean[]
      ) as again (uuid, due_at, give_up_at, description, is_attempt, is_due)
      where state.account_id = ${accountId} and state.uuid = again.uuid and state.uuid = any (array(select uuid from claimed))
      returning state.uuid, state.campaign_log, state.priority = ${priorities.withdrawn} and state.due_at < 'infinity' as is_withdrawn`.execute(
      db,
    );
    await appendEvents(
      db,
      postponements.map(({ uuid, dueAt, description }) => ({
        accountId,
        subjectType: table.subject,
        subject: uuid,
        kind: `${table.subject}.${dueAt ? 'postponed' : 'unknown'}`,
        data: { description, ...(dueAt && { next_attempt: dueAt.toISOString() }) },
      })),
    );
    const withdrawn = rows.filter((row) => row.is_withdrawn);
    return withdrawn.map(({ uuid, campaign_log }) => ({
      accountId,
      uuid,
      status: 'CANCELLED',
      description: campaign_log === null ? withdrawnAlone : table.cancelledWithLaunch,
    }));
  }

  /**
   * Finds rows that say that this worker claimed them, while the worker does not have them in hand: the answer of a claim or of a
   * hand-over was lost. No other worker looks for these rows, so there is nothing to lock.
   */
  async function findForgottenAnyAccount(db: Db, workerNumber: number, { inHand, unsent }: Doubts): Promise<A[]> {
    const { rows } = await sql<A>`
      select state.account_id, state.uuid, ${owner}, state.give_up_at, coalesce(state.claim, 0) as claim,
        coalesce(state.claim, 0) = any (${unsent}::integer[]) as is_unsent, ${columns}
      from ${states} as state ${joins}
      where state.claimed_by = ${workerNumber} and coalesce(state.claim, 0) <> all (${inHand}::integer[]) and ${isOver}
      limit ${mostAtOnce}`.execute(db);
    return rows;
  }

  /**
   * Takes over the claims of dead workers, whose session locks are gone. A worker that only lost its session for a moment is given
   * three seconds, and no worker takes from itself.
   */
  async function claimAbandonedAnyAccount(db: Db, workerNumber: number): Promise<A[]> {
    const living = await seeLiving(db);
    // Leaves out the range of its own claims: the index keeps those that have ended until the next vacuum, so it is full of them.
    const isAbandoned = sql`(claimed_by < ${workerNumber} or claimed_by > ${workerNumber})
      and claimed_by <> all (${living.workers}) and ${living.isOver('state.claimed_at', '3 seconds')} and ${living.isSettled}`;
    const due = sql`select account_id from ${states} as state where ${isAbandoned}`;
    return perAccount(db, due, async (ofAccount) => {
      const { rows } = await sql<A>`
        with abandoned as (
          select state.account_id, state.uuid from ${states} as state
          where ${isAbandoned} and ${ofAccount('state.account_id')}
          limit ${mostAtOnce} for update skip locked
        ), taken as (
          update ${states} as state set claimed_by = ${workerNumber}, claim = 0, claimed_at = now()
          from abandoned where state.account_id = abandoned.account_id and state.uuid = abandoned.uuid
            and ${ofAccount('state.account_id')}
          returning state.account_id, state.uuid, ${owner}, state.give_up_at, state.claim
        )
        select state.*, false as is_unsent, ${columns} from taken as state ${joins}`.execute(db);
      return rows;
    });
  }

  /**
   * Recovers what dead workers left half done, and claims of this worker that it does not remember. `recover` is given those of one
   * account and one queue or link at a time. Answers how many were found.
   */
  async function recoverAbandoned(
    { db, listener: { workerNumber } }: Deps,
    doubts: Doubts | undefined,
    recover: (some: A[]) => Promise<void>,
  ): Promise<number> {
    const abandoned = [
      ...(doubts ? await findForgottenAnyAccount(db, workerNumber, doubts) : []),
      ...(await claimAbandonedAnyAccount(db, workerNumber)),
    ];
    const groups = Map.groupBy(abandoned, (one) => `${one.account_id} ${ownerOf(one)}`);
    await allDone([...groups.values()].map(recover));
    return abandoned.length;
  }
  const ownerOf = (one: A): unknown => one[table.owner as keyof A];

  return { putBack, recoverAbandoned };
}
