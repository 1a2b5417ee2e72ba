import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { phoneReader } from '../../accounts/index.ts';
import { findAccountLinks } from '../../sms/index.ts';
import type { CampaignFields } from '../schemas.ts';

export interface ChatSender {
  uuid: string;
  carrier: string;
  language_code: string;
}

/** The chat-app account that a campaign comes from, if somebody registered it: a look takes nothing into use. */
export async function findChatSender(deps: Deps, accountId: string, sender: string): Promise<ChatSender | undefined> {
  const read = await phoneReader(deps, accountId);
  const { rows } = await sql<ChatSender>`
    select sender.uuid, sender.carrier, coalesce(sender.language_code, account.language_code) as language_code
    from chatapp_accounts as sender join accounts as account on account.uuid = ${accountId}
    where sender.account_id = ${accountId} and sender.digits = ${read(sender)}`.execute(deps.db);
  return rows[0];
}

/** By the clock of whoever carries the campaign. */
export async function findNow(deps: Deps, accountId: string, { channel, sender }: CampaignFields): Promise<Date> {
  if (channel === 'SMS') {
    const links = (await findAccountLinks(deps, [accountId])).get(accountId);
    return (links?.clock ?? deps.clock).now();
  }
  const known = await findChatSender(deps, accountId, sender);
  return (known ? deps.carriers.get(known.carrier).clock(accountId) : deps.clock).now();
}
