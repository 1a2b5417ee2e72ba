import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { within } from '../../platform/within.ts';
import { leadLink } from '../links/index.ts';
import { checkIntro, checkNotifyType, checkStarted } from './check.ts';
import { columnsOf, fieldsOf, keysOf, targetOf, ungrouped, withDefaults } from './fields.ts';
import { linkCodeOf } from './link.ts';
import { updateKeys } from './match/key-queries.ts';
import { linkCache } from './open/open.ts';
import { type IntroRow, lockIntro, updateIntro } from './queries.ts';
import type { ChatIntroCreate, ChatIntroPatch, IntroFields } from './schemas.ts';
import { senderOf } from './sender.ts';
import { tellChange } from './tell-change.ts';

/** Replaces the whole intro: what the request leaves out goes back to its default. The link stays. */
export const replaceIntro = (deps: Deps, accountId: string, uuid: string, request: ChatIntroCreate) =>
  change(deps, accountId, uuid, () => {
    checkNotifyType(request);
    return withDefaults(request);
  });

/** Changes only the fields that the request names. */
export const patchIntro = (deps: Deps, accountId: string, uuid: string, patch: ChatIntroPatch) =>
  change(deps, accountId, uuid, (before) => {
    if (before.notify_type === null) checkNotifyType(patch);
    return { ...before, ...ungrouped(patch) };
  });

async function change(
  deps: Deps,
  accountId: string,
  uuid: string,
  to: (before: IntroFields) => IntroFields,
): Promise<IntroRow> {
  const intro = await within(deps, async (deps) => {
    const { db } = deps;
    const row = await lockIntro(db, accountId, uuid);
    if (!row) throw notFound();
    const before = fieldsOf(row);
    const after = to(before);
    checkIntro(after);
    const sender =
      after.chatapp_number === before.chatapp_number
        ? { uuid: row.chatapp_account, digits: row.chatapp_digits }
        : await senderOf(deps, accountId, after.chatapp_number);
    await checkStarted(db, accountId, after, sender);
    const changed = await updateIntro(db, accountId, uuid, columnsOf(after, sender));
    await updateKeys(db, accountId, uuid, keysOf(after, sender));
    const code = await linkCodeOf(deps, accountId, row, after, sender);
    await leadLink(db, accountId, uuid, targetOf(after, sender, code));
    await tellChange(deps, accountId, changed, 'updated', { fields: differences(before, after) });
    return changed;
  });
  deps.caches.forget(linkCache);
  return intro;
}

const differences = (before: IntroFields, after: IntroFields): string[] =>
  (Object.keys(after) as (keyof IntroFields)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
