import { sentenceOf } from '../../../platform/errors.ts';
import { bodyValidator } from '../../../platform/http/validation/index.ts';
import { makeFiller, render } from '../../../platform/text/fill.ts';
import { type MessageCreate, messageErrors } from '../../messages/index.ts';
import { SmsCreate } from '../../sms/index.ts';
import { fillComponents } from '../../templates/index.ts';
import type { CampaignFields } from '../schemas.ts';

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

/** What placeholders are filled from. */
export interface Person {
  phone_number: string;
  name: string;
  language_code: string;
  attributes: Readonly<Record<string, unknown>>;
}

/** The names of all placeholders in the texts of a value, each once, as they are written. */
export function placeholdersOf(value: unknown): string[] {
  const names = new Set<string>();
  const walk = (inner: unknown): void => {
    if (typeof inner === 'string') for (const name of render(inner, {}, 0).missing) names.add(name);
    else if (typeof inner === 'object' && inner !== null) for (const each of Object.values(inner)) walk(each);
  };
  walk(value);
  return [...names];
}

/** `First Name`, `first_name` and `firstName` are one name: columns of files are called by many spellings. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '');

const fields = new Map<string, (person: Person) => string>([
  ['name', ({ name }) => name],
  ['firstname', ({ name }) => name.trim().split(/\s+/)[0] ?? ''],
  ['phonenumber', ({ phone_number }) => phone_number],
  ['languagecode', ({ language_code }) => language_code],
]);

/** Looks up the values of these placeholders for one person after the other. One without any value is left out. */
export function makeVariables(names: readonly string[], fallbacks: Readonly<Record<string, string>>) {
  const instead = new Map(Object.entries(fallbacks).map(([name, text]) => [foldedName(name), text]));
  const wanted = names.map((name) => ({ name, key: foldedName(name) }));
  return (person: Person): Record<string, string> => {
    const found = wanted.map(({ name, key }) => {
      // A contact's own field comes first; an attribute counts if that is empty, since a file may have its own `first_name`.
      const value = fields.get(key)?.(person) || attributeOf(person, name, key) || instead.get(key);
      return [name, value] as const;
    });
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
}

function attributeOf({ attributes }: Person, name: string, key: string): string {
  const spelling = Object.hasOwn(attributes, name)
    ? name
    : Object.keys(attributes).find((attribute) => foldedName(attribute) === key);
  const value = spelling === undefined ? undefined : attributes[spelling];
  return value === undefined || value === null ? '' : String(value);
}
