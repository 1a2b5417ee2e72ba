import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { notFound } from '../../platform/errors.ts';
import { appendEvents } from '../timeline/index.ts';
import { newSecret } from './deliver/sign.ts';
import { type EndpointKey, type EndpointRow, lockEndpoint, updateEndpoint } from './queries.ts';
import { subjectType } from './schemas.ts';

/** How long a replaced secret still signs. */
export const overlapMs = 24 * 3_600_000;

/** Gives a webhook a new secret. The one it replaces signs too for a day, so that the receiver can change over in peace. */
export async function rotateSecret(
  { db, vault, clock }: Deps,
  accountId: string,
  key: EndpointKey,
): Promise<{ row: EndpointRow; secret: string }> {
  const secret = newSecret();
  return inTransaction(db, async (db) => {
    const before = await lockEndpoint(db, accountId, key);
    if (!before) throw notFound();
    const row = await updateEndpoint(db, accountId, before.uuid, {
      secret: vault.seal(secret),
      previous_secret: before.secret,
      previous_secret_until: new Date(clock.now().getTime() + overlapMs).toISOString(),
    });
    await appendEvents(db, [{ accountId, subjectType, subject: row.uuid, kind: 'webhook.secret_rotated' }]);
    return { row, secret };
  });
}
