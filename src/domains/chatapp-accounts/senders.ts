import type { Sender } from '../../carriers/ports/chat.ts';
import type { SenderRef } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { international, phoneDigits } from '../../platform/phone.ts';
import { isUsable, readPhones, sandboxOff } from '../accounts/index.ts';
import {
  adoptSenders,
  type ChatappAccount,
  type ChatappAccountRow,
  type FoundSender,
  findChatappAccount,
  findChatappAccountAnyAccount,
  findNamed,
  findSenders,
} from './queries.ts';

export interface SenderUse {
  accountId: string;
  chatappNumber: string;
}

/** The cache of senders; to be forgotten when one changes. */
export const senderCache = 'senders';

/**
 * The chat-app account behind each number, in the order asked. A number nobody registered is taken into use if a carrier
 * allows that (the sandbox does) and the account does so; otherwise it is undefined, as is one on a sandbox that the account
 * does not use: see `whyNoSender`.
 */
export async function resolveSenders(deps: Deps, uses: SenderUse[]): Promise<(ChatappAccount | undefined)[]> {
  const cache = deps.caches.of<ChatappAccount>(senderCache);
  const digits = await readPhones(
    deps,
    uses.map(({ accountId, chatappNumber: number }) => ({ accountId, number })),
  );
  const senders = uses.map((use, index) => ({ ...use, digits: digits[index]! }));
  const keys = senders.map((sender) => keyOf(sender.accountId, sender.digits));
  const remembered = keys.map((key) => cache.get(key));
  if (!remembered.includes(undefined)) return remembered;
  const stamp = cache.stamp();
  const found = await lookUp(deps, [...new Map(keys.map((key, index) => [key, senders[index]!])).values()]);
  for (const [key, sender] of found) cache.set(key, sender, stamp);
  return keys.map((key) => found.get(key));
}

async function lookUp(
  { db, carriers }: Deps,
  senders: (SenderUse & { digits: string })[],
): Promise<Map<string, ChatappAccount>> {
  const found = new Map<string, ChatappAccount>();
  const known = new Set<string>();
  const look = async (some: typeof senders) => {
    for (const row of await findSenders(db, some)) {
      const key = keyOf(row.account_id, row.digits);
      known.add(key);
      if (mayBeUsed(carriers, row)) found.set(key, row);
    }
  };
  await look(senders);
  const missing = senders.filter((sender) => !known.has(keyOf(sender.accountId, sender.digits)));
  const adopter = carriers.all('chat').find((carrier) => carrier.adoptsUnknown);
  if (missing.length > 0 && adopter) {
    await adoptSenders(db, adopter.name, missing);
    await look(missing);
  }
  return found;
}

/** Anything may be used on a carrier that reaches real people; on the sandbox, what the account's setting allows. */
const mayBeUsed = ({ trials }: Deps['carriers'], { carrier, sandbox, adopted }: FoundSender): boolean =>
  isUsable(sandbox, { adopted }) || !trials.has(carrier);

/** Why numbers are no senders, in sentences for their field, in the order asked. */
export async function whyNoSenders(deps: Deps, uses: SenderUse[]): Promise<string[]> {
  if (uses.length === 0) return [];
  const digits = await readPhones(
    deps,
    uses.map(({ accountId, chatappNumber: number }) => ({ accountId, number })),
  );
  const wanted = uses.map(({ accountId }, index) => ({ accountId, digits: digits[index]! }));
  const rows = await findSenders(deps.db, wanted);
  const known = new Map(rows.map((row) => [keyOf(row.account_id, row.digits), row]));
  return wanted.map((one) => {
    const row = known.get(keyOf(one.accountId, one.digits));
    if (!row) return 'No chat-app account has this number.';
    return row.sandbox === 'off' ? sandboxOff : 'This number was tried out in the sandbox and never registered.';
  });
}

export const whyNoSender = async (deps: Deps, accountId: string, chatappNumber: string): Promise<string> =>
  (await whyNoSenders(deps, [{ accountId, chatappNumber }]))[0]!;

const keyOf = (accountId: string, digits: string): string => accountId + digits;

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
