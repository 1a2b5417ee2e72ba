import type { View } from './phone.ts';

interface Template {
  template_name: string;
  components?: Component[];
}

/** A template as it was made; the platform's own shapes. */
export type Definition = DefinedPart[];

/** A template whose definition nobody gave is known by its name alone: the phone shows that, and what fills it. */
export function presentTemplate(
  { template_name, components = [] }: Template,
  definition: Definition | null,
): Partial<View> {
  const { text, ...parts } = definition ? presentDefined(definition, components) : presentParts(components);
  const ends = only('limited_time_offer', components)?.parameters?.[0]?.limited_time_offer?.expiration_time_ms;
  const named = text === '' ? template_name : `${template_name}\n${text}`;
  return {
    ...parts,
    text: definition ? text : named,
    offer_ends: ends === undefined ? null : timestamp(ends),
    cards: cardsOf(components, definition),
  };
}

function cardsOf(components: Component[], definition: Definition | null): View['cards'] {
  const defined = definition?.find(({ type }) => type === 'CAROUSEL')?.cards;
  return (only('carousel', components)?.cards ?? [])
    .toSorted((one, other) => one.card_index - other.card_index)
    .map(({ card_index, components }) => {
      const parts = defined?.[card_index]?.components;
      if (!parts) return presentParts(components);
      const { footer: _, ...card } = presentDefined(parts, components);
      return card;
    });
}

/** What a template and each card of a carousel have: a header, a text, buttons. */
const presentParts = (components: Component[]) => ({
  header: headerWithAddress(only('header', components)?.parameters?.[0]),
  text: (only('body', components)?.parameters ?? []).map(wordsOf).join('\n'),
  buttons: components
    .filter(({ type }) => type === 'button')
    .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
    .map(presentButton),
});

function presentButton({ sub_type = '', index = 0, parameters = [] }: Component) {
  const { text, payload, coupon_code } = parameters[0] ?? { type: '' };
  return { type: sub_type, title: `Button ${index + 1}`, id: '', value: text ?? payload ?? coupon_code ?? '' };
}

const timestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** A part of a template's definition, in the platform's own shape. */
export interface DefinedPart {
  type: string;
  format?: string;
  text?: string;
  add_security_recommendation?: boolean;
  code_expiration_minutes?: number;
  buttons?: DefinedButton[];
  cards?: { components: DefinedPart[] }[];
}

interface DefinedButton {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
  example?: unknown;
  flow_id?: string;
  flow_name?: string;
  navigate_screen?: string;
}

/** What a person reads: the words of the definition, with what a message fills in. */
function presentDefined(parts: DefinedPart[], components: Component[]) {
  const of = (type: string) => parts.find((part) => part.type === type);
  return {
    header: headerOf(of('HEADER'), components),
    text: bodyOf(of('BODY'), only('body', components)?.parameters),
    footer: footerOf(of('FOOTER')),
    buttons: (of('BUTTONS')?.buttons ?? []).map((button, index) => buttonOf(button, fillingOf(components, index))),
  };
}

function headerOf(part: DefinedPart | undefined, components: Component[]): View['header'] {
  const parameters = only('header', components)?.parameters;
  if (part?.format === 'TEXT') return { type: 'text', text: fill(part.text ?? '', parameters) };
  return headerWithAddress(parameters?.[0]);
}

/** The words of a one-time password are the platform's own. */
function bodyOf(part: DefinedPart | undefined, parameters: Parameter[] = []): string {
  if (part?.text !== undefined) return fill(part.text, parameters);
  const code = parameters.map(wordsOf).join(' ');
  const advice = part?.add_security_recommendation ? ' For your security, do not share this code.' : '';
  return code === '' ? '' : `${code} is your verification code.${advice}`;
}

function footerOf(part: DefinedPart | undefined): string {
  const minutes = part?.code_expiration_minutes;
  return part?.text ?? (minutes === undefined ? '' : `This code expires in ${minutes} minutes.`);
}

/** Puts words in the place of `{{1}}`, or of `{{first_name}}`. What nobody filled stays as it is. */
function fill(text: string, parameters: Parameter[] = []): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (gap, name: string) => {
    const named = parameters.find(({ parameter_name }) => parameter_name === name);
    const filling = named ?? (/^\d+$/.test(name) ? parameters[Number(name) - 1] : undefined);
    return filling ? wordsOf(filling) : gap;
  });
}

const fillingOf = (components: Component[], index: number): Parameter | undefined =>
  components.find((component) => component.type === 'button' && (component.index ?? 0) === index)?.parameters?.[0];

const ownTitles: Record<string, string> = { COPY_CODE: 'Copy offer code', OTP: 'Copy code' };

function buttonOf(button: DefinedButton, filling: Parameter | undefined): View['buttons'][number] {
  return {
    type: button.type.toLowerCase(),
    title: button.text ?? ownTitles[button.type] ?? '',
    id: '',
    value: behind(button, filling),
  };
}

function behind(button: DefinedButton, filling: Parameter | undefined): string {
  switch (button.type) {
    case 'URL':
      return fill(button.url ?? '', filling && [filling]);
    case 'PHONE_NUMBER':
      return button.phone_number ?? '';
    case 'COPY_CODE':
      return filling?.coupon_code ?? String(button.example ?? '');
    case 'FLOW':
      return button.flow_id ?? button.flow_name ?? '';
    default:
      return filling?.payload ?? filling?.text ?? '';
  }
}

/** What fills a template, as a message has it. */

interface Parameter {
  type: string;
  parameter_name?: string;
  text?: string;
  currency?: { fallback_value: string };
  date_time?: { fallback_value: string };
  payload?: string;
  coupon_code?: string;
  limited_time_offer?: { expiration_time_ms: number };
  [kind: string]: unknown;
}

interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
  cards?: { card_index: number; components: Component[] }[];
}

const only = (type: string, components: Component[]) => components.find((component) => component.type === type);

const wordsOf = ({ text, currency, date_time }: Parameter): string =>
  text ?? currency?.fallback_value ?? date_time?.fallback_value ?? '';

/** Where this server has a file that was uploaded to it: a browser that is signed in can load it. */
const addressOf = (uuid: string): string => `/v2/chatapp/template-media/${uuid}/content/`;

interface File {
  media_uuid?: string;
  [field: string]: unknown;
}

/** A file with the address it is at, where a message names it by its uuid. */
export const withAddress = (file: File): Record<string, unknown> =>
  file.media_uuid === undefined ? file : { ...file, url: addressOf(file.media_uuid) };

const fileKinds = new Set(['image', 'video', 'document']);

/** A header as it stands in messages: `{type, [type]: …}`. */
export function headerWithAddress(header: { type: string; [kind: string]: unknown } | undefined) {
  if (!header) return null;
  const { type } = header;
  return fileKinds.has(type) ? { ...header, [type]: withAddress(header[type] as File) } : header;
}
