import type { Deps } from '../../deps.ts';
import { contentTopic, learnSeconds } from '../../platform/content/follow.ts';
import { contentPassTask, turnContent } from '../../platform/content/passes.ts';
import { contentOf } from '../../platform/db/connect/pool.ts';
import { ApiError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { type AccountRow, updateAccount } from './queries.ts';
import type { AccountPatch } from './schemas.ts';

/** Changes the settings of an account. Whether content is encrypted changes for what is new at once, for the rest in the background. */
export const changeAccount = (deps: Deps, accountId: string, patch: AccountPatch): Promise<AccountRow> =>
  within(deps, async (deps) => {
    const { db, clock, queue } = deps;
    const row = await updateAccount(db, accountId, patch);
    // Limits are remembered with tokens, the language with senders.
    deps.caches.forget();
    const encrypt = patch.encrypt_content;
    if (encrypt === undefined) return row;
    if (encrypt && !contentOf(db).sealing(accountId)) throw new ApiError('data_key_missing');
    const now = clock.now();
    if (await turnContent(db, accountId, encrypt, now)) {
      const startAfter = new Date(now.getTime() + learnSeconds * 1000);
      await queue.enqueue(db, contentPassTask, [{ account: accountId }], { startAfter });
      deps.listener.signal(contentTopic, '');
    }
    return row;
  });
