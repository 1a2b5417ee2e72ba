import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import { isDistributed } from '../../platform/db/connect/pool.ts';
import { onTakeover } from '../../platform/db/connect/takeover.ts';
import { keepNewest } from '../../platform/work/newest.ts';
import type { StatesTable } from './outbox.ts';

/** What this process has claimed lately. */
export interface Reclaims {
  /** Answers what is to be told of each of them that turned out not to have gone to the carrier. */
  note(claim: Claim, claimed: readonly Attempt[]): NotLeft;
  stop(): Promise<void>;
}

/** Is told which of a claim the carrier was not given, or did not take. */
export type NotLeft = (uuids: string[]) => void;

interface Attempt {
  uuid: string;
  attempts: number;
}

interface Claim {
  accountId: string;
  /** The sender or link that they were claimed for. */
  owner: string;
  claim: number;
}

/** An asynchronous standby is rarely further behind. */
const keptMs = 30_000;
/** Of each such span: more than a process hands over. */
const mostClaims = 20_000;

export function makeReclaims({ states: table, subject, owner: ownerName }: StatesTable) {
  const states = sql.table(table);
  const ownerColumn = sql.ref(ownerName);

  /**
   * Where a standby takes over that did not hear of a claim, what was claimed seems to wait, though it may have left. This process claims
   * it again, under the same number, before anybody may take it (`mayLeaveText`): so what is still in hand is stored as if nothing had happened,
   * and the carrier is asked about the rest (`recoverAbandoned`).
   */
  function startReclaims({ db, listener, log }: Deps): Reclaims {
    const newest = keepNewest<Claim & { attempts: Attempt[] }>(mostClaims, keptMs, () => performance.now());
    const { stop } = onTakeover(
      { listener, log },
      'What had left before a failover could not be claimed again',
      async () => {
        const given = newest.kept().flatMap(({ attempts, ...claim }) => attempts.map((one) => ({ ...claim, ...one })));
        if (given.length === 0 || isDistributed(db)) return;
        const { numAffectedRows } = await sql`
        with again as materialized (
          -- Several claims of one: the last.
          select distinct on (account_id, uuid) * from unnest(
            ${uuidArray(given.map(({ accountId }) => accountId))}::uuid[], ${uuidArray(given.map(({ uuid }) => uuid))}::uuid[],
            ${uuidArray(given.map(({ owner }) => owner))}::uuid[], ${given.map(({ claim }) => claim)}::integer[],
            ${given.map(({ attempts }) => attempts)}::integer[]
          ) as given (account_id, uuid, owner, claim, attempts)
          order by account_id, uuid, attempts desc
        ), locked as materialized (
          -- In the order in which everybody locks them.
          select state.account_id, state.uuid from ${states} as state
          join again on again.account_id = state.account_id and again.uuid = state.uuid
          where state.status = 'QUEUED' and state.claimed_by is null and state.attempts < again.attempts
          order by state.uuid for no key update of state
        )
        update ${states} as state set claimed_by = ${listener.workerNumber}, claim = again.claim, claimed_at = now(),
          attempts = again.attempts, ${ownerColumn} = again.owner
        from locked join again on again.account_id = locked.account_id and again.uuid = locked.uuid
        where state.account_id = locked.account_id and state.uuid = locked.uuid`.execute(db);
        if (numAffectedRows) {
          log.warn(
            { kind: subject, count: Number(numAffectedRows) },
            'A standby took over that did not know that these had left',
          );
        }
      },
    );
    return {
      note(claim, claimed) {
        const kept = { ...claim, attempts: claimed.map(({ uuid, attempts }) => ({ uuid, attempts })) };
        newest.add(kept);
        return (uuids) => {
          if (uuids.length > 0) kept.attempts = kept.attempts.filter(({ uuid }) => !uuids.includes(uuid));
        };
      },
      stop,
    };
  }
  return { startReclaims };
}
