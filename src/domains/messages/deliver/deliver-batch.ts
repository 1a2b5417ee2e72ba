import type { Outcome } from '../../../carriers/ports/chat.ts';
import type { Deps } from '../../../deps.ts';
import { exactMs, steadyMs } from '../../../platform/time/clock.ts';
import { firstPauseMs, untilStored } from '../../../platform/work/retry.ts';
import { slowSender } from '../../chatapp-accounts/index.ts';
import { type Move, meaningOf, type NotLeft, type Postponement } from '../../outbox/index.ts';
import { handOverMessages } from './hand-over.ts';
import { moveMessages, postpone } from './move.ts';
import { type Claimed, claimDue, type Sender } from './queue.ts';

/**
 * How many messages of one sender are handed over at once: if no other sender has any, and if one does. As many more may be claimed
 * ahead; after a crash nobody can say whether those left, either.
 */
export const batchSize = 100;
export const sharedBatchSize = 50;

/** Messages of one sender that this worker has claimed and must now see through. */
export interface Batch {
  sender: Sender;
  /** The number of the claim. */
  claim: number;
  claimed: Claimed[];
  now: Date;
  /** When it was claimed, by a clock that is never set. */
  claimedMs: number;
  notLeft?: NotLeft;
}

/**
 * Takes a sender's next due messages. The claim is committed before the carrier is called: after a crash it says that a
 * hand-over may have happened (see `recover.ts`). undefined: none may be taken now.
 */
export async function claimBatch(
  { db, carriers, listener }: Deps,
  sender: Sender,
  claim: number,
  most = batchSize,
): Promise<Batch | undefined> {
  const now = carriers.get(sender.carrier).clock(sender.account_id).now();
  const claimedMs = steadyMs();
  const claimed = await claimDue(db, sender, { workerNumber: listener.workerNumber, claim, now, most });
  return claimed.length === 0 ? undefined : { sender, claim, claimed, now, claimedMs };
}

/**
 * Hands a batch to its carrier, with no transaction open during the call, and stores how each message ended. It calls `left` when
 * the carrier has taken all of them, so that the next batch can leave while outcomes are stored. Fails if it cannot tell how they
 * ended.
 */
export async function deliverBatch(
  deps: Deps,
  slowDowns: SlowDowns,
  batch: Batch,
  { left, ending }: { left: () => void; ending: AbortSignal },
): Promise<void> {
  const { sender, claimed } = batch;
  const claimedMs = exactMs();
  const slowDown = slowDowns.since(sender.uuid, batch.claimedMs);
  const outcomes = slowDown
    ? claimed.map(() => slowDown)
    : await handOverMessages(deps, deps.carriers.get(sender.carrier, 'chat'), sender, claimed);
  slowDowns.note(sender.uuid, outcomes);
  batch.notLeft?.(claimed.filter((_, index) => isRefusal(outcomes[index]!)).map(({ uuid }) => uuid));
  deps.observer.handOver('message', { carrier: sender.carrier, claimedMs, claimed, outcomes });
  if (outcomes.every(({ kind }) => kind === 'accepted')) left();
  await untilStored(deps.log, ending, () => settle(deps, batch, outcomes));
}

/** The carrier was not given it, or did not take it. */
const isRefusal = ({ kind }: Outcome): boolean => kind === 'retry' || kind === 'rejected';

/** Stores how each hand-over of a batch ended. */
async function settle(deps: Deps, { sender, claim, claimed, now }: Batch, outcomes: Outcome[]): Promise<void> {
  const accountId = sender.account_id;
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  claimed.forEach((message, index) => {
    const outcome = outcomes[index]!;
    const result = outcome.kind === 'accepted' ? sent(message, outcome) : meaningOf(message, outcome, now);
    if ('status' in result) moves.push({ accountId, ...result });
    else postponements.push(result);
  });
  if (moves.length > 0) await moveMessages(deps, moves);
  if (postponements.length > 0) await postpone(deps, sender, postponements, [claim]);
  const pauseMs = Math.max(0, ...outcomes.map(senderPauseMs));
  if (pauseMs > 0) await slowSender(deps.db, accountId, sender.uuid, pauseMs);
}

const sent = ({ uuid }: Claimed, { carrierMessageId }: { carrierMessageId: string }) =>
  ({ uuid, status: 'SENT', description: '', carrierMessageId, source: 'hand_over' }) as const;

type Retry = Extract<Outcome, { kind: 'retry' }>;

/**
 * When carriers told senders of this process to slow down. The rate in the database delays later claims; a batch that was claimed
 * before that is put back instead of being handed over.
 */
export interface SlowDowns {
  /** How each of a sender's batch ended. */
  note(sender: string, outcomes: Outcome[]): void;
  /** The outcome of a batch that was claimed at that moment, if its sender was told to slow down after it; else undefined. */
  since(sender: string, claimedMs: number): Retry | undefined;
}

/** More than senders are slowed down at once. */
const mostKept = 10_000;

export function makeSlowDowns(nowMs: () => number = steadyMs): SlowDowns {
  const told = new Map<string, { atMs: number; untilMs: number; outcome: Retry }>();
  return {
    note(sender, outcomes) {
      const outcome = outcomes.find((one): one is Retry => senderPauseMs(one) > 0);
      if (!outcome) return;
      if (told.size >= mostKept) told.clear();
      told.set(sender, { atMs: nowMs(), untilMs: nowMs() + senderPauseMs(outcome), outcome });
    },
    since(sender, claimedMs) {
      const last = told.get(sender);
      if (!last || last.untilMs <= nowMs()) {
        told.delete(sender);
        return undefined;
      }
      return last.atMs < claimedMs ? undefined : { ...last.outcome, afterMs: last.untilMs - nowMs() };
    },
  };
}

/** How long the whole sender must wait, because its carrier said so. */
const senderPauseMs = (outcome: Outcome): number =>
  outcome.kind === 'retry' && outcome.slowsSender ? (outcome.afterMs ?? firstPauseMs) : 0;
