import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/pool.ts';
import { countTraffic, type TrafficRow } from '../numbers/index.ts';
import type { NewEvent } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { type CallChanges, type CallRow, changeCall } from './queries.ts';
import { presentCall } from './schemas.ts';

export type Told =
  | 'call.started'
  | 'call.answered'
  | 'call.ended'
  | 'call.recording_ready'
  | 'call.voicemail_received'
  | 'call.digits_captured';

/** A change of a call, and who hears of it. */
export interface Change {
  accountId: string;
  uuid: string;
  changes: CallChanges;
  /** For its timeline, in their order. */
  events: NewEvent[];
  told: Told;
  /** Of its number. */
  webhooks: string[];
  /** What its number's traffic is, of a call that is over. */
  traffic?(row: CallRow): TrafficRow;
}

/** Changes calls, and tells whoever listens, in a transaction; undefined for those that were over already. */
export async function applyChanges(db: Db, deps: Deps, given: Change[]): Promise<(CallRow | undefined)[]> {
  const rows: (CallRow | undefined)[] = [];
  for (const one of given) rows.push(await changeCall(db, one.accountId, one.uuid, one));
  const done = given.flatMap((one, index) => (rows[index] ? [{ one, row: rows[index] }] : []));
  await announce(
    db,
    deps,
    done.map(({ one, row }) => ({
      accountId: one.accountId,
      type: one.told,
      data: presentCall(row),
      numberWebhooks: one.webhooks,
    })),
  );
  await countTraffic(
    db,
    done.flatMap(({ one, row }) => (one.traffic ? [one.traffic(row)] : [])),
  );
  return rows;
}

/** The same of one call, together with what happens to others at this moment. */
export const applyChange = (deps: Deps, change: Change): Promise<CallRow | undefined> =>
  deps.batches.run('voice.change', change, (items) =>
    isOneStatement(items)
      ? applyChanges(deps.db, deps, items).then(fulfilled)
      : together(deps, items, (db, some) => applyChanges(db, deps, some)),
  );

const isOneStatement = ([first, ...others]: Change[]): boolean =>
  others.length === 0 && first!.webhooks.length === 0 && !first!.traffic;

/** Does what several calls need in one transaction. One that cannot be written does not cost the others theirs. */
export async function together<Item, Result>(
  deps: Deps,
  items: Item[],
  work: (db: Db, items: Item[]) => Promise<Result[]>,
): Promise<PromiseSettledResult<Result>[]> {
  const run = (some: Item[]): Promise<Result[]> => inTransaction(deps.db, (db) => work(db, some));
  try {
    return fulfilled(await run(items));
  } catch (error) {
    if (items.length === 1) throw error;
    return Promise.allSettled(items.map(async (item) => (await run([item]))[0]!));
  }
}

const fulfilled = <Result>(values: Result[]): PromiseSettledResult<Result>[] =>
  values.map((value) => ({ status: 'fulfilled', value }));
