import type { Deps } from '../../../deps.ts';
import { ApiError, ValidationError } from '../../../platform/errors.ts';
import { type ChatappAccount, resolveSenders } from '../../chatapp-accounts/index.ts';
import { findOptedOut, findOptedOutNow } from '../../optouts/index.ts';
import { findLanguages, type ResolvedTemplate } from '../../templates/index.ts';
import { findProblems } from '../content/problems.ts';
import type { MessageCreate } from '../schemas.ts';
import type { AddressedMessage, NewMessage } from './send.ts';

/** Refuses messages to people who opted out, and messages whose content is wrong, before anything is looked up or adopted. */
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

/** The messages whose recipients have opted out and that are not exempt. */
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

/** A message to somebody who has opted out. */
export interface Unwanted {
  accountId: string;
  digits: string;
  sender: Pick<ChatappAccount, 'uuid' | 'carrier'>;
  /** The launch it is sent for. A message of a campaign is no answer, and is marketing whatever it says. */
  campaignLog?: string | null | undefined;
  /** The intro it is sent for. Its templates answer the person who began the session. */
  chatIntro?: string | null | undefined;
  /** Its template, if it is one; any other message may be an answer. */
  template?: { name: string; languageCode: string };
}

export const isOneTimePassword = ({ category }: ResolvedTemplate): boolean => category === 'AUTHENTICATION';

/** Those that leave all the same because they are not marketing: answers to what the person wrote since, and one-time passwords. */
export async function findExempt<U extends Unwanted>(deps: Deps, all: U[]): Promise<Set<U>> {
  const unwanted = all.filter(({ campaignLog }) => !campaignLog);
  if (unwanted.length === 0) return new Set();
  const answers = unwanted
    .filter(({ template, chatIntro }) => !template || Boolean(chatIntro))
    .map((one) => ({ ...one, one, answeredAt: deps.carriers.get(one.sender.carrier).clock(one.accountId).now() }));
  const unanswerable = await findOptedOutNow(deps, answers, 'CHATAPP');
  const templates = unwanted.filter(({ template }) => template);
  const resolved = await findLanguages(deps, templates.map(useOf));
  return new Set([
    ...answers.filter((answer) => !unanswerable.has(answer)).map(({ one }) => one),
    ...templates.filter((_one, index) => resolved[index] && isOneTimePassword(resolved[index])),
  ]);
}

const useOf = ({ accountId, sender, template }: Unwanted) => ({
  accountId,
  chatappAccount: sender.uuid,
  carrier: sender.carrier,
  name: template!.name,
  languageCode: template!.languageCode,
  defaultLanguageCode: template!.languageCode,
});
