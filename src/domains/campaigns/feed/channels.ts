import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { phoneReader } from '../../accounts/index.ts';
import { resolveSenders } from '../../chatapp-accounts/index.ts';
import * as chat from '../../messages/index.ts';
import * as sms from '../../sms/index.ts';
import { findAccountLinks } from '../../sms/index.ts';
import type { CampaignChannel, CampaignFields } from '../schemas.ts';
import type { Request } from './compose.ts';

/** A message that is to be sent for a launch. */
export interface Outgoing {
  uuid: string;
  request: Request['request'];
}

/** What a channel does for launches; the same for both. */
export interface Channel {
  /** The present by the clock of the sender's carrier. */
  now(deps: Deps, accountId: string, sender: string): Promise<Date>;
  /** How many messages a second the sender may send. */
  perSecond(deps: Deps, accountId: string, sender: string): Promise<number>;
  send(deps: Deps, accountId: string, campaignLog: string, batch: Outgoing[]): Promise<PromiseSettledResult<unknown>[]>;
  pause(db: Db, accountId: string, campaignLog: string): Promise<void>;
  resume(db: Db, accountId: string, campaignLog: string): Promise<void>;
  cancel(deps: Deps, accountId: string, campaignLog: string): Promise<unknown>;
  lastEnded(
    db: Db,
    accountId: string,
    campaignLog: string,
    options: { after?: string; most: number },
  ): Promise<{ status: string; status_description: string; failure_code: string | null }[]>;
}

const chatapp: Channel = {
  async now(deps, accountId, sender) {
    const [known] = await resolveSenders(deps, [{ accountId, chatappNumber: sender }]);
    return (known ? deps.carriers.get(known.carrier).clock(accountId) : deps.clock).now();
  },
  perSecond: readChatRate,
  send: (deps, accountId, campaignLog, batch) =>
    chat.sendMessages(
      deps,
      batch.map(({ uuid, request }) => ({ accountId, campaignLog, uuid, request: request as chat.MessageCreate })),
    ),
  pause: chat.pauseLaunch,
  resume: chat.resumeLaunch,
  cancel: chat.cancelLaunch,
  lastEnded: chat.lastEnded,
};

const shortMessages: Channel = {
  async now(deps, accountId) {
    const links = (await sms.findAccountLinks(deps, [accountId])).get(accountId);
    return (links?.clock ?? deps.clock).now();
  },
  perSecond: readSmsRate,
  send: (deps, accountId, campaignLog, batch) =>
    sms.sendSmsAll(
      deps,
      batch.map(({ uuid, request }) => ({ accountId, campaignLog, uuid, request: request as sms.SmsCreate })),
    ),
  pause: sms.pauseLaunch,
  resume: sms.resumeLaunch,
  cancel: sms.cancelLaunch,
  lastEnded: sms.lastEnded,
};

export const channels: Readonly<Record<CampaignChannel, Channel>> = { CHATAPP: chatapp, SMS: shortMessages };

/** How many messages a second may leave from a number; 0 for one that nobody registered yet. */
async function readChatRate(deps: Deps, accountId: string, sender: string): Promise<number> {
  const read = await phoneReader(deps, accountId);
  const row = await deps.db
    .selectFrom('chatapp_accounts')
    .select('messages_per_second')
    .where('account_id', '=', accountId)
    .where('digits', '=', read(sender))
    .executeTakeFirst();
  return row?.messages_per_second ?? 0;
}

/** All links of an account together. */
async function readSmsRate({ db }: Deps, accountId: string): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select coalesce(sum(messages_per_second), 0)::float8 as rate from sms_links
    where account_id = ${accountId} and enabled`.execute(db);
  return rows[0]!.rate;
}

export interface ChatSender {
  uuid: string;
  carrier: string;
  language_code: string;
}

/** The chat-app account that a campaign is sent from, if it is registered; looking does not adopt it. */
export async function findChatSender(deps: Deps, accountId: string, sender: string): Promise<ChatSender | undefined> {
  const read = await phoneReader(deps, accountId);
  const { rows } = await sql<ChatSender>`
    select sender.uuid, sender.carrier, coalesce(sender.language_code, account.language_code) as language_code
    from chatapp_accounts as sender join accounts as account on account.uuid = ${accountId}
    where sender.account_id = ${accountId} and sender.digits = ${read(sender)}`.execute(deps.db);
  return rows[0];
}

/** The present by the clock of the campaign's carrier. */
export async function findNow(deps: Deps, accountId: string, { channel, sender }: CampaignFields): Promise<Date> {
  if (channel === 'SMS') {
    const links = (await findAccountLinks(deps, [accountId])).get(accountId);
    return (links?.clock ?? deps.clock).now();
  }
  const known = await findChatSender(deps, accountId, sender);
  return (known ? deps.carriers.get(known.carrier).clock(accountId) : deps.clock).now();
}
