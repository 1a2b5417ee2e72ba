import type { Deps } from '../../deps.ts';
import { ValidationError } from '../../platform/errors.ts';
import { type ChatappAccount, resolveSenders, whyNoSender } from '../chatapp-accounts/index.ts';

/** The chat-app account an intro belongs to; an unknown number is a mistake in the request. */
export async function senderOf(deps: Deps, accountId: string, chatappNumber: string): Promise<ChatappAccount> {
  const [sender] = await resolveSenders(deps, [{ accountId, chatappNumber }]);
  if (!sender) throw new ValidationError({ chatapp_number: [await whyNoSender(deps, accountId, chatappNumber)] });
  return sender;
}
