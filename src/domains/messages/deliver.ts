import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, OutboundMessage, Outcome } from '../../carriers/port.ts';
import type { Deps } from '../../deps.ts';
import type { Log } from '../../platform/log.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { findOptedOutNow } from '../optouts/index.ts';
import { type Move, moveMessages } from './move.ts';
import { type Claimed, claimDue, type Postponement, postpone, type Sender } from './queue.ts';
import { describe } from './receipts.ts';

/** How many messages of one sender are handed over at once. */
export const batchSize = 200;

/** A message that its carrier keeps putting off is given up after this long. */
const longestTryMs = 4 * 3_600_000;
const firstPauseMs = 2_000;
const longestPauseMs = 15 * 60_000;
const mostStoreTries = 60;
const storePauseMs = 1000;

/**
 * Hands one batch of a sender's due messages to its carrier and stores how each one ended. The claim is committed before the
 * carrier is called, and no transaction is open during the call: after a crash the claim says that a hand-over may have
 * happened (see `recover.ts`). Returns how many were handed over.
 */
export async function deliverBatch(deps: Deps, sender: Sender): Promise<number> {
  const carrier = deps.carriers.get(sender.carrier);
  const now = carrier.clock(sender.account_id).now();
  const claimed = await claimDue(deps.db, sender, { workerNumber: deps.listener.workerNumber, now, most: batchSize });
  if (claimed.length === 0) return 0;
  const outcomes = await handOver(deps, carrier, sender, claimed);
  await untilStored(deps.log, () => settle(deps, sender, claimed, outcomes, now));
  return claimed.length;
}

/** Gives the messages to the carrier, but for those whose recipients opted out since they were accepted. */
async function handOver(deps: Deps, carrier: Carrier, sender: Sender, claimed: Claimed[]): Promise<Outcome[]> {
  const recipients = claimed.map((message) => ({
    accountId: sender.account_id,
    digits: phoneDigits(message.to_chatapp_number),
    message,
  }));
  const optedOut = new Set([...(await findOptedOutNow(deps.db, recipients, 'CHATAPP'))].map(({ message }) => message));
  const leaving = claimed.filter((message) => !optedOut.has(message));
  const answers =
    leaving.length === 0
      ? []
      : await send(
          deps,
          carrier,
          leaving.map((message) => outbound(sender, message)),
        );
  const outcomes = new Map(leaving.map((message, index) => [message, answers[index]!]));
  return claimed.map((message) => outcomes.get(message) ?? refusedByRecipient);
}

const refusedByRecipient: Outcome = {
  kind: 'rejected',
  code: 'recipient_opted_out',
  description: 'The recipient has opted out.',
};

/** A carrier that breaks down may have taken the messages or not. */
const send = (deps: Deps, carrier: Carrier, messages: OutboundMessage[]): Promise<Outcome[]> =>
  carrier.send(messages).catch((error: Error) => {
    deps.log.error({ err: error, carrier: carrier.name }, 'A carrier broke down during a hand-over');
    return messages.map(
      (): Outcome => ({ kind: 'unknown', description: 'The carrier broke down during the hand-over.' }),
    );
  });

/** The messages are with the carrier: how that ended must not get lost because the database is away for a moment. */
async function untilStored(log: Log, store: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      if (tries === mostStoreTries) throw error;
      log.warn({ error: (error as Error).message }, 'The outcome of a hand-over could not be stored yet');
      await sleep(storePauseMs);
    }
  }
}

const outbound = (sender: Sender, message: Claimed): OutboundMessage => ({
  accountId: sender.account_id,
  uuid: message.uuid,
  senderNumber: message.chatapp_number,
  toNumber: message.to_chatapp_number,
  type: message.type,
  content: message.message_data,
  attempt: message.attempts,
});

/** Stores how each hand-over of a batch ended. */
async function settle(deps: Deps, sender: Sender, claimed: Claimed[], outcomes: Outcome[], now: Date): Promise<void> {
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  claimed.forEach((message, index) => {
    const result = meaningOf(message, outcomes[index]!, now);
    if ('status' in result) moves.push({ accountId: sender.account_id, ...result });
    else postponements.push(result);
  });
  if (moves.length > 0) await moveMessages(deps, moves);
  if (postponements.length > 0) await postpone(deps.db, sender, postponements);
}

/** What an outcome means for the message: a step forward, or another place in the queue. */
export function meaningOf(message: Claimed, outcome: Outcome, now: Date): Omit<Move, 'accountId'> | Postponement {
  const { uuid } = message;
  switch (outcome.kind) {
    case 'accepted':
      return { uuid, status: 'SENT', description: '', carrierMessageId: outcome.carrierMessageId };
    case 'rejected':
      return { uuid, status: 'FAILED', description: describe(outcome) };
    case 'unknown':
      return { uuid, dueAt: null, giveUpAt: null, description: `${outcome.description} It waits for its receipt.` };
    case 'retry': {
      const giveUpAt = new Date(message.give_up_at ?? now.getTime() + longestTryMs);
      if (now >= giveUpAt)
        return { uuid, status: 'FAILED', description: `${outcome.description} Given up after four hours.` };
      const dueAt = new Date(now.getTime() + pauseMs(message.attempts, outcome.afterMs));
      return { uuid, dueAt, giveUpAt, description: outcome.description };
    }
  }
}

/** Twice as long after each attempt, with jitter so that many do not come back in the same moment. */
function pauseMs(attempts: number, wantedMs: number | undefined): number {
  const backoffMs = wantedMs ?? Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
  return backoffMs * (0.8 + Math.random() * 0.4);
}
