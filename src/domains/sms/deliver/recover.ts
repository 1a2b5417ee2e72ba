import type { Deps } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import type { Doubts } from '../../../platform/work/hands.ts';
import { describe, interrupted, type Move, type Postponement } from '../../outbox/index.ts';
import { addTallies } from '../../tallies/index.ts';
import { findCarrier } from '../links/links.ts';
import { findTaken, insertParts, type NewPart } from '../receive/part-queries.ts';
import { applyEarly } from '../receive/receipts.ts';
import { moveSms, postpone, stepSms } from './move.ts';
import { type Hopeless, lockExpiredAnyAccount, lockForgottenAnyAccount } from './queue.ts';
import { type AbandonedSms, disownInHandAnyAccount, outbox } from './states.ts';
import { takenLately } from './taken-lately.ts';

const mostAtOnce = 1000;

/**
 * Recovers hand-overs that were interrupted; `known` are the batches that this process has in hand. An SMS that is known not to
 * have left goes out again. For any other, the carrier is asked: if it took the whole SMS, that is SENT; if it did not see it, the
 * SMS goes out again. If it cannot say, what this process remembers counts; else the SMS waits for its receipt. Nothing is sent again
 * on a guess. Answers how many were found.
 */
export async function recoverAbandoned(deps: Deps, doubts: Doubts | undefined, known: string[]): Promise<number> {
  await disownInHandAnyAccount(deps.db, deps.listener.workerNumber, known);
  return outbox.recoverAbandoned(deps, doubts, (some) => recoverLink(deps, some));
}

async function recoverLink(deps: Deps, some: AbandonedSms[]): Promise<void> {
  const { account_id: accountId, link, carrier: name } = some[0]!;
  const carrier = name === null ? undefined : findCarrier(deps, name);
  const uuids = some.map(({ uuid }) => uuid);
  const [unsent, asked] = [true, false].map((is) => some.filter((sms) => sms.is_unsent === is).map(({ uuid }) => uuid));
  const found = new Map((asked!.length > 0 && (await carrier?.sms?.find(accountId, asked!))) || []);
  const remembered = takenLately(deps)?.find(asked!.filter((uuid) => !found.has(uuid))) ?? [];
  for (const [uuid, taken] of remembered) found.set(uuid, taken);
  for (const uuid of unsent!) found.set(uuid, []);
  const now = carrier?.clock(accountId).now() ?? deps.clock.now();
  await within(deps, async (deps) => {
    const { db } = deps;
    const parts = [...found].flatMap(([sms, taken]) => taken.map((part): NewPart => ({ ...part, sms })));
    await insertParts(db, accountId, link, parts);
    const known = await findTaken(db, accountId, uuids);
    const moves: Move[] = [];
    const postponements: Postponement[] = [];
    for (const sms of some) {
      const { uuid, segments } = sms;
      if (known.get(uuid)?.size === segments) moves.push({ accountId, uuid, status: 'SENT', description: '' });
      else postponements.push(interrupted(sms, found.has(uuid) ? now : null));
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

/** Fails SMS that wait in vain, whether or not there is a link that they could leave by. */
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
