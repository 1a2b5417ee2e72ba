import type { Sender } from '../../carriers/ports/chat.ts';
import type { SenderRef } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { international, phoneDigits } from '../../platform/phone.ts';
import { type ChatappAccountRow, findChatappAccount, findChatappAccountAnyAccount, findNamed } from './queries.ts';
import { resolveSenders } from './resolve.ts';

/** The cache of senders with their secrets opened; to be forgotten when one changes. */
export const carrierCache = 'carrier-senders';

/** A chat-app account as its carrier needs it. */
export async function findSender(deps: Deps, accountId: string, uuid: string): Promise<Sender | undefined> {
  const cache = deps.caches.of<Sender>(carrierCache);
  const remembered = cache.get(accountId + uuid);
  if (remembered) return remembered;
  const stamp = cache.stamp();
  const row = await findChatappAccount(deps.db, accountId, uuid);
  if (!row) return undefined;
  const sender = senderOf(deps, row);
  cache.set(accountId + uuid, sender, stamp);
  return sender;
}

/** The same for callers from outside, who have nothing but the uuid and are authenticated afterwards. */
export async function findSenderAnyAccount(deps: Deps, uuid: string, carrier: string): Promise<Sender | undefined> {
  // That there is none is remembered too: strangers may ask as often as they like.
  const cache = deps.caches.of<Sender | null>(carrierCache);
  const key = carrier + uuid;
  const remembered = cache.get(key);
  if (remembered !== undefined) return remembered ?? undefined;
  const stamp = cache.stamp();
  const row = await findChatappAccountAnyAccount(deps.db, uuid);
  const sender = row?.carrier === carrier ? senderOf(deps, row) : null;
  cache.set(key, sender, stamp);
  return sender ?? undefined;
}

/**
 * The chat-app accounts that a carrier's events speak of; several may share one business account. A number that nobody
 * registered is taken into use where a message from it would be, and nobody writes to one that cannot be used.
 */
export async function findReferred(
  deps: Deps,
  accountId: string,
  carrier: string,
  refs: SenderRef[],
): Promise<(ref: SenderRef) => ChatappAccountRow[]> {
  const values = (name: string) =>
    refs.flatMap((ref) => Object.entries(ref).flatMap(([key, value]) => (key === name ? [value] : [])));
  const numbers = values('number');
  const adopts = numbers.length > 0 && deps.carriers.get(carrier).adoptsUnknown;
  const inUse = adopts
    ? await resolveSenders(
        deps,
        numbers.map((chatappNumber) => ({ accountId, chatappNumber })),
      )
    : [];
  const isInUse = ({ uuid }: ChatappAccountRow) => !adopts || inUse.some((sender) => sender?.uuid === uuid);
  const rows = await findNamed(deps.db, accountId, carrier, {
    uuids: values('uuid'),
    digits: numbers.map(phoneDigits),
    numberIds: values('numberId'),
    businessAccountIds: values('businessAccountId'),
  });
  return (ref) => rows.filter((row) => isNamedBy(row, ref) && (!('number' in ref) || isInUse(row)));
}

function isNamedBy(row: ChatappAccountRow, ref: SenderRef): boolean {
  if ('uuid' in ref) return row.uuid === ref.uuid;
  if ('number' in ref) return row.digits === phoneDigits(ref.number);
  if ('numberId' in ref) return row.phone_number_id === ref.numberId;
  return row.business_account_id === ref.businessAccountId;
}

export function senderOf({ vault }: Pick<Deps, 'vault'>, row: ChatappAccountRow): Sender {
  const { account_id: accountId, uuid, digits, secrets } = row;
  const { phone_number_id, business_account_id, app_id } = row;
  const ids = Object.entries({ phone_number_id, business_account_id, app_id }).filter(([, id]) => id !== null);
  const opened = secrets === null ? {} : JSON.parse(vault.open(secrets));
  return { accountId, uuid, number: international(digits), settings: { ...Object.fromEntries(ids), ...opened } };
}
