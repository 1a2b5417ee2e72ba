import type { Deps } from '../../deps.ts';
import { startLoop } from '../../platform/loop.ts';
import { notifySessions } from './notify.ts';
import { closeQuiet, findWaitingAnyAccount, lockDue, updateSessions, type WaitingSender } from './session-queries.ts';
import { quietMs } from './session-states.ts';
import { tellSteps } from './steps.ts';

const mostAtOnce = 100;
const pauseMs = 1000;

/**
 * Does what is due in sessions, by the time of each sender's carrier: notifications whose delay is over, and the end of those
 * in which nobody has said anything for seven days. What is due stands in the sessions themselves, so a restart loses nothing.
 */
export function startIntroTimers(deps: Deps): { stop(): Promise<void> } {
  return startLoop(deps.log, 'chat intros', async () => {
    let isMore = false;
    for (const sender of await findWaitingAnyAccount(deps.db)) {
      const now = deps.carriers.get(sender.carrier).clock(sender.account_id).now();
      const quietSince = new Date(now.getTime() - quietMs);
      if (isBefore(sender.notify_due_at, now)) isMore = (await notifyDue(deps, sender, now)) || isMore;
      if (isBefore(sender.quiet_since, quietSince)) isMore = (await expireQuiet(deps, sender, quietSince)) || isMore;
    }
    return isMore ? 0 : pauseMs;
  });
}

const isBefore = (moment: string | null, now: Date): boolean => moment !== null && Date.parse(moment) <= now.getTime();

/** Notifies a batch; answers whether there may be more. */
const notifyDue = (deps: Deps, { account_id, uuid }: WaitingSender, now: Date): Promise<boolean> =>
  deps.db.transaction().execute(async (db) => {
    const inside = { ...deps, db };
    const sessions = await lockDue(db, account_id, uuid, now, mostAtOnce);
    if (sessions.length === 0) return false;
    const steps = await notifySessions(inside, account_id, sessions, now);
    await updateSessions(db, account_id, sessions);
    await tellSteps(inside, account_id, steps);
    return sessions.length === mostAtOnce;
  });

const expireQuiet = (deps: Deps, { account_id, uuid }: WaitingSender, since: Date): Promise<boolean> =>
  deps.db.transaction().execute(async (db) => {
    const closed = await closeQuiet(db, account_id, uuid, since, mostAtOnce);
    const expired = closed.filter(({ status }) => status === 'EXPIRED');
    await tellSteps(
      { ...deps, db },
      account_id,
      expired.map((session) => ({ session, kind: 'expired', data: { status: 'EXPIRED' } })),
    );
    return closed.length === mostAtOnce;
  });
