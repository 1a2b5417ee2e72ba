import type { Deps } from '../../deps.ts';
import { isUsable, readPhones, sandboxOff } from '../accounts/index.ts';
import { adoptSenders, type ChatappAccount, type FoundSender, findSenders } from './queries.ts';

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
