import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { appendEvents } from '../../timeline/index.ts';
import { announce } from '../../webhooks/index.ts';
import { coolDown } from '../pool/queries.ts';
import { markReleased } from '../queries.ts';

const coolDownDays = 30;

/** Gives a number back. It is gone at once, and offered again after a month of rest. */
export const releaseNumber = (deps: Deps, accountId: string, wanted: string): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const released = await markReleased(db, accountId, wanted);
    if (!released) throw notFound();
    const { uuid, digits, number, webhooks } = released;
    await coolDown(db, digits, coolDownDays);
    await appendEvents(db, [
      { accountId, subjectType: 'number', subject: uuid, kind: 'number.released', data: { number } },
    ]);
    await announce(db, deps, [{ accountId, type: 'number.released', data: { number }, numberWebhooks: webhooks }]);
  });
