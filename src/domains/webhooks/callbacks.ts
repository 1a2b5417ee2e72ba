import { hash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/connect/pool.ts';
import { newId } from '../../platform/ids.ts';
import { appendEvents } from '../timeline/index.ts';
import { ensureSecrets, insertCallbacks, lockCallbacks, type NewCallback, putSecret } from './callback-queries.ts';
import { newSecret, overlapMs } from './deliver/sign.ts';
import { subjectType } from './schemas.ts';

/** An address that the events of one thing go to. */
export interface Callback {
  accountId: string;
  url: string;
}

const mostTries = 3;

/**
 * The endpoint of each of these addresses, in their order; made where there is none yet. Whoever calls it is in a
 * transaction: until that ends, the endpoints stay.
 */
export async function ensureCallbacks(
  db: Db,
  { vault }: Pick<Deps, 'vault'>,
  callbacks: Callback[],
): Promise<string[]> {
  const keys = callbacks.map(({ accountId, url }) => ({ accountId, url, name: hash('sha256', url) }));
  const distinct = new Map(keys.map((key) => [textOf(key), key]));
  const found = new Map<string, string>();
  for (let tries = 1; ; tries++) {
    const rows = await lockCallbacks(db, [...distinct.values()]);
    for (const { account_id: accountId, name, uuid } of rows) found.set(textOf({ accountId, name }), uuid);
    const missing = [...distinct].filter(([text]) => !found.has(text)).map(([, key]) => key);
    if (missing.length === 0) return keys.map((key) => found.get(textOf(key))!);
    // Twice is possible: it was tidied away in between.
    if (tries === mostTries) throw new Error('The endpoints of callbacks could not be made.');
    const accounts = [...new Set(missing.map(({ accountId }) => accountId))];
    await ensureSecrets(
      db,
      accounts.map((accountId) => ({ accountId, secret: vault.seal(newSecret()) })),
    );
    await insertCallbacks(
      db,
      missing.map((key): NewCallback => ({ ...key, uuid: newId() })),
    );
  }
}

const textOf = ({ accountId, name }: { accountId: string; name: string }): string => accountId + name;

/** Gives the account a new secret for its callbacks; the one it replaces signs too for a day. */
export async function rotateCallbackSecret({ db, vault, clock }: Deps, accountId: string): Promise<string> {
  const secret = newSecret();
  await inTransaction(db, async (db) => {
    await putSecret(db, accountId, vault.seal(secret), new Date(clock.now().getTime() + overlapMs));
    const kind = 'webhook.callback_secret_rotated';
    await appendEvents(db, [{ accountId, subjectType, subject: accountId, kind }]);
  });
  return secret;
}
