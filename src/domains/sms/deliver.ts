import type { SmsOutcome } from '../../carriers/port.ts';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/pool.ts';
import { slowDown } from '../../platform/db/rate.ts';
import { firstPauseMs, longestTryMs, retryPauseMs, untilStored } from '../../platform/retry.ts';
import { type Batch, handOver } from './hand-over.ts';
import { describe, type Move, moveSms } from './move.ts';
import { insertParts } from './part-queries.ts';
import { lockStates } from './queries.ts';
import { type Claimed, claimDue, type Postponement, postpone, type WaitingLink } from './queue.ts';
import { applyEarly } from './receipts.ts';

/**
 * Takes what leaves next by a link. The claim is committed before the carrier is called: after a crash it says that a
 * hand-over may have happened (see `recover.ts`). undefined: nothing may be taken now.
 */
export async function claimBatch(deps: Deps, link: WaitingLink, most: number): Promise<Batch | undefined> {
  const { db, carriers, listener } = deps;
  const now = carriers.get(link.carrier).clock(link.account_id).now();
  const claimed = await claimDue(db, link, { workerNumber: listener.workerNumber, now, most });
  return claimed.length === 0 ? undefined : { link, claimed, now };
}

/** Hands a batch to its carrier, with no transaction open during the call, and stores how each SMS ended. */
export async function deliverBatch(deps: Deps, batch: Batch): Promise<void> {
  const outcomes = await handOver(deps, deps.carriers.get(batch.link.carrier), batch);
  await untilStored(deps.log, () => settle(deps, batch, outcomes));
}

/** The parts that were taken are stored with the outcome, or neither is: a part that is not known would be sent again. */
async function settle(deps: Deps, { link, claimed, now }: Batch, outcomes: SmsOutcome[]): Promise<void> {
  const accountId = link.account_id;
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  claimed.forEach((sms, index) => {
    const result = meaningOf(sms, outcomes[index]!, now);
    if ('status' in result) moves.push({ accountId, ...result });
    else postponements.push(result);
  });
  const parts = outcomes.flatMap(({ parts }, index) => parts.map((part) => ({ ...part, sms: claimed[index]!.uuid })));
  await inTransaction(deps.db, async (db) => {
    const inside = { ...deps, db };
    await lockStates(
      db,
      claimed.map(({ uuid }) => ({ accountId, uuid })),
    );
    await insertParts(db, accountId, link.uuid, parts);
    await moveSms(inside, moves);
    await postpone(db, accountId, postponements);
    await applyEarly(
      inside,
      { accountId, uuid: link.uuid },
      parts.map(({ id }) => id),
    );
  });
  const pauseMs = Math.max(0, ...outcomes.map(linkPauseMs));
  if (pauseMs > 0) await slowDown(deps.db, 'sms_links', accountId, link.uuid, pauseMs);
}

/** How long the whole link must wait, because the other side said so. */
const linkPauseMs = (outcome: SmsOutcome): number =>
  outcome.kind === 'retry' && outcome.slowsLink ? (outcome.afterMs ?? firstPauseMs) : 0;

/** What an outcome means for the SMS: a step forward, or another place in the queue. */
function meaningOf(sms: Claimed, outcome: SmsOutcome, now: Date): Omit<Move, 'accountId'> | Postponement {
  const { uuid } = sms;
  switch (outcome.kind) {
    case 'accepted':
      return { uuid, status: 'SENT', description: '' };
    case 'rejected':
      return { uuid, status: 'FAILED', description: describe(outcome) };
    case 'unknown':
      return { uuid, dueAt: null, giveUpAt: null, description: `${outcome.description} It waits for its receipt.` };
    case 'retry': {
      const giveUpAt = new Date(sms.give_up_at ?? now.getTime() + longestTryMs);
      if (now >= giveUpAt)
        return { uuid, status: 'FAILED', description: `${outcome.description} Given up after four hours.` };
      const dueAt = new Date(now.getTime() + retryPauseMs(sms.attempts, outcome.afterMs));
      return { uuid, dueAt, giveUpAt, description: outcome.description };
    }
  }
}
