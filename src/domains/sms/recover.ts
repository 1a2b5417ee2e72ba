import type { Deps } from '../../deps.ts';
import { allDone } from '../../platform/all-done.ts';
import type { Doubts } from '../../platform/hands.ts';
import { within } from '../../platform/within.ts';
import { addTallies } from '../tallies/index.ts';
import { disownInHandAnyAccount } from './in-hand-queries.ts';
import { findCarrier } from './links.ts';
import { describe, type Move, moveSms, stepSms } from './move.ts';
import { findTaken, insertParts, type NewPart } from './part-queries.ts';
import { postpone } from './postpone.ts';
import {
  type Abandoned,
  claimAbandonedAnyAccount,
  findForgottenAnyAccount,
  type Hopeless,
  lockExpiredAnyAccount,
  lockForgottenAnyAccount,
  type Postponement,
} from './queue.ts';
import { applyEarly } from './receipts.ts';

const mostAtOnce = 1000;

/**
 * Takes up hand-overs that a dead process left half done, and those that this one knows nothing of although their rows say that
 * they are its own: `known` are the batches that it has in hand. What is known not to have left goes out again. Of all else only
 * the carrier can tell what became of them: what it took whole is
 * SENT, what it did not see goes out again, and where it cannot say the SMS waits for its receipt. Nothing is resent blindly.
 * Answers how many were found.
 */
export async function recoverAbandoned(deps: Deps, doubts: Doubts | undefined, known: string[]): Promise<number> {
  const { workerNumber } = deps.listener;
  await disownInHandAnyAccount(deps.db, workerNumber, known);
  const abandoned = [
    ...(doubts ? await findForgottenAnyAccount(deps.db, workerNumber, doubts, mostAtOnce) : []),
    ...(await claimAbandonedAnyAccount(deps.db, workerNumber, mostAtOnce)),
  ];
  const byLink = Map.groupBy(abandoned, ({ account_id, link }) => `${account_id} ${link}`);
  await allDone([...byLink.values()].map((some) => recoverLink(deps, some)));
  return abandoned.length;
}

async function recoverLink(deps: Deps, some: Abandoned[]): Promise<void> {
  const { account_id: accountId, link, carrier: name } = some[0]!;
  const carrier = name === null ? undefined : findCarrier(deps, name);
  const uuids = some.map(({ uuid }) => uuid);
  const [unsent, asked] = [true, false].map((is) => some.filter((sms) => sms.is_unsent === is).map(({ uuid }) => uuid));
  const found = new Map((asked!.length > 0 && (await carrier?.sms?.find(accountId, asked!))) || []);
  for (const uuid of unsent!) found.set(uuid, []);
  const now = carrier?.clock(accountId).now() ?? deps.clock.now();
  await within(deps, async (deps) => {
    const { db } = deps;
    const parts = [...found].flatMap(([sms, taken]) => taken.map((part): NewPart => ({ ...part, sms })));
    await insertParts(db, accountId, link, parts);
    const known = await findTaken(db, accountId, uuids);
    const moves: Move[] = [];
    const postponements: Postponement[] = [];
    for (const { uuid, segments, give_up_at } of some) {
      const giveUpAt = give_up_at === null ? null : new Date(give_up_at);
      if (known.get(uuid)?.size === segments) {
        moves.push({ accountId, uuid, status: 'SENT', description: '' });
      } else if (found.has(uuid)) {
        postponements.push({ uuid, dueAt: now, giveUpAt, description: '' });
      } else {
        const description = 'The hand-over was interrupted. It waits for its receipt.';
        postponements.push({ uuid, dueAt: null, giveUpAt, description });
      }
    }
    const claims = [...new Set(some.map(({ claim }) => claim))];
    const counts = await stepSms(deps, moves);
    counts.push(...(await postpone(deps, accountId, postponements, claims)));
    const ids = parts.map(({ id }) => id);
    counts.push(...(await applyEarly(deps, { accountId, uuid: link }, ids)));
    await addTallies(db, counts);
  });
  deps.log.info({ carrier: name, count: some.length }, 'Took up hand-overs of SMS that were interrupted');
}

/** Ends what waits in vain, whether or not there is a link that it could leave by. */
export const endHopeless = (deps: Deps): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const ending = (hopeless: Hopeless[], failureCode: string, description: string): Move[] =>
      hopeless.map(({ account_id: accountId, uuid }) => ({
        accountId,
        uuid,
        status: 'FAILED',
        description: describe({ code: failureCode, description }),
        failureCode,
      }));
    const expired = await lockExpiredAnyAccount(db, mostAtOnce);
    const forgotten = await lockForgottenAnyAccount(db, mostAtOnce);
    await moveSms(deps, [
      ...ending(expired, 'expired', 'It expired before it could leave.'),
      ...ending(forgotten, 'unknown', 'Neither an answer nor a receipt came within three days.'),
    ]);
  });
