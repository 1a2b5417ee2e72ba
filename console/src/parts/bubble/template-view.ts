import { type Fields, inside, listOf, textOf } from '../../api/fields.ts';
import type { Schema } from '../../api/index.ts';
import { type FileKind, fileKindOf, fileOf, type Tap, type View } from './view.ts';

export type Definition = Pick<Schema<'MessageTemplate'>, 'name' | 'components' | 'parameter_format'>;

const gap = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** The names of the gaps of a text, each once, in their order. */
export const gapsIn = (text: string): string[] => [...new Set([...text.matchAll(gap)].map(([, name]) => name!))];

/** A text with the gaps filled that have a value. */
const fill = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(gap, (whole, name: string) => values.get(name) || whole);

/** What a parameter puts into its gap: its text, or what stands in for an amount or a date. */
const wordsOf = (parameter: Fields): string =>
  textOf(parameter['text']) ||
  textOf(inside(parameter['currency'] ?? parameter['date_time'])['fallback_value']) ||
  textOf(parameter['payload'] ?? parameter['coupon_code']);

function valuesOf(component: Fields | undefined): Map<string, string> {
  const parameters = listOf(component?.['parameters']);
  return new Map(parameters.map((one, index) => [textOf(one['parameter_name']) || String(index + 1), wordsOf(one)]));
}

const find = (parts: Fields[], type: string): Fields | undefined =>
  parts.find((part) => textOf(part['type']).toUpperCase() === type);

/** A template message. Of a template that is not known: its name, and what would fill it. */
export function templateView(name: string, definition: Definition | undefined, given: Fields[]): View {
  const parts = (definition?.components ?? []).map(inside);
  if (parts.length === 0) return unknownView(name, given);
  const carousel = find(parts, 'CAROUSEL');
  const cards = listOf(find(given, 'CAROUSEL')?.['cards']);
  return {
    ...partsView(parts, given),
    ...(carousel && {
      cards: listOf(carousel['cards']).map((card, index) => {
        const filled = cards.find((one) => one['card_index'] === index);
        return partsView(listOf(card['components']), listOf(filled?.['components']));
      }),
    }),
  };
}

function partsView(parts: Fields[], given: Fields[]): View {
  const header = find(parts, 'HEADER');
  const format = textOf(header?.['format']).toLowerCase();
  const [parameter = {}] = listOf(find(given, 'HEADER')?.['parameters']);
  const kind = fileKindOf(format);
  const offer = inside(find(parts, 'LIMITED_TIME_OFFER')?.['limited_time_offer']);
  return {
    title: fill(textOf(header?.['text']), valuesOf(find(given, 'HEADER'))),
    file: kind && headerFile(kind, header ?? {}, parameter),
    note: textOf(offer['text']) ? `Offer: ${textOf(offer['text'])}` : format === 'location' ? 'A map' : undefined,
    text: fill(bodyOf(find(parts, 'BODY')), valuesOf(find(given, 'BODY'))),
    footer: footerOf(find(parts, 'FOOTER')),
    taps: listOf(find(parts, 'BUTTONS')?.['buttons']).map((button, index) => tapOf(button, given, index)),
  };
}

const headerFile = (kind: FileKind, header: Fields, parameter: Fields) =>
  fileOf(kind, Object.keys(inside(parameter[kind])).length > 0 ? parameter[kind] : header);

/** Authentication templates have the platform's words. */
function bodyOf(body: Fields | undefined): string {
  if (!body || body['text'] !== undefined) return textOf(body?.['text']);
  const warning = body['add_security_recommendation'] === true ? ' For your security, do not share this code.' : '';
  return `*{{1}}* is your verification code.${warning}`;
}

function footerOf(footer: Fields | undefined): string {
  const minutes = footer?.['code_expiration_minutes'];
  return minutes === undefined ? textOf(footer?.['text']) : `This code expires in ${String(minutes)} minutes.`;
}

const kinds: Record<string, Tap['kind']> = {
  URL: 'url',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'code',
  OTP: 'code',
  FLOW: 'flow',
  QUICK_REPLY: 'reply',
};

function tapOf(button: Fields, given: Fields[], index: number): Tap {
  const type = textOf(button['type']).toUpperCase();
  const filled = given.find((one) => one['type'] === 'button' && Number(one['index']) === index);
  const url = fill(textOf(button['url']), valuesOf(filled));
  return {
    kind: kinds[type] ?? 'reply',
    text: textOf(button['text']) || (type === 'OTP' || type === 'COPY_CODE' ? 'Copy code' : type),
    to: url || textOf(button['phone_number']),
  };
}

function unknownView(name: string, given: Fields[]): View {
  const header = find(given, 'HEADER');
  const [parameter = {}] = listOf(header?.['parameters']);
  const kind = fileKindOf(textOf(parameter['type']));
  const texts = [...valuesOf(header).values(), ...valuesOf(find(given, 'BODY')).values()].filter(Boolean);
  return {
    note: name ? `Template ${name}, whose words are not known here` : 'No template chosen yet',
    file: kind && fileOf(kind, parameter[kind]),
    text: texts.join('\n'),
    taps: given
      .filter(({ type }) => type === 'button')
      .map((one) => ({
        kind: kinds[textOf(one['sub_type']).toUpperCase()] ?? 'reply',
        text: `Button ${Number(one['index'] ?? 0) + 1}`,
      })),
  };
}

/** What fills a template with the examples that it was submitted with. */
export function exampleComponents(definition: Pick<Definition, 'components'>): Fields[] {
  return definition.components.map(inside).flatMap((part): Fields[] => {
    const example = inside(part['example']);
    const type = textOf(part['type']).toLowerCase();
    if (type !== 'header' && type !== 'body') return [];
    const named = listOf(example[`${type}_text_named_params`]);
    if (named.length > 0)
      return [{ type, parameters: named.map((one) => ({ text: one['example'], parameter_name: one['param_name'] })) }];
    const texts = example[`${type}_text`];
    const plain: unknown = type === 'body' && Array.isArray(texts) ? texts[0] : texts;
    return Array.isArray(plain) ? [{ type, parameters: plain.map((text: unknown) => ({ text })) }] : [];
  });
}
