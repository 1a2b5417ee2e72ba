import type { Deps, Task } from '../../../deps.ts';
import { within } from '../../../platform/within.ts';
import { findChatappAccount } from '../../chatapp-accounts/index.ts';
import { type Failed, failedTask } from '../../outbox/index.ts';
import { findLastNotices, markFailed, type Notice } from './chain.ts';
import { advance } from './notify.ts';
import { lockSessions, type SessionRow, updateSessions } from './queries.ts';
import { noteFailure } from './say.ts';
import { tellSteps } from './steps.ts';

/** Hears of messages and SMS that failed: where one was a notification, the next in the chain is notified. */
export const tasks = [
  {
    name: failedTask,
    batchSize: 100,
    async handler(deps, failures) {
      const byAccount = Map.groupBy(failures, ({ accountId }) => accountId);
      for (const [accountId, failed] of byAccount) await goOn(deps, accountId, failed);
    },
  } satisfies Task<Failed>,
] as unknown as Task[];

const goOn = (deps: Deps, accountId: string, failed: Failed[]): Promise<void> =>
  within(deps, async (deps) => {
    const { db } = deps;
    const notices = await markFailed(
      db,
      accountId,
      failed.map(({ uuid }) => uuid),
    );
    if (notices.length === 0) return;
    const descriptions = new Map(failed.map(({ uuid, description }) => [uuid, description]));
    const sessions = [...new Set(notices.map(({ session }) => session))];
    const open = (await lockSessions(db, accountId, sessions)).filter((session) => session.open);
    const last = await findLastNotices(db, accountId, sessions);
    for (const session of open) {
      const at = await clockOf(deps, accountId, session);
      const isLast = ({ message }: Notice): boolean => last.get(session.uuid)?.message === message;
      const own = notices.filter((notice) => notice.session === session.uuid);
      const steps = own.map((notice) => {
        const description = descriptions.get(notice.message)!;
        return noteFailure(session, { to: notice.to_number, description, isLast: isLast(notice) }, at);
      });
      const goesOn = own.some(isLast) && session.connected_at === null && session.reacted_at === null;
      if (goesOn) steps.push(...(await advance(deps, accountId, [session], at, 'NEXT')));
      await updateSessions(db, accountId, [session]);
      await tellSteps(deps, accountId, steps);
    }
  });

async function clockOf({ db, carriers, clock }: Deps, accountId: string, session: SessionRow): Promise<Date> {
  const sender = await findChatappAccount(db, accountId, session.chatapp_account);
  return sender ? carriers.get(sender.carrier).clock(accountId).now() : clock.now();
}
