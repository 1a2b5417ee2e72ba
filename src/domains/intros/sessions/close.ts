import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { linkCache } from '../open/open.ts';
import { closeQuiet, lockSessions, type SessionRow, updateSessions } from './queries.ts';
import { type Step, tellSteps } from './steps.ts';

/** Ends a session, which the caller has locked and stores afterwards; does nothing if it has ended already. */
export function closeSession(session: SessionRow, by: 'APARTY' | 'BPARTY' | 'API'): Step[] {
  if (!session.open) return [];
  session.open = false;
  session.notify_due_at = null;
  const isConnected = session.status === 'CONNECTED';
  if (!isConnected) session.status = 'CLOSED';
  return [{ session, kind: 'closed', data: { by, ...(!isConnected && { status: 'CLOSED' }) } }];
}

/** Ends a session by a call. */
export const closeByCall = (deps: Deps, accountId: string, uuid: string): Promise<SessionRow> =>
  within(deps, async (deps) => {
    const [session] = await lockSessions(deps.db, accountId, [uuid]);
    if (!session) throw notFound();
    const steps = closeSession(session, 'API');
    if (steps.length > 0) await updateSessions(deps.db, accountId, [session]);
    await tellSteps(deps, accountId, steps);
    return session;
  });

const mostAtOnce = 100;
const endOfTime = new Date('9999-12-31T00:00:00Z');

/**
 * Called when the number of intros leaves its carrier. Sessions are closed, because their people were met on the old carrier. The
 * links of the intros stay, and lead to the number on the new carrier.
 */
export async function moveIntros(deps: Deps, accountId: string, chatappAccount: string): Promise<void> {
  let closed: Awaited<ReturnType<typeof closeQuiet>>;
  do {
    closed = await closeQuiet(deps.db, accountId, chatappAccount, endOfTime, mostAtOnce);
    const expired = closed.filter(({ status }) => status === 'EXPIRED');
    await tellSteps(
      deps,
      accountId,
      expired.map((session) => ({ session, kind: 'expired', data: { status: 'EXPIRED' } })),
    );
  } while (closed.length === mostAtOnce);
  deps.caches.forget(linkCache);
}
