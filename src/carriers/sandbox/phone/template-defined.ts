import { headerWithAddress } from './files.ts';
import type { View } from './phone.ts';
import { type Component, only, type Parameter, wordsOf } from './template-parts.ts';

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
export function presentDefined(parts: DefinedPart[], components: Component[]) {
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
