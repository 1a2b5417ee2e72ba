import type { Deps } from '../../deps.ts';
import { isDatabaseAway } from '../../platform/db/connect/failure.ts';
import { within } from '../../platform/within.ts';
import { startLoop } from '../../platform/work/loop.ts';
import { noteSetAside } from '../../platform/work/set-aside.ts';
import { doApart, isOurTrouble } from '../../platform/work/split-on-failure.ts';
import {
  finishAnyAccount,
  firstAccount,
  lockPayloadsAnyAccount,
  lockWaitingAnyAccount,
  noteFailureAnyAccount,
  type WaitingPayload,
} from './payload-queries.ts';
import { payloadTopic } from './payloads.ts';
import { receiveEvents } from './receive.ts';

const mostAtOnce = 200;
const mostAccounts = 50;
/** How long a payload waits after each failure; after the last it is put aside. */
const pausesMs = [1_000, 5_000, 30_000, 120_000];
/** How long it waits at most when the database was to blame: a deadlock, a lock, a timeout. Then it is never put aside. */
const longestDatabasePauseMs = 30_000;
const longestPauseMs = 1000;
const somethingText = 'exists (select 1 from inbound_payloads where done is null and problem is null)';

/**
 * Reads the payloads that were kept, and does what they say: those of an account in the order in which they came, and accounts
 * by turns, so that none waits for what another has to read. A batch and the note that it is done are one transaction, so a crash
 * repeats it from the start. When a batch fails, accounts are read by themselves, then payloads; the one that fails even so waits
 * for its next attempt by itself, and those behind it go on.
 */
export function startReading(deps: Deps): { stop(): Promise<void> } {
  let after = firstAccount;
  const readSome = async (): Promise<number> => {
    const { taken, last } = await readNext(deps, after);
    const isRound = last === undefined;
    after = last ?? firstAccount;
    return taken > 0 || !isRound ? 0 : longestPauseMs;
  };
  const loop = startLoop(deps.log, 'inbound', readSome, { watch: deps.listener.poll.watch(somethingText) });
  deps.listener.on(payloadTopic, () => loop.wake());
  return loop;
}

/** Reads the next payloads of the next accounts. `last`: the last of these accounts; undefined: there may be none behind it. */
async function readNext(deps: Deps, after: string): Promise<{ taken: number; last: string | undefined }> {
  let payloads: WaitingPayload[] = [];
  try {
    await within(deps, async (deps) => {
      const { db } = deps;
      payloads = await lockWaitingAnyAccount(db, { after, mostAccounts, most: mostAtOnce });
      await read(deps, payloads);
    });
  } catch (error) {
    if (payloads.length === 0 || isOurTrouble(error)) throw error;
    deps.log.warn({ err: error }, 'Reading a batch of inbound payloads failed; reading them apart');
    await readApart(deps, payloads);
  }
  const accounts = new Set(payloads.map(({ account_id }) => account_id));
  const isFull = accounts.size >= mostAccounts;
  return { taken: payloads.length, last: isFull ? [...accounts].toSorted().at(-1) : undefined };
}

async function readApart(deps: Deps, payloads: WaitingPayload[]): Promise<void> {
  const failures = await doApart(payloads, ownerOf, (some) =>
    within(deps, async (deps) => {
      const { db } = deps;
      const locked = await lockPayloadsAnyAccount(
        db,
        some.map(({ uuid }) => uuid),
      );
      await read(deps, locked);
    }),
  );
  for (const { item, error } of failures) {
    const pauseMs = pauseAfter(error, item.attempts);
    const fields = { accountId: item.account_id, payload: item.uuid };
    if (pauseMs === null) noteSetAside(deps, 'inbound payloads', error, fields);
    else deps.log.warn({ err: error, pauseMs, ...fields }, 'An inbound payload is tried again later, by itself');
    await noteFailureAnyAccount(deps.db, item.uuid, error.message, { pauseMs });
  }
}

/** null: no further attempt. */
function pauseAfter(error: Error, attempts: number): number | null {
  const pauseMs = pausesMs[attempts] ?? null;
  return isDatabaseAway(error) ? Math.min(pauseMs ?? longestDatabasePauseMs, longestDatabasePauseMs) : pauseMs;
}

const ownerOf = ({ account_id, carrier }: WaitingPayload): string => `${account_id} ${carrier}`;

/** Reads payloads that are locked, in the caller's transaction. */
async function read(deps: Deps, payloads: WaitingPayload[]): Promise<void> {
  if (payloads.length === 0) return;
  const readable = [];
  for (const payload of payloads) readable.push(await interpret(deps, payload));
  for (const some of Map.groupBy(readable, ({ payload }) => groupOf(payload)).values()) {
    const { account_id, carrier, attempts, received } = some[0]!.payload;
    const events = some.flatMap(({ events }) => events);
    await receiveEvents(deps, account_id, carrier, events, attempts > 0 ? { lateSince: new Date(received) } : {});
  }
  await finishAnyAccount(
    deps.db,
    payloads.map(({ uuid }) => uuid),
  );
}

/** What is read late goes by itself: those that came after it may have been read before. */
const groupOf = (payload: WaitingPayload): string =>
  payload.attempts > 0 ? `${ownerOf(payload)} ${payload.uuid}` : ownerOf(payload);

/** A payload that makes no sense is put aside at once: reading it again would not help. */
async function interpret({ db, carriers, log }: Deps, payload: WaitingPayload) {
  try {
    const { interpret } = carriers.get(payload.carrier, 'chat').chat;
    if (!interpret) throw new Error(`Nothing comes to ${payload.carrier} from outside.`);
    return { payload, events: interpret(payload.body) };
  } catch (error) {
    const reason = (error as Error).message;
    log.warn({ payload: payload.uuid, reason }, 'An inbound payload makes no sense and was put aside');
    await noteFailureAnyAccount(db, payload.uuid, reason, { pauseMs: null });
    return { payload, events: [] };
  }
}
