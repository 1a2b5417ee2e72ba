import type { Deps } from '../../deps.ts';
import { readPhones } from '../accounts/index.ts';
import { adoptSenders, type ChatappAccount, findSenders } from './queries.ts';

export interface SenderUse {
  accountId: string;
  chatappNumber: string;
}

/** The cache of senders; to be forgotten when one changes. */
export const senderCache = 'senders';

/**
 * The chat-app account behind each number, in the order asked. A number nobody registered is taken into use if a carrier
 * allows that (the sandbox does); otherwise it is undefined.
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
  const look = async (some: typeof senders) => {
    for (const row of await findSenders(db, some)) found.set(keyOf(row.account_id, row.digits), row);
  };
  await look(senders);
  const missing = senders.filter((sender) => !found.has(keyOf(sender.accountId, sender.digits)));
  const adopter = carriers.all('chat').find((carrier) => carrier.adoptsUnknown);
  if (missing.length > 0 && adopter) {
    await adoptSenders(db, adopter.name, missing);
    await look(missing);
  }
  return found;
}

const keyOf = (accountId: string, digits: string): string => accountId + digits;
