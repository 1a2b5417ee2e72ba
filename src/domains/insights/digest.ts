import type { Deps } from '../../deps.ts';
import { within } from '../../platform/within.ts';
import { announce } from '../webhooks/index.ts';
import { digestBefore, nextDigest } from './digest-times.ts';
import { readInsights } from './figures.ts';
import { lockDueDigestsAnyAccount, setDigestDue } from './queries.ts';

/**
 * Sends a digest that is due: the figures since the one before. The note of the next one is in the same transaction, so a
 * day's digest is sent once. One that is late by more than a day (nothing ran) is made up for by the last day alone.
 */
export const sendDigest = (deps: Deps): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const now = deps.clock.now();
    const [config] = await lockDueDigestsAnyAccount(db, now, 1);
    if (!config) return false;
    const { account_id: accountId, digest_hour: hour, zone } = config;
    const next = nextDigest(now, hour, zone);
    const to = digestBefore(next, hour, zone);
    const figures = await readInsights(db, accountId, { from: digestBefore(to, hour, zone), to });
    await announce(db, deps, [{ accountId, type: 'insight.digest', data: figures }]);
    await setDigestDue(db, accountId, next);
    return true;
  });
