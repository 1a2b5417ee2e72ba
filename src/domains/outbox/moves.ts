import type { Deps } from '../../deps.ts';
import { uuidArray } from '../../platform/db/arrays.ts';
import { type Db, isDistributed, prepared } from '../../platform/db/connect/pool.ts';
import type { TallyStep } from '../tallies/index.ts';
import type { NewEvent } from '../timeline/index.ts';
import type { StatesTable } from './outbox.ts';
import { canMove, hasArrived, type OutboundStatus } from './statuses.ts';

export interface StatusChange {
  accountId: string;
  uuid: string;
  status: OutboundStatus;
  description: string;
  /** Why it failed, for those who decide by it: the carrier's code, or one of ours. */
  failureCode?: string | undefined;
  carrierMessageId?: string | undefined;
}

/** A step that something is said to have taken, and what is known of it. */
export interface Move extends StatusChange {
  data?: Record<string, unknown>;
  /** Who says so, where that matters: a receipt may be faster than our own note of the hand-over. */
  source?: 'hand_over' | 'receipt';
  /** What its launch counts it as, where that differs from the status: a message that failed because the person opted out. */
  countsAs?: 'opted_out';
}

/** Where something stands, locked. */
export interface Standing {
  account_id: string;
  uuid: string;
  status: OutboundStatus;
  campaign_log: string | null;
}

export const keyOf = (accountId: string, uuid: string): string => accountId + uuid;

/** What a batch of moves comes to. */
export interface Weighed {
  /** The last step of each that took one, by `keyOf`. */
  changes: Map<string, Move>;
  /** Every step that was taken. */
  steps: Move[];
  /** Moves that change no status but bring the carrier's id. */
  late: Move[];
  /** Every report. */
  events: NewEvent[];
}

/**
 * Decides which moves change a status. Moves may come in any order and more than once. Every report becomes an event, but only a
 * move that leads forward becomes a step. A receipt for a message that is still QUEUED shows that it was sent, so a step to SENT is
 * added before it. When a hand-over ends after a receipt has already reported the arrival, no event is written.
 */
export function weigh(
  subjectType: StatesTable['subject'],
  locked: ReadonlyMap<string, Standing>,
  moves: Move[],
): Weighed {
  const weighed: Weighed = { changes: new Map(), steps: [], late: [], events: [] };
  const statusOf = (key: string): OutboundStatus | undefined => (weighed.changes.get(key) ?? locked.get(key))?.status;
  const take = (key: string, move: Move): void => {
    const { accountId, uuid: subject, status, description, carrierMessageId, data, source } = move;
    const before = statusOf(key);
    if (before === undefined) return;
    const applied = canMove(before, status);
    if (applied) {
      weighed.steps.push(move);
      // Keeps the id that an earlier report of this batch brought.
      const known = carrierMessageId ?? weighed.changes.get(key)?.carrierMessageId;
      weighed.changes.set(key, { ...move, carrierMessageId: known });
    }
    if (!applied && carrierMessageId !== undefined) weighed.late.push(move);
    if (!applied && source === 'hand_over' && hasArrived(before)) return;
    const kind = `${subjectType}.${status.toLowerCase()}`;
    const told = { status, status_description: description, applied, ...data };
    weighed.events.push({ accountId, subjectType, subject, kind, data: told });
  };
  for (const move of moves) {
    const { accountId, uuid, status, source } = move;
    const key = keyOf(accountId, uuid);
    const isFaster = source === 'receipt' && status !== 'SENT' && statusOf(key) === 'QUEUED';
    if (isFaster) take(key, { accountId, uuid, status: 'SENT', description: '' });
    take(key, move);
  }
  return weighed;
}

/** Each message of a launch counts once: as what it is now, and no longer as what it was. */
export function tallyOf(
  campaignLog: string | null,
  before: OutboundStatus,
  { accountId, status, countsAs }: Pick<Move, 'accountId' | 'status' | 'countsAs'>,
): TallyStep[] {
  if (campaignLog === null) return [];
  const of = (name: string, count: number): TallyStep => ({ accountId, subject: campaignLog, name, count });
  return [of(before.toLowerCase(), -1), of(countsAs ?? status.toLowerCase(), 1)];
}

export const talliesOf = (locked: ReadonlyMap<string, Standing>, changes: ReadonlyMap<string, Move>): TallyStep[] =>
  [...changes].flatMap(([key, move]) => {
    const { campaign_log, status } = locked.get(key)!;
    return tallyOf(campaign_log, status, move);
  });

/** The statements that lock states and write where things stand now. */
export function makeMoves<S extends Standing>({ name, states, locked, carrierId }: StatesTable) {
  const lock = prepared<S>(
    `${name}.lock-states`,
    `select account_id, uuid, status, campaign_log, ${locked} from ${states}
    where (account_id, uuid) in (select * from unnest($1::uuid[], $2::uuid[])) and status <> 'RECEIVED'
    order by account_id, uuid for update`,
  );
  const lockOfAccount = prepared<S>(
    `${name}.lock-states-of-account`,
    `select account_id, uuid, status, campaign_log, ${locked} from ${states}
    where account_id = $1 and uuid = any ($2::uuid[]) and status <> 'RECEIVED' order by uuid for update`,
  );
  /** Rows of one shard at a time, in the same order. */
  async function lockDistributed(db: Db, some: { accountId: string; uuid: string }[]): Promise<S[]> {
    const accounts = [...Map.groupBy(some, ({ accountId }) => accountId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const rows: S[] = [];
    for (const [accountId, its] of accounts) {
      rows.push(...(await lockOfAccount(db, [accountId, uuidArray(its.map(({ uuid }) => uuid))])));
    }
    return rows;
  }
  const setCarrierId = carrierId ? `, ${carrierId} = coalesce(change.carrier_id, state.${carrierId})` : '';
  const update = prepared(
    `${name}.update-states`,
    `update ${states} as state set status = change.status, status_description = change.description,
      failure_code = change.failure_code, modified = now(), claimed_by = null, claim = null, claimed_at = null${setCarrierId}
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]${carrierId ? ', $6::text[]' : ''})
      as change (account_id, uuid, status, description, failure_code${carrierId ? ', carrier_id' : ''})
    where state.account_id = change.account_id and state.uuid = change.uuid`,
  );
  const keys = (some: { accountId: string; uuid: string }[]): unknown[] => [
    uuidArray(some.map(({ accountId }) => accountId)),
    uuidArray(some.map(({ uuid }) => uuid)),
  ];
  return {
    /** Where these stand, locked so that two batches cannot both move one. */
    lockStates: (db: Db, some: { accountId: string; uuid: string }[]): Promise<S[]> =>
      isDistributed(db) ? lockDistributed(db, some) : lock(db, keys(some)),
    /** Writes where these stand now; nobody has a claim on them any more. */
    async updateStates(db: Db, changes: StatusChange[]): Promise<void> {
      await update(db, [
        ...keys(changes),
        changes.map(({ status }) => status),
        changes.map(({ description }) => description),
        changes.map(({ failureCode }) => failureCode ?? null),
        ...(carrierId ? [changes.map(({ carrierMessageId }) => carrierMessageId ?? null)] : []),
      ]);
    },
  };
}

/** The task that hears of failed messages that belong to no campaign: whoever sent one may have to do something else. */
export const failedTask = 'outbox.failed';

export interface Failed {
  accountId: string;
  /** Of the message or the SMS. */
  uuid: string;
  description: string;
}

/** Passes on which of these changes are failures, in the caller's transaction. */
export async function tellFailures(
  { db, queue }: Pick<Deps, 'db' | 'queue'>,
  locked: ReadonlyMap<string, Standing>,
  changes: ReadonlyMap<string, Move>,
): Promise<void> {
  const failed = [...changes].flatMap(([key, { accountId, uuid, status, description }]): Failed[] =>
    status === 'FAILED' && locked.get(key)?.campaign_log === null ? [{ accountId, uuid, description }] : [],
  );
  if (failed.length > 0) await queue.enqueue(db, failedTask, failed);
}
