import type { Deps } from '../../../deps.ts';
import { linkCache } from '../open/open.ts';
import { closeQuiet } from './queries.ts';
import { tellSteps } from './steps.ts';

const mostAtOnce = 100;
const endOfTime = new Date('9999-12-31T00:00:00Z');

/**
 * The number of intros leaves its carrier: whoever met them there met them in another world, so their sessions are over. The links of
 * the intros stay, and lead to the number where it is now.
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
