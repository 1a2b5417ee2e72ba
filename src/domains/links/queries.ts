import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Links } from '../../platform/db/types.ts';
import type { ChatTarget, NewLink } from './create.ts';

export type LinkRow = Selectable<Links>;

/** Inserts links under the given codes and answers the codes that were free; a link whose code is taken is left out. */
export async function insertLinks(db: Db, accountId: string, links: Map<string, NewLink>): Promise<Set<string>> {
  const all = [...links.values()];
  const { rows } = await sql<{ shortcode: string }>`
    insert into links (account_id, shortcode, kind, chat_intro, session, single_use, expires, chatapp_account, chat_number,
      chat_text)
    select ${accountId}::uuid, * from unnest(
      ${[...links.keys()]}::text[],
      ${all.map((link) => link.kind)}::text[],
      ${all.map((link) => link.chatIntro)}::uuid[],
      ${all.map((link) => link.session ?? null)}::uuid[],
      ${all.map((link) => link.singleUse ?? false)}::boolean[],
      ${all.map((link) => link.expires ?? null)}::timestamptz[],
      ${all.map((link) => link.leadsTo?.chatappAccount ?? null)}::uuid[],
      ${all.map((link) => link.leadsTo?.number ?? null)}::text[],
      ${all.map((link) => link.leadsTo?.text ?? null)}::text[])
    on conflict (shortcode) do nothing
    returning shortcode`.execute(db);
  return new Set(rows.map((row) => row.shortcode));
}

/** The link behind a code: whoever opens one has no token, so the account is not known yet. */
export const findLinkAnyAccount = (db: Db, shortcode: string): Promise<LinkRow | undefined> =>
  db.selectFrom('links').selectAll().where('shortcode', '=', shortcode).executeTakeFirst();

/** Whether an intro of that id was ever made: each has a link from its first moment on. */
export async function isLinked(db: Db, accountId: string, chatIntro: string): Promise<boolean> {
  const row = await db
    .selectFrom('links')
    .select('shortcode')
    .where('account_id', '=', accountId)
    .where('chat_intro', '=', chatIntro)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets the link of an intro lead elsewhere; null: nowhere any more. */
export async function leadLink(db: Db, accountId: string, chatIntro: string, to: ChatTarget | null): Promise<void> {
  await db
    .updateTable('links')
    .set({
      chatapp_account: to?.chatappAccount ?? null,
      chat_number: to?.number ?? null,
      chat_text: to?.text ?? null,
    })
    .where('account_id', '=', accountId)
    .where('chat_intro', '=', chatIntro)
    .where('kind', '=', 'INTRO')
    .execute();
}

/** Uses up a link that works once; false when that happened before. Of several at the same moment one succeeds. */
export async function spendLink(db: Db, accountId: string, shortcode: string): Promise<boolean> {
  const row = await db
    .updateTable('links')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('shortcode', '=', shortcode)
    .where('used_at', 'is', null)
    .returning('shortcode')
    .executeTakeFirst();
  return row !== undefined;
}
