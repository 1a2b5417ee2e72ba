import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/connect/pool.ts';
import { resolveSenders } from '../../chatapp-accounts/index.ts';
import * as chat from '../../messages/index.ts';
import * as sms from '../../sms/index.ts';
import type { CampaignChannel } from '../schemas.ts';
import type { Request } from './compose.ts';
import { readChatRate, readSmsRate } from './sender-queries.ts';

/** A message that is to be sent for a launch. */
export interface Outgoing {
  uuid: string;
  request: Request['request'];
}

/** What a channel does for launches; the same for both. */
export interface Channel {
  /** By which time the sender lives. */
  now(deps: Deps, accountId: string, sender: string): Promise<Date>;
  /** How many messages a second the sender may send. */
  perSecond(deps: Deps, accountId: string, sender: string): Promise<number>;
  send(deps: Deps, accountId: string, campaignLog: string, batch: Outgoing[]): Promise<PromiseSettledResult<unknown>[]>;
  hold(db: Db, accountId: string, campaignLog: string): Promise<void>;
  release(db: Db, accountId: string, campaignLog: string): Promise<void>;
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
  hold: chat.holdLaunch,
  release: chat.releaseLaunch,
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
  hold: sms.holdLaunch,
  release: sms.releaseLaunch,
  cancel: sms.cancelLaunch,
  lastEnded: sms.lastEnded,
};

export const channels: Readonly<Record<CampaignChannel, Channel>> = { CHATAPP: chatapp, SMS: shortMessages };
