import type { Deps } from '../../../deps.ts';
import type { ChatappAccount } from '../../chatapp-accounts/index.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import { findLanguages, type ResolvedTemplate } from '../../templates/index.ts';

/** A message to somebody who has opted out. */
export interface Unwanted {
  accountId: string;
  digits: string;
  sender: Pick<ChatappAccount, 'uuid' | 'carrier'>;
  /** The launch it is sent for: a campaign answers nobody, and is marketing whatever it says. */
  campaignLog?: string | null | undefined;
  /** The intro it is sent for: its templates answer the person who began it. */
  chatIntro?: string | null | undefined;
  /** The template it is; any other message may be an answer. */
  template?: { name: string; languageCode: string };
}

export const isOneTimePassword = ({ category }: ResolvedTemplate): boolean => category === 'AUTHENTICATION';

/** Those that go all the same, not being marketing: answers to what the person wrote since, and one-time passwords. */
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
