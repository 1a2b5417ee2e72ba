import type { Deps } from '../../deps.ts';
import { phoneDigits } from '../../platform/phone.ts';
import { adoptSenders, type ChatappAccount, findSenders } from './queries.ts';

export interface SenderUse {
  accountId: string;
  chatappNumber: string;
}

/**
 * The chat-app account behind each number, in the order asked. A number nobody registered is taken into use if a carrier
 * allows that (the sandbox does); otherwise it is undefined.
 */
export async function resolveSenders(
  { db, carriers }: Deps,
  uses: SenderUse[],
): Promise<(ChatappAccount | undefined)[]> {
  const wanted = new Map(
    uses.map((use) => {
      const digits = phoneDigits(use.chatappNumber);
      return [keyOf(use.accountId, digits), { ...use, digits }];
    }),
  );
  const found = new Map<string, ChatappAccount>();
  const look = async (senders: Iterable<{ accountId: string; digits: string }>) => {
    for (const row of await findSenders(db, [...senders])) found.set(keyOf(row.account_id, row.digits), row);
  };
  await look(wanted.values());
  const missing = [...wanted].filter(([key]) => !found.has(key)).map(([, sender]) => sender);
  const adopter = carriers.all().find((carrier) => carrier.adoptsUnknown);
  if (missing.length > 0 && adopter) {
    await adoptSenders(db, adopter.name, missing);
    await look(missing);
  }
  return uses.map((use) => found.get(keyOf(use.accountId, phoneDigits(use.chatappNumber))));
}

const keyOf = (accountId: string, digits: string): string => `${accountId} ${digits}`;
