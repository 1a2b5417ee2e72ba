import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { within } from '../../../platform/within.ts';
import { announce, findListening } from '../../webhooks/index.ts';
import { type CallChange, type CallRow, changeCalls } from '../queries.ts';
import { presentCall } from '../schemas.ts';

export type Told =
  | 'call.started'
  | 'call.answered'
  | 'call.ended'
  | 'call.recording_ready'
  | 'call.voicemail_received'
  | 'call.digits_captured';

/** A change of a call, and who hears of it. */
export interface Change extends CallChange {
  told: Told;
  /** Of its number. */
  webhooks: string[];
}

/** Of what is told, the steps that are counted. */
const counted: Partial<Record<Told, 'started' | 'answered' | 'ended'>> = {
  'call.started': 'started',
  'call.answered': 'answered',
  'call.ended': 'ended',
};

/** Changes calls, and tells whoever listens, in a transaction; undefined for those that were over already. */
export async function applyChanges(db: Db, deps: Deps, given: Change[]): Promise<(CallRow | undefined)[]> {
  const rows = await changeCalls(db, given);
  await announce(
    db,
    deps,
    given
      .filter(({ uuid }) => rows.has(uuid))
      .map(({ accountId, uuid, told, webhooks }) => ({
        accountId,
        type: told,
        data: presentCall(rows.get(uuid)!),
        numberWebhooks: webhooks,
      })),
  );
  for (const { uuid, told } of given) {
    const row = rows.get(uuid);
    const step = counted[told];
    if (row && step) deps.observer.call(step, row);
  }
  return given.map(({ uuid }) => rows.get(uuid));
}

/** The same of one call, together with what happens to others at this moment. */
export const applyChange = (deps: Deps, change: Change): Promise<CallRow | undefined> =>
  deps.batches.run('voice.change', change, (items) =>
    together(deps, items, (deps, some) => applyChanges(deps.db, deps, some), {
      isOneStatement: (some) => isUnheard(deps, some),
    }),
  );

/** Whether no webhook hears of these: then they are one statement. */
async function isUnheard(deps: Deps, given: Change[]): Promise<boolean> {
  if (given.some(({ webhooks }) => webhooks.length > 0)) return false;
  for (const [told, some] of Map.groupBy(given, (change) => change.told)) {
    const accounts = some.map(({ accountId }) => accountId);
    if ((await findListening(deps.db, deps, told, accounts)).size > 0) return false;
  }
  return true;
}

/** Does what several calls need in one transaction. One that cannot be written does not cost the others theirs. */
export async function together<Item, Result>(
  deps: Deps,
  items: Item[],
  work: (deps: Deps, items: Item[]) => Promise<Result[]>,
  { isOneStatement }: { isOneStatement?(items: Item[]): Promise<boolean> } = {},
): Promise<PromiseSettledResult<Result>[]> {
  const run = async (some: Item[]): Promise<Result[]> =>
    (await isOneStatement?.(some)) ? work(deps, some) : within(deps, (deps) => work(deps, some));
  try {
    return fulfilled(await run(items));
  } catch (error) {
    if (items.length === 1) throw error;
    return Promise.allSettled(items.map(async (item) => (await run([item]))[0]!));
  }
}

const fulfilled = <Result>(values: Result[]): PromiseSettledResult<Result>[] =>
  values.map((value) => ({ status: 'fulfilled', value }));
