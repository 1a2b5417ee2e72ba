import type { SmsOutcome } from '../../../carriers/ports/sms.ts';
import type { Deps } from '../../../deps.ts';
import { exactMs } from '../../../platform/time/clock.ts';
import { within } from '../../../platform/within.ts';
import { firstPauseMs, untilStored } from '../../../platform/work/retry.ts';
import { type Move, meaningOf, type Postponement, tallyOf } from '../../outbox/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { slowLink } from '../links/queries.ts';
import type { NewPart } from '../receive/part-queries.ts';
import { applyEarly } from '../receive/receipts.ts';
import { type Batch, handOverSms } from './hand-over.ts';
import { postpone, stepSms, tellSteps } from './move.ts';
import { type Claimed, claimDue, type WaitingLink } from './queue.ts';
import { type Known, storeTaken } from './settle-queries.ts';
import { type Hand, insertClaimedStates } from './states.ts';
import { takenLately } from './taken-lately.ts';

/**
 * Takes what leaves next by a link. The claim is committed before the carrier is called: after a crash it says that a
 * hand-over may have happened (see `recover.ts`). undefined: nothing may be taken now.
 */
export async function claimBatch(
  deps: Deps,
  link: WaitingLink,
  most: number,
  claim: number,
): Promise<Batch | undefined> {
  const { db, carriers, listener } = deps;
  const now = carriers.get(link.carrier).clock(link.account_id).now();
  const claimed = await claimDue(db, link, { workerNumber: listener.workerNumber, claim, now, most });
  return claimed.length === 0 ? undefined : { link, claim, claimed, now };
}

/**
 * Hands a batch to its carrier, with no transaction open during the call, and stores how each SMS ended. It calls `left` when the
 * carrier has taken all of them, so that the next batch can leave while outcomes are stored. Fails if it cannot tell how they
 * ended.
 */
export async function deliverBatch(deps: Deps, batch: Batch, left: () => void, ending: AbortSignal): Promise<void> {
  try {
    await handOverAndSettle(deps, batch, left, ending);
  } catch (error) {
    batch.inHand?.letGo();
    throw error;
  }
  batch.inHand?.written();
}

async function handOverAndSettle(deps: Deps, batch: Batch, left: () => void, ending: AbortSignal): Promise<void> {
  const { link, claimed } = batch;
  const claimedMs = exactMs();
  const outcomes = await handOverSms(deps, deps.carriers.get(link.carrier, 'sms').sms, batch);
  takenLately(deps)?.note(claimed, outcomes);
  batch.notLeft?.(claimed.filter((_, index) => isRefusal(outcomes[index]!)).map(({ uuid }) => uuid));
  deps.observer.handOver('sms', { carrier: link.carrier, claimedMs, claimed, outcomes });
  if (outcomes.every(({ kind }) => kind === 'accepted')) left();
  // On a first attempt none of the parts can be stored already, except where another process took this one for dead; then storing
  // them fails, and is tried once more without that assumption.
  let isFirst = claimed.every(({ attempts }) => attempts === 1);
  await untilStored(deps.log, ending, async () => {
    const settling = settle(deps, batch, outcomes, isFirst);
    isFirst = false;
    await settling;
  });
}

/** The carrier was not given any of its parts, or took none. */
const isRefusal = ({ kind, parts }: SmsOutcome): boolean =>
  (kind === 'retry' || kind === 'rejected') && parts.length === 0;

/** Stores the parts that were taken together with the outcomes, or neither: a part that is not stored would be sent again. */
async function settle(deps: Deps, batch: Batch, outcomes: SmsOutcome[], isFirst: boolean): Promise<void> {
  const { link, claim, claimed, now } = batch;
  const accountId = link.account_id;
  const taken: Claimed[] = [];
  const others: Claimed[] = [];
  const moves: Move[] = [];
  const postponements: Postponement[] = [];
  const parts: NewPart[] = [];
  for (const [index, sms] of claimed.entries()) {
    const outcome = outcomes[index]!;
    for (const part of outcome.parts) parts.push({ ...part, sms: sms.uuid });
    const result = outcome.kind === 'accepted' ? undefined : meaningOf(sms, outcome, now);
    (result ? others : taken).push(sms);
    if (result && 'status' in result) moves.push({ accountId, ...result });
    else if (result) postponements.push(result);
  }
  const isInHand = batch.inHand !== undefined;
  const hand = { accountId, link: link.uuid, workerNumber: deps.listener.workerNumber };
  await within(deps, async (deps) => {
    const { db } = deps;
    if (isInHand) await insertClaimedStates(db, hand, isFirst ? others : claimed);
    const as = isFirst ? (isInHand ? 'in hand' : 'new') : 'again';
    const { counts, hasEarly } = await settleTaken(deps, hand, taken, parts, as);
    counts.push(...(await stepSms(deps, moves)));
    counts.push(...(await postpone(deps, accountId, postponements, [claim])));
    const ids = hasEarly ? parts.map(({ id }) => id) : [];
    counts.push(...(await applyEarly(deps, { accountId, uuid: link.uuid }, ids)));
    await addTallies(db, counts);
  });
  const pauseMs = Math.max(0, ...outcomes.map(linkPauseMs));
  if (pauseMs > 0) await slowLink(deps.db, accountId, link.uuid, pauseMs);
}

/**
 * Stores the SMS that were taken. One that was moved meanwhile, for example by a receipt that was faster, is stored by `moveSms`
 * instead.
 */
async function settleTaken(deps: Deps, hand: Hand, taken: Claimed[], parts: NewPart[], as: Known) {
  const { db } = deps;
  const { accountId } = hand;
  if (parts.length === 0 && taken.length === 0) return { counts: [], hasEarly: false };
  const sinceMs = exactMs();
  const { moved, hasEarly } = await storeTaken(db, hand, taken, parts, as);
  const isMoved = moved && new Set(moved);
  const [moving, others] = isMoved
    ? [taken.filter(({ uuid }) => isMoved.has(uuid)), taken.filter(({ uuid }) => !isMoved.has(uuid))]
    : [taken, []];
  await tellSteps(
    db,
    deps,
    moving.map(({ uuid, callback_url }) => ({ accountId, uuid, hasCallback: callback_url !== null, left: true })),
  );
  const sent = { accountId, status: 'SENT', description: '' } as const;
  deps.observer.steps(
    'sms',
    moving.map(({ uuid }) => ({ uuid, status: 'SENT' })),
    sinceMs,
  );
  const counts = moving.flatMap(({ campaign_log }) => tallyOf(campaign_log, 'QUEUED', sent));
  counts.push(
    ...(await stepSms(
      deps,
      others.map(({ uuid }) => ({ ...sent, uuid })),
    )),
  );
  return { counts, hasEarly };
}

/** How long the whole link must wait, because the other side said so. */
const linkPauseMs = (outcome: SmsOutcome): number =>
  outcome.kind === 'retry' && outcome.slowsLink ? (outcome.afterMs ?? firstPauseMs) : 0;
