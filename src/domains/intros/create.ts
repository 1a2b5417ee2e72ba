import type { Deps } from '../../deps.ts';
import { newId } from '../../platform/ids.ts';
import { within } from '../../platform/within.ts';
import { createLinks, leadLink } from '../links/index.ts';
import { checkIntro, checkNotifyType, checkStarted } from './check.ts';
import { columnsOf, keysOf, targetOf, withDefaults } from './fields.ts';
import { linkCodeOf } from './link.ts';
import { insertKeys } from './match/key-queries.ts';
import { type IntroRow, insertIntro } from './queries.ts';
import type { ChatIntroCreate } from './schemas.ts';
import { senderOf } from './sender.ts';
import { tellChange } from './tell-change.ts';

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
