import type { Deps } from '../../deps.ts';
import { notFound, ValidationError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { type ChatappAccount, resolveSenders, whyNoSender } from '../chatapp-accounts/index.ts';
import { createLinks, leadLink } from '../links/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { announce } from '../webhooks/index.ts';
import { checkIntro, checkNotifyType, checkStarted } from './check.ts';
import { columnsOf, fieldsOf, keysOf, type Sender, targetOf, ungrouped, withDefaults } from './fields.ts';
import { deleteKeys, findRivalsByText, insertKeys, lockText, updateKeys } from './match/key-queries.ts';
import { linkText, textHash } from './match/keys.ts';
import { linkCache } from './open/open.ts';
import {
  findIntro,
  type IntroRow,
  insertIntro,
  lockByReference,
  lockIntro,
  markDeleted,
  updateIntro,
} from './queries.ts';
import type { ChatIntroCreate, ChatIntroPatch, IntroFields, OnDuplicate } from './schemas.ts';

/** Stores an intro with its link. */
export async function createIntro(deps: Deps, accountId: string, request: ChatIntroCreate): Promise<IntroRow> {
  checkNotifyType(request);
  const fields = withDefaults(request);
  checkIntro(fields);
  const sender = await senderOf(deps, accountId, fields.chatapp_number);
  const uuid = newId();
  return within(deps, async (deps) => {
    const { db } = deps;
    await checkStarted(db, accountId, fields, sender);
    const link = { kind: 'INTRO' as const, chatIntro: uuid, leadsTo: targetOf(fields, sender, '') };
    const [shortcode] = await createLinks(db, accountId, [link]);
    const row = await insertIntro(db, accountId, { uuid, shortcode: shortcode!, ...columnsOf(fields, sender) });
    await insertKeys(db, accountId, uuid, keysOf(fields, sender));
    const code = await linkCodeOf(deps, accountId, row, fields, sender);
    if (code !== '') await leadLink(db, accountId, uuid, targetOf(fields, sender, code));
    await tellChange(deps, accountId, row, 'created', { shortcode: row.shortcode });
    return row;
  });
}

/**
 * Stores an intro. If the sender already has one with that reference, `onDuplicate` says what to do; `isNew` says whether one was
 * made.
 */
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

/** Takes an intro out of use. It stays in the database: its links answer that they are gone, its logs can be read. */
export async function deleteIntro(deps: Deps, accountId: string, uuid: string): Promise<void> {
  await within(deps, async (deps) => {
    const { db } = deps;
    const row = await markDeleted(db, accountId, uuid);
    if (!row) throw notFound();
    await deleteKeys(db, accountId, uuid);
    await leadLink(db, accountId, uuid, null);
    await tellChange(deps, accountId, row, 'deleted');
  });
  deps.caches.forget(linkCache);
}

/** The chat-app account an intro belongs to; an unknown number is a mistake in the request. */
async function senderOf(deps: Deps, accountId: string, chatappNumber: string): Promise<ChatappAccount> {
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber }]);
  if (!sender) throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatappNumber)] });
  return sender;
}

/**
 * The code that the text of an intro's link ends with; '' for none. If another intro of the number expects the same text, the text
 * alone does not tell whose link was opened, so the other intro's link gets its code here, too. Inside a transaction.
 */
async function linkCodeOf(
  deps: Deps,
  accountId: string,
  { uuid, shortcode }: Pick<IntroRow, 'uuid' | 'shortcode'>,
  fields: IntroFields,
  sender: Sender,
): Promise<string> {
  const { db } = deps;
  const text = { accountId, chatappAccount: sender.uuid, hash: textHash(linkText(fields)), except: uuid };
  let rivals = await findRivalsByText(db, text);
  if (rivals.length < 2) {
    // Two intros that are made at the same moment do not see each other, so one of them waits here.
    await lockText(db, text);
    rivals = await findRivalsByText(db, text);
  }
  // If there are two others, each got its code when the second one was made.
  if (rivals.length === 1) await addCode(deps, accountId, rivals[0]!, sender);
  const { link_code: wanted } = fields;
  return wanted === 'always' || (wanted === 'auto' && rivals.length > 0) ? shortcode : '';
}

async function addCode(deps: Deps, accountId: string, uuid: string, sender: Sender): Promise<void> {
  const row = await findIntro(deps.db, accountId, uuid);
  if (row?.link_code !== 'auto') return;
  await leadLink(deps.db, accountId, uuid, targetOf(fieldsOf(row), sender, row.shortcode));
  deps.caches.forget(linkCache);
}

/** Notes that an intro was created, updated or deleted, in the caller's transaction, and tells whoever listens. */
async function tellChange(
  deps: Deps,
  accountId: string,
  { uuid, chatapp_number, reference_id, meta_data }: IntroRow,
  kind: 'created' | 'updated' | 'deleted',
  data: Record<string, unknown> = {},
): Promise<void> {
  const type = `chat_intro.${kind}` as const;
  const noted = kind === 'created' ? { reference_id, ...data } : data;
  await appendEvents(deps.db, [{ accountId, subjectType: 'chat_intro', subject: uuid, kind: type, data: noted }]);
  await announce(deps.db, deps, [
    { accountId, type, data: { chat_intro: uuid, chatapp_number, reference_id, meta_data, ...data } },
  ]);
}
