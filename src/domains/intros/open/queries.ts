import { type Db, isDistributed, prepared } from '../../../platform/db/connect/pool.ts';
import type { LinkRow, NewLink } from '../../links/index.ts';

type Link = Pick<LinkRow, 'shortcode' | 'account_id' | 'session' | 'single_use' | 'used_at' | 'expires'>;

/** A link of an intro, and where it leads; one that leads nowhere any more has no carrier. */
export type ChatTarget = Link & {
  kind: ChatLink;
  chat_intro: string;
  chat_number: string | null;
  chat_text: string | null;
  carrier: string | null;
};
export type ChatLink = Exclude<NewLink['kind'], 'CAMPAIGN'>;

/** A link in a message of a campaign: it leads to an address. */
export type PageTarget = Link & { kind: 'CAMPAIGN'; campaign_log: string; message: string | null; url: string };
export type LinkTarget = ChatTarget | PageTarget;

const find = prepared<LinkTarget>(
  'intros.open',
  `select link.shortcode, link.account_id, link.kind, link.chat_intro, link.session, link.single_use, link.used_at,
    link.expires, link.chat_number, link.chat_text, link.campaign_log, link.message, link.url, sender.carrier
  from links as link
  left join chatapp_accounts as sender on sender.account_id = link.account_id and sender.uuid = link.chatapp_account
  where link.shortcode = any ($1::text[])`,
);

const findLinks = prepared<LinkTarget & { chatapp_account: string | null }>(
  'intros.open-links',
  `select shortcode, account_id, kind, chat_intro, session, single_use, used_at, expires, chat_number, chat_text, campaign_log,
    message, url, chatapp_account from links where shortcode = any ($1::text[])`,
);
const findCarriers = prepared<{ uuid: string; carrier: string }>(
  'intros.open-carriers',
  `select sender.uuid, sender.carrier from unnest($1::uuid[], $2::uuid[]) as wanted (account_id, uuid)
  join chatapp_accounts as sender on sender.account_id = wanted.account_id and sender.uuid = wanted.uuid`,
);

/** Links and the senders they lead to are in different shards. */
async function findDistributed(db: Db, codes: string): Promise<LinkTarget[]> {
  const links = await findLinks(db, [codes]);
  const led = links.filter((link) => link.chatapp_account !== null);
  const senders =
    led.length === 0
      ? []
      : await findCarriers(db, [led.map((link) => link.account_id), led.map((link) => link.chatapp_account)]);
  const carriers = new Map(senders.map(({ uuid, carrier }) => [uuid, carrier]));
  return links.map(
    ({ chatapp_account, ...link }) => ({ ...link, carrier: carriers.get(chatapp_account ?? '') ?? null }) as LinkTarget,
  );
}

/** Where links lead, in the order of their codes: whoever opens one has no token, so the account is not known yet. */
export async function findTargetsAnyAccount(db: Db, shortcodes: string[]): Promise<(LinkTarget | undefined)[]> {
  const codes = `{${shortcodes.join()}}`;
  const rows = isDistributed(db) ? await findDistributed(db, codes) : await find(db, [codes]);
  const byCode = new Map(rows.map((row) => [row.shortcode, row]));
  return shortcodes.map((code) => byCode.get(code));
}

/** The carrier of an intro's number; null when the intro is deleted. */
export async function findCarrier(db: Db, accountId: string, chatIntro: string): Promise<string | null> {
  const row = await db
    .selectFrom('intro_keys as intro')
    .innerJoin('chatapp_accounts as sender', (join) =>
      join.onRef('sender.account_id', '=', 'intro.account_id').onRef('sender.uuid', '=', 'intro.chatapp_account'),
    )
    .select('sender.carrier')
    .where('intro.account_id', '=', accountId)
    .where('intro.chat_intro', '=', chatIntro)
    .executeTakeFirst();
  return row?.carrier ?? null;
}
