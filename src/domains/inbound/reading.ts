import type { Deps } from '../../deps.ts';
import { startLoop } from '../../platform/loop.ts';
import { payloadTopic } from './keep.ts';
import {
  finishAnyAccount,
  lockWaitingAnyAccount,
  noteFailureAnyAccount,
  type WaitingPayload,
} from './payload-queries.ts';
import { receiveEvents } from './receive.ts';

const mostAtOnce = 200;
/** A payload that fails this often is put aside, so that it does not stop those behind it. */
const mostAttempts = 5;
const longestPauseMs = 1000;

/**
 * Reads the payloads that were kept, in the order in which they came, and does what they say. A batch and the note that it
 * is done are one transaction, so a crash repeats it from the start. When a batch fails, its payloads are read one by one,
 * and only the one that cannot be read is put aside.
 */
export function startReading(deps: Deps): { stop(): Promise<void> } {
  const loop = startLoop(deps.log, 'inbound', async () => {
    const read = await readPayloads(deps, mostAtOnce).catch((error) => {
      deps.log.warn({ err: error }, 'Reading a batch of inbound payloads failed; reading them one by one');
      return readOneByOne(deps);
    });
    return read === mostAtOnce ? 0 : longestPauseMs;
  });
  deps.listener.on(payloadTopic, () => loop.wake());
  return loop;
}

/** Reads up to `most` payloads; answers how many there were. */
export const readPayloads = (deps: Deps, most: number): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    const inside = { ...deps, db };
    const payloads = await lockWaitingAnyAccount(db, most);
    if (payloads.length === 0) return 0;
    const read = [];
    for (const payload of payloads) read.push(await interpret(inside, payload));
    const byOwner = Map.groupBy(read, ({ payload }) => `${payload.account_id} ${payload.carrier}`);
    for (const some of byOwner.values()) {
      const { account_id, carrier } = some[0]!.payload;
      await receiveEvents(
        inside,
        account_id,
        carrier,
        some.flatMap(({ events }) => events),
      );
    }
    await finishAnyAccount(
      db,
      payloads.map(({ uuid }) => uuid),
    );
    return payloads.length;
  });

/** A payload that makes no sense is put aside at once: reading it again would not help. */
async function interpret({ db, carriers, log }: Deps, payload: WaitingPayload) {
  try {
    return { payload, events: carriers.get(payload.carrier).interpret(payload.body) };
  } catch (error) {
    const reason = (error as Error).message;
    log.warn({ payload: payload.uuid, reason }, 'An inbound payload makes no sense and was put aside');
    await noteFailureAnyAccount(db, payload.uuid, reason, { final: true });
    return { payload, events: [] };
  }
}

async function readOneByOne(deps: Deps): Promise<number> {
  for (let read = 0; read < mostAtOnce; read++) {
    const [next] = await deps.db.transaction().execute((db) => lockWaitingAnyAccount(db, 1));
    if (!next) return read;
    try {
      await readPayloads(deps, 1);
    } catch (error) {
      const final = next.attempts + 1 >= mostAttempts;
      deps.log.error({ err: error, payload: next.uuid, final }, 'An inbound payload could not be dealt with');
      await noteFailureAnyAccount(deps.db, next.uuid, (error as Error).message, { final });
      throw error;
    }
  }
  return mostAtOnce;
}
