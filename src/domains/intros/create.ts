import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/connect/pool.ts';
import { newId } from '../../platform/ids.ts';
import { createLinks } from '../links/index.ts';
import { appendEvents } from '../timeline/index.ts';
import { checkIntro, checkNotifyType } from './check.ts';
import { columnsOf, keysOf, targetOf, withDefaults } from './fields.ts';
import { insertKeys } from './match/key-queries.ts';
import { type IntroRow, insertIntro } from './queries.ts';
import type { ChatIntroCreate } from './schemas.ts';
import { senderOf } from './sender.ts';

/** Stores an intro with its link. */
export async function createIntro(deps: Deps, accountId: string, request: ChatIntroCreate): Promise<IntroRow> {
  checkNotifyType(request);
  const fields = withDefaults(request);
  checkIntro(fields);
  const sender = await senderOf(deps, accountId, fields.chatapp_number);
  const uuid = newId();
  return inTransaction(deps.db, async (db) => {
    const link = { kind: 'INTRO' as const, chatIntro: uuid, leadsTo: targetOf(fields, sender) };
    const [shortcode] = await createLinks(db, accountId, [link]);
    const row = await insertIntro(db, accountId, { uuid, shortcode: shortcode!, ...columnsOf(fields, sender) });
    await insertKeys(db, accountId, uuid, keysOf(fields, sender));
    await appendEvents(db, [
      {
        accountId,
        subjectType: 'chat_intro',
        subject: uuid,
        kind: 'chat_intro.created',
        data: { reference_id: row.reference_id, shortcode: row.shortcode },
      },
    ]);
    return row;
  });
}
