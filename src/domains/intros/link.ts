import type { Deps } from '../../deps.ts';
import { leadLink } from '../links/index.ts';
import { fieldsOf, type Sender, targetOf } from './fields.ts';
import { findRivalsByText, lockText } from './match/key-queries.ts';
import { linkText, textHash } from './match/keys.ts';
import { linkCache } from './open/open.ts';
import { findIntro, type IntroRow } from './queries.ts';
import type { IntroFields } from './schemas.ts';

/**
 * The code that the text of an intro's link ends with, '' for none. Where another intro of the number expects the same text,
 * nobody could tell from the text alone whose link was opened; the other's link gets its code here, too. Inside a transaction.
 */
export async function linkCodeOf(
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
    // Two that are made at the same moment do not see each other: one of them has to wait here.
    await lockText(db, text);
    rivals = await findRivalsByText(db, text);
  }
  // Where there are two others, each got its code when the second came.
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
