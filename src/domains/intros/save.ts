import type { Deps } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { createIntro } from './create.ts';
import { type IntroRow, lockByReference } from './queries.ts';
import type { ChatIntroCreate, OnDuplicate } from './schemas.ts';
import { senderOf } from './sender.ts';
import { replaceIntro } from './update.ts';

/** Stores an intro. Where the sender has one with that reference, `onDuplicate` says what becomes of it; `isNew` tells. */
export const saveIntro = (
  deps: Deps,
  accountId: string,
  request: ChatIntroCreate,
  onDuplicate: OnDuplicate,
): Promise<{ row: IntroRow; isNew: boolean }> =>
  within(deps, async (deps) => {
    const { reference_id: reference = null } = request;
    if (reference !== null && onDuplicate !== 'create') {
      const sender = await senderOf(deps, accountId, request.chatapp_number);
      const known = await lockByReference(deps.db, accountId, sender.uuid, reference);
      if (known !== undefined && onDuplicate === 'refuse') {
        throw new ValidationError({ reference_id: ['Another chat intro has this reference.'] });
      }
      if (known !== undefined) return { row: await replaceIntro(deps, accountId, known, request), isNew: false };
    }
    return { row: await createIntro(deps, accountId, request), isNew: true };
  });
