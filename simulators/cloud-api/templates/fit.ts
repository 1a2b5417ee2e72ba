import { GraphError } from '../graph/errors.ts';
import type { Template } from '../world.ts';
import { checkWords, fitButtons } from './button-fit.ts';
import { hydrate, isAuthentication, part, type TemplateComponent, variablesOf } from './parts.ts';

export interface SentParameter {
  type: string;
  text?: string;
  parameter_name?: string;
  payload?: string;
  coupon_code?: string;
  [key: string]: unknown;
}

/** A component as a send gives it. */
export interface SentComponent {
  type: string;
  sub_type?: string;
  index?: string | number;
  parameters?: SentParameter[];
  cards?: { card_index: string | number; components: SentComponent[] }[];
}

const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT'];

/** Throws unless what was sent fills the approved template, no more and no less. */
export function checkFit(template: Template, sent: readonly SentComponent[], nowMs: number): void {
  const named = template.parameterFormat === 'NAMED';
  fitComponents(template.components, sent, named);
  fitOffer(template.components, sent, nowMs);
  fitCards(part(template.components, 'CAROUSEL'), of(sent, 'carousel'), named);
  if (isAuthentication(template.category)) fitCode(sent);
}

const of = (sent: readonly SentComponent[], type: string): SentComponent | undefined =>
  sent.find((component) => component.type.toLowerCase() === type);

function fitComponents(approved: readonly TemplateComponent[], sent: readonly SentComponent[], named: boolean): void {
  fitHeader(part(approved, 'HEADER'), of(sent, 'header')?.parameters ?? [], named);
  const body = part(approved, 'BODY');
  const values = fitText('body', body?.text, of(sent, 'body')?.parameters ?? [], named);
  const length = hydrate(body?.text ?? '', values).length;
  if (length > 1024)
    throw new GraphError(132005, `body: the translated text has ${length} characters, the limit is 1024`);
  fitButtons(part(approved, 'BUTTONS')?.buttons ?? [], sent);
}

function fitHeader(header: TemplateComponent | undefined, given: readonly SentParameter[], named: boolean): void {
  const format = header?.format?.toUpperCase() ?? 'TEXT';
  if (!mediaFormats.includes(format)) {
    fitText('header', header?.text, given, named);
    return;
  }
  const received = given[0]?.type.toUpperCase() ?? 'UNKNOWN';
  if (received !== format) {
    throw new GraphError(132012, `header: Format mismatch, expected ${format}, received ${received}`);
  }
}

/** Counts, names and looks at the values that fill a text; answers them by variable. */
function fitText(where: string, text: string | undefined, given: readonly SentParameter[], named: boolean) {
  const expected = [...new Set(variablesOf(text))];
  if (given.length !== expected.length) {
    throw new GraphError(
      132000,
      `${where}: number of localizable_params (${given.length}) does not match the expected number of params (${expected.length})`,
    );
  }
  const values = new Map<string, string>();
  for (const [position, parameter] of given.entries()) {
    const name = named ? parameter.parameter_name : expected[position];
    if (name === undefined || !expected.includes(name) || (!named && parameter.parameter_name !== undefined)) {
      throw new GraphError(
        132012,
        `${where}: Parameter name "${parameter.parameter_name ?? ''}" does not match the template`,
      );
    }
    values.set(name, wordsOf(where, parameter));
  }
  if (values.size < expected.length) throw new GraphError(132012, `${where}: a parameter name is given twice`);
  return values;
}

function wordsOf(where: string, parameter: SentParameter): string {
  const type = parameter.type.toLowerCase();
  if (type === 'currency' || type === 'date_time') {
    return (parameter[type] as { fallback_value?: string }).fallback_value ?? '';
  }
  if (type !== 'text')
    throw new GraphError(132012, `${where}: Format mismatch, expected TEXT, received ${type.toUpperCase()}`);
  checkWords(where, parameter.text ?? '');
  return parameter.text!;
}

function fitOffer(approved: readonly TemplateComponent[], sent: readonly SentComponent[], nowMs: number): void {
  const offer = part(approved, 'LIMITED_TIME_OFFER');
  const given = of(sent, 'limited_time_offer')?.parameters?.[0];
  if (!offer && given) throw new GraphError(132012, 'limited_time_offer: the template has no such component');
  if (!offer) return;
  const details = offer['limited_time_offer'] as { has_expiration?: boolean } | undefined;
  if (details?.has_expiration === false) return;
  if (!given) throw new GraphError(131008, 'limited_time_offer: expiration_time_ms is required');
  const until = Number(
    (given['limited_time_offer'] as { expiration_time_ms: unknown } | undefined)?.expiration_time_ms,
  );
  if (!(until > nowMs)) throw new GraphError(132018, 'limited_time_offer: expiration_time_ms must be in the future');
}

function fitCards(approved: TemplateComponent | undefined, sent: SentComponent | undefined, named: boolean): void {
  const [expected, given] = [approved?.cards ?? [], sent?.cards ?? []];
  if (expected.length !== given.length) {
    throw new GraphError(
      132000,
      `carousel: number of cards (${given.length}) does not match the expected number of cards (${expected.length})`,
    );
  }
  for (const [position, card] of expected.entries()) {
    const filled = given.find(({ card_index }) => Number(card_index) === position);
    if (!filled) throw new GraphError(132012, `carousel: there is no card with card_index ${position}`);
    fitComponents(card.components, filled.components, named);
  }
}

/** The code is given twice, in the body and in the button, and is at most 15 characters. */
function fitCode(sent: readonly SentComponent[]): void {
  const inBody = of(sent, 'body')?.parameters?.[0]?.text ?? '';
  const inButton = of(sent, 'button')?.parameters?.[0]?.text ?? '';
  if (inBody.length > 15) throw new GraphError(132018, 'body: the code must be at most 15 characters');
  if (inBody !== inButton) throw new GraphError(132012, 'buttons: the code must be the same in body and button');
}
