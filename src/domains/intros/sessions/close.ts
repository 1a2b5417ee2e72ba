import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { within } from '../../../platform/within.ts';
import { lockSessions, type SessionRow, updateSessions } from './queries.ts';
import { type Step, tellSteps } from './steps.ts';

/** Ends a session, which the caller holds and writes down; nothing if it has ended before. */
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
