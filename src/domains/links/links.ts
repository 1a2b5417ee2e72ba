import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/connect/pool.ts';
import type { Aging } from '../../platform/db/retention.ts';
import type { Links } from '../../platform/db/types.ts';
import { newCode } from '../../platform/ids.ts';

/** A link to be made. */
export type NewLink = NewChatLink | NewCampaignLink;

/** The intro's own, or one side's of a session. */
export interface NewChatLink {
  kind: 'INTRO' | 'BPARTY' | 'APARTY';
  chatIntro: string;
  session?: string;
  singleUse?: boolean;
  expires?: string;
  /** Left out: that is found out when it is opened. */
  leadsTo?: ChatTarget;
}

/** In a message of a campaign: it leads to the address that stood there, and tells who opened it. */
export interface NewCampaignLink {
  kind: 'CAMPAIGN';
  campaignLog: string;
  message: string;
  url: string;
  /** Those are of intros. */
  session?: never;
}

/** The chat that a link leads to: of a business's number, with a text to begin it. */
export interface ChatTarget {
  chatappAccount: string;
  number: string;
  text: string;
}

const codeLength = 10;
const mostRounds = 8;

/**
 * Makes links and answers their codes, in the order of the links. 28^10 codes make a collision rare, not impossible: links
 * whose code was taken get another one. `newShortcode` is there to be replaced by tests.
 */
export async function createLinks(
  db: Db,
  accountId: string,
  links: NewLink[],
  newShortcode: () => string = () => newCode(codeLength),
): Promise<string[]> {
  // Copies, so that two equal links are still two.
  const pending = new Set(links.map((link) => ({ ...link })));
  const codes = new Map<NewLink, string>([...pending].map((link) => [link, '']));
  for (let round = 0; pending.size > 0; round++) {
    // Only a broken source of randomness gets this far.
    if (round === mostRounds) throw new Error('No free short codes were found.');
    const wanted = new Map([...pending].map((link) => [newShortcode(), link]));
    for (const code of await insertLinks(db, accountId, wanted)) {
      const link = wanted.get(code)!;
      codes.set(link, code);
      pending.delete(link);
    }
  }
  return [...codes.values()];
}

export type LinkRow = Selectable<Links>;

/** Inserts links under the given codes and answers the codes that were free; a link whose code is taken is left out. */
async function insertLinks(db: Db, accountId: string, links: Map<string, NewLink>): Promise<Set<string>> {
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

/** For the rule by which sessions grow old: their links go with them. */
export const linksOfSessions: Aging = { name: 'links', key: 'session' };

/** Removes links that lead to a person. */
export async function deleteLinks(db: Db, accountId: string, shortcodes: string[]): Promise<void> {
  await sql`delete from links where account_id = ${accountId} and shortcode = any (${shortcodes}::text[])`.execute(db);
}
