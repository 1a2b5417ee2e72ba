import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Links } from '../../platform/db/types.ts';
import type { ChatTarget, NewLink } from './create.ts';

export type LinkRow = Selectable<Links>;

/** Inserts links under the given codes and answers the codes that were free; a link whose code is taken is left out. */
export async function insertLinks(db: Db, accountId: string, links: Map<string, NewLink>): Promise<Set<string>> {
  const all = [...links.values()];
  const chats = all.map((link) => (link.kind === 'CAMPAIGN' ? undefined : link));
  const campaigns = all.map((link) => (link.kind === 'CAMPAIGN' ? link : undefined));
  const { rows } = await sql<{ shortcode: string }>`
    insert into links (account_id, shortcode, kind, chat_intro, session, single_use, expires, chatapp_account, chat_number,
      chat_text, campaign_log, message, url)
    select ${accountId}::uuid, * from unnest(
      ${[...links.keys()]}::text[],
      ${all.map((link) => link.kind)}::text[],
      ${chats.map((link) => link?.chatIntro)}::uuid[],
      ${chats.map((link) => link?.session)}::uuid[],
      ${chats.map((link) => link?.singleUse ?? false)}::boolean[],
      ${chats.map((link) => link?.expires)}::timestamptz[],
      ${chats.map((link) => link?.leadsTo?.chatappAccount)}::uuid[],
      ${chats.map((link) => link?.leadsTo?.number)}::text[],
      ${chats.map((link) => link?.leadsTo?.text)}::text[],
      ${campaigns.map((link) => link?.campaignLog)}::uuid[],
      ${campaigns.map((link) => link?.message)}::uuid[],
      ${campaigns.map((link) => link?.url)}::text[])
    on conflict (shortcode) do nothing
    returning shortcode`.execute(db);
  return new Set(rows.map((row) => row.shortcode));
}

/** The link behind a code: whoever opens one has no token, so the account is not known yet. */
export const findLinkAnyAccount = (db: Db, shortcode: string): Promise<LinkRow | undefined> =>
  db.selectFrom('links').selectAll().where('shortcode', '=', shortcode).executeTakeFirst();

/** The intros behind codes of their own links. */
export async function findIntrosOfCodes(db: Db, accountId: string, shortcodes: string[]) {
  const { rows } = await sql<{ shortcode: string; chat_intro: string }>`
    select shortcode, chat_intro from links
    where shortcode = any (${shortcodes}::text[]) and account_id = ${accountId} and kind = 'INTRO'`.execute(db);
  return rows;
}

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

/** Notes that links of campaigns were opened; answers those that never were before. */
export async function spendLinks(
  db: Db,
  links: { accountId: string; shortcode: string }[],
): Promise<{ account_id: string; campaign_log: string }[]> {
  const { rows } = await sql<{ account_id: string; campaign_log: string }>`
    update links as link set used_at = now()
    from (select distinct * from unnest(
      ${links.map(({ accountId }) => accountId)}::uuid[],
      ${links.map(({ shortcode }) => shortcode)}::text[]) order by 2) as opened (account_id, shortcode)
    where link.account_id = opened.account_id and link.shortcode = opened.shortcode and link.used_at is null
    returning link.account_id, link.campaign_log`.execute(db);
  return rows;
}
