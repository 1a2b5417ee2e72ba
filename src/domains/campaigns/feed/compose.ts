import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { makeFiller } from '../../../platform/text/fill.ts';
import { sentenceOf } from '../../../platform/work/first-error.ts';
import { type MessageCreate, messageErrors } from '../../messages/index.ts';
import { SmsCreate } from '../../sms/index.ts';
import { fillComponents } from '../../templates/index.ts';
import type { CampaignFields } from '../schemas.ts';
import { makeVariables, type Person, placeholdersOf } from './placeholders.ts';

/** What one person is to get, before it is known whether the platform takes it. */
export type Content = { text: string } | { template: { template_name: string; components: object[] } };

export interface Composed {
  content: Content;
  /** Placeholders that had neither a value nor a fallback. */
  missing: string[];
  isTooLong: boolean;
}

/** Fills a campaign for one person after the other. */
export function makeComposer({ template, text, fallbacks }: CampaignFields): (person: Person) => Composed {
  const variablesOf = makeVariables(placeholdersOf(template ?? text), fallbacks);
  return (person) => {
    const filler = makeFiller(variablesOf(person));
    const content: Content = template
      ? { template: { ...template, components: fillComponents(template.components ?? [], filler) } }
      : { text: filler.fill(text) as string };
    return { content, missing: filler.missing(), isTooLong: filler.isTooLong() };
  };
}

export type Request = { channel: 'CHATAPP'; request: MessageCreate } | { channel: 'SMS'; request: SmsCreate };

const smsErrors = bodyValidator(SmsCreate);

/** The message to a number, or what is wrong with it in one sentence. */
export function requestOf(campaign: CampaignFields, content: Content, to: string): Request | { problem: string } {
  const { channel, sender, meta_data } = campaign;
  const request =
    channel === 'SMS'
      ? { from: sender, to, ...content, meta_data }
      : { chatapp_number: sender, to_chatapp_number: to, ...chatContent(content), meta_data };
  const errors = channel === 'SMS' ? smsErrors(request) : messageErrors(request);
  if (errors) return { problem: sentenceOf(errors as Parameters<typeof sentenceOf>[0]) };
  return { channel, request } as unknown as Request;
}

const chatContent = (content: Content): object =>
  'text' in content ? { type: 'TEXT', text: { body: content.text } } : { type: 'TEMPLATE', ...content };
