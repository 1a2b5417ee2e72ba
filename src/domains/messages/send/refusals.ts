import type { Deps } from '../../../deps.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { resolveSenders } from '../../chatapp-accounts/index.ts';
import { findOptedOut } from '../../optouts/index.ts';
import { findProblems } from '../content/problems.ts';
import type { MessageCreate } from '../schemas.ts';
import { findExempt } from './exempt.ts';
import type { AddressedMessage, NewMessage } from './send.ts';

/** Messages that nobody should get, and messages whose content is wrong: known before anything is looked up or adopted. */
export async function findRefusals(deps: Deps, messages: AddressedMessage[]): Promise<Map<NewMessage, Error>> {
  const refusals = new Map<NewMessage, Error>();
  for (const message of await findUnwanted(deps, messages)) {
    refusals.set(message, new ApiError('recipient_opted_out'));
  }
  for (const [message, errors] of await findProblems(deps, messages)) {
    refusals.set(message, new ValidationError(errors));
  }
  return refusals;
}

/** Whose recipients have opted out, and must not get it. */
async function findUnwanted(deps: Deps, messages: AddressedMessage[]): Promise<NewMessage[]> {
  const recipients = messages.map((message) => ({
    accountId: message.accountId,
    digits: message.toDigits,
    message,
  }));
  const optedOut = [...(await findOptedOut(deps, recipients, 'CHATAPP'))];
  if (optedOut.length === 0) return [];
  const senders = await resolveSenders(
    deps,
    optedOut.map(({ accountId, message }) => ({ accountId, chatappNumber: message.request.chatapp_number })),
  );
  const unwanted = optedOut.flatMap((one, index) => {
    const sender = senders[index];
    const { campaignLog, chatIntro } = one.message;
    return sender
      ? [{ ...one, sender, campaignLog, chatIntro, ...templateOf(one.message.request, sender.language_code) }]
      : [];
  });
  const exempt = new Set([...(await findExempt(deps, unwanted))].map(({ message }) => message));
  return optedOut.map(({ message }) => message).filter((message) => !exempt.has(message));
}

function templateOf(request: MessageCreate, defaultLanguage: string) {
  if (request.type !== 'TEMPLATE') return {};
  const { template_name: name, language_code: languageCode = defaultLanguage } = request.template;
  return { template: { name, languageCode } };
}
