import type { Deps } from '../../../../deps.ts';
import { within } from '../../../../platform/within.ts';
import { startLoop } from '../../../../platform/work/loop.ts';
import { noteSetAside } from '../../../../platform/work/set-aside.ts';
import { isBadValue, isOurTrouble } from '../../../../platform/work/split-on-failure.ts';
import { followUp, notifySessions } from '../notify.ts';
import { closeQuiet, forgetFirstDue, lockDue, updateSessions } from '../queries.ts';
import { quietMs, tellSteps } from '../steps.ts';
import { findDueAnyAccount, isDueNowText, type WaitingSender } from './due.ts';
import { followMoved } from './moved.ts';

const mostAtOnce = 100;
const pauseMs = 1000;

/**
 * Does what is due in sessions, by the clock of each sender's carrier: notifications whose delay is over, and closing sessions in
 * which nobody has said anything for seven days. What is due is stored in the sessions, so a restart loses nothing.
 */
export function startIntroTimers(deps: Deps): { stop(): Promise<void> } {
  const serveAll = async (): Promise<number> => {
    const moved = await clocks.find();
    let { isMore } = moved;
    for (const sender of [...(await findDueAnyAccount(deps.db, deps.clock.now())), ...moved.senders]) {
      try {
        isMore = (await serve(deps, sender)) || isMore;
      } catch (error) {
        // One sender's trouble holds up no other.
        if (isOurTrouble(error)) throw error;
        deps.log.error(
          { err: error, accountId: sender.account_id, sender: sender.uuid },
          'chat intros: a sender failed',
        );
      }
    }
    return isMore ? 0 : pauseMs;
  };
  const clocks = followMoved(deps, () => loop.wake());
  const loop = startLoop(deps.log, 'chat intros', serveAll, { watch: deps.listener.poll.watch(isDueNowText) });
  loop.wake();
  return {
    async stop() {
      await loop.stop();
      clocks.stop();
    },
  };
}

/** Does what is due at a sender; answers whether there may be more. */
async function serve(deps: Deps, sender: WaitingSender): Promise<boolean> {
  const now = deps.carriers.get(sender.carrier).clock(sender.account_id).now();
  const quietSince = new Date(now.getTime() - quietMs);
  let isMore = false;
  if (isBefore(sender.notify_due_at, now)) {
    isMore = await notifyDue(deps, sender, now, mostAtOnce).catch((error) => {
      if (!isBadValue(error)) throw error;
      return notifyFirst(deps, sender, now);
    });
  }
  if (isBefore(sender.quiet_since, quietSince)) isMore = (await expireQuiet(deps, sender, quietSince)) || isMore;
  return isMore;
}

/** After a failure, notifies the one that has waited longest by itself. If that fails, too, its notification is given up. */
async function notifyFirst(deps: Deps, sender: WaitingSender, now: Date): Promise<boolean> {
  try {
    await notifyDue(deps, sender, now, 1);
  } catch (error) {
    if (!isBadValue(error)) throw error;
    const session = await forgetFirstDue(deps.db, sender.account_id, sender.uuid, now);
    noteSetAside(deps, 'notifications of chat intros', error as Error, { accountId: sender.account_id, session });
  }
  return true;
}

const isBefore = (moment: string | null, now: Date): boolean => moment !== null && Date.parse(moment) <= now.getTime();

/** Notifies a batch; answers whether there may be more. */
const notifyDue = (deps: Deps, { account_id, uuid }: WaitingSender, now: Date, most: number): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const sessions = await lockDue(db, account_id, uuid, now, most);
    if (sessions.length === 0) return false;
    const first = sessions.filter(({ chain_step }) => chain_step === 0);
    const later = sessions.filter(({ chain_step }) => chain_step > 0);
    const steps = [
      ...(first.length > 0 ? await notifySessions(deps, account_id, first, now) : []),
      ...(await followUp(deps, account_id, later, now)),
    ];
    await updateSessions(db, account_id, sessions);
    await tellSteps(deps, account_id, steps);
    return sessions.length === most;
  });

const expireQuiet = (deps: Deps, { account_id, uuid }: WaitingSender, since: Date): Promise<boolean> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const closed = await closeQuiet(db, account_id, uuid, since, mostAtOnce);
    const expired = closed.filter(({ status }) => status === 'EXPIRED');
    await tellSteps(
      deps,
      account_id,
      expired.map((session) => ({ session, kind: 'expired', data: { status: 'EXPIRED' } })),
    );
    return closed.length === mostAtOnce;
  });
