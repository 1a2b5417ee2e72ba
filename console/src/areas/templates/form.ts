import { type Body, type Fields, inside, listOf, textOf } from '../../api/index.ts';
import { gapsIn } from '../../parts/bubble/index.ts';
import type { Template } from '../../parts/messages/use-definitions.ts';
import { compact } from '../../parts/messages/use-senders.ts';
import { type ButtonForm, buttonFormOf, buttonOf } from './button-form.ts';

export type Create = Body<'/v2/chatapp/message-templates/', 'post'>;
export type HeaderFormat = 'NONE' | 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION';

/** A template while it is written: all fields of all kinds, so that changing the kind loses nothing. */
export interface TemplateEdit {
  chatapp_number: string;
  name: string;
  language_code: string;
  category: Create['category'];
  parameter_format: 'POSITIONAL' | 'NAMED';
  header: { format: HeaderFormat; text: string; example: string; media_uuid: string; handle: string };
  /** Examples by the name of the gap; `g1` for `{{1}}`. */
  body: { text: string; examples: Record<string, string>; add_security_recommendation: boolean };
  footer: { text: string; code_expiration_minutes: number | string };
  buttons: ButtonForm[];
  /** Components that the editor has no fields for, as JSON. */
  rest: string;
}

/** Names of gaps may be numbers, which a form would take for places in a list. */
export const exampleKey = (gap: string): string => `g${gap}`;

export const blankEdit = (given: Partial<TemplateEdit> = {}): TemplateEdit => ({
  chatapp_number: '',
  name: '',
  language_code: 'en_GB',
  category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  header: { format: 'NONE', text: '', example: '', media_uuid: '', handle: '' },
  body: { text: '', examples: {}, add_security_recommendation: true },
  footer: { text: '', code_expiration_minutes: 10 },
  buttons: [],
  rest: '',
  ...given,
});

export function editOf(template: Template): TemplateEdit {
  const parts = template.components.map(inside);
  const part = (type: string): Fields => parts.find((one) => textOf(one['type']).toUpperCase() === type) ?? {};
  const [header, body, footer] = [part('HEADER'), part('BODY'), part('FOOTER')];
  const known = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];
  const rest = parts.filter((one) => !known.includes(textOf(one['type']).toUpperCase()));
  const blank = blankEdit();
  const [headerExample = ''] = examplesIn(header, 'header').values();
  return {
    ...blank,
    chatapp_number: compact(template.chatapp_number),
    name: template.name,
    language_code: template.language_code,
    category: (template.category ?? 'UTILITY') as Create['category'],
    parameter_format: template.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    header: {
      format: (textOf(header['format']) || 'NONE') as HeaderFormat,
      text: textOf(header['text']),
      example: headerExample,
      media_uuid: textOf(header['media_uuid']),
      handle: firstText(inside(header['example'])['header_handle']),
    },
    body: {
      text: textOf(body['text']),
      examples: Object.fromEntries([...examplesIn(body, 'body')].map(([gap, text]) => [exampleKey(gap), text])),
      add_security_recommendation: body['add_security_recommendation'] === true,
    },
    footer: {
      text: textOf(footer['text']),
      code_expiration_minutes: (footer['code_expiration_minutes'] as number | undefined) ?? '',
    },
    buttons: listOf(part('BUTTONS')['buttons']).map(buttonFormOf),
    rest: rest.length > 0 ? JSON.stringify(rest, null, 2) : '',
  };
}

const firstText = (value: unknown): string => (Array.isArray(value) ? textOf(value[0]) : '');

function examplesIn(part: Fields, name: 'header' | 'body'): Map<string, string> {
  const example = inside(part['example']);
  const named = listOf(example[`${name}_text_named_params`]);
  if (named.length > 0) return new Map(named.map((one) => [textOf(one['param_name']), textOf(one['example'])]));
  const texts: unknown =
    name === 'body' ? (example['body_text'] as unknown[] | undefined)?.[0] : example['header_text'];
  return new Map((Array.isArray(texts) ? texts : []).map((text: unknown, index) => [String(index + 1), textOf(text)]));
}

/** One component for the API, and the place in the form where its errors belong. */
interface Built {
  component: Fields;
  at(path: string): string;
}

function exampleOf(name: 'header' | 'body', gaps: string[], values: string[], named: boolean): Fields {
  if (gaps.length === 0 || values.every((value) => value === '')) return {};
  if (named)
    return {
      example: {
        [`${name}_text_named_params`]: gaps.map((gap, index) => ({ param_name: gap, example: values[index] })),
      },
    };
  return { example: { [`${name}_text`]: name === 'body' ? [values] : values } };
}

function builtOf(edit: TemplateEdit): Built[] {
  const { category, header, body, footer, buttons } = edit;
  const isCode = category === 'AUTHENTICATION';
  const named = edit.parameter_format === 'NAMED';
  const built: Built[] = [];
  const add = (component: Fields, at: Built['at']) => built.push({ component, at });
  if (header.format !== 'NONE' && !isCode) add(headerOf(edit), (path) => headerPath(path, header.format));
  const gaps = gapsIn(body.text);
  const values = gaps.map((gap) => body.examples[exampleKey(gap)] ?? '');
  const words = { text: body.text, ...exampleOf('body', gaps, values, named) };
  add(
    { type: 'BODY', ...(isCode ? { add_security_recommendation: body.add_security_recommendation } : words) },
    (path) => (path.startsWith('example') ? `body.examples.${exampleKey(gaps[0] ?? '1')}` : 'body.text'),
  );
  const minutes = footer.code_expiration_minutes;
  if (isCode && minutes !== '')
    add({ type: 'FOOTER', code_expiration_minutes: minutes }, () => 'footer.code_expiration_minutes');
  if (!isCode && footer.text !== '') add({ type: 'FOOTER', text: footer.text }, () => 'footer.text');
  const sent = buttons.filter(({ type }) => (type === 'OTP') === isCode);
  if (sent.length > 0)
    add({ type: 'BUTTONS', buttons: sent.map(buttonOf) }, (path) => {
      const [, index, field] = /^buttons\.(\d+)\.?(\w*)/.exec(path) ?? [];
      return index === undefined ? 'buttons' : `buttons.${buttons.indexOf(sent[Number(index)]!)}.${field || 'type'}`;
    });
  if (!isCode) for (const component of restOf(edit.rest)) add(component, () => 'rest');
  return built;
}

function headerOf({ header: { format, text, example, media_uuid, handle }, parameter_format }: TemplateEdit): Fields {
  if (format === 'LOCATION') return { type: 'HEADER', format };
  if (format === 'TEXT') {
    const more = exampleOf('header', gapsIn(text), [example], parameter_format === 'NAMED');
    return { type: 'HEADER', format, text, ...more };
  }
  const sample = media_uuid ? { media_uuid } : handle ? { example: { header_handle: [handle] } } : {};
  return { type: 'HEADER', format, ...sample };
}

const headerPath = (path: string, format: HeaderFormat): string =>
  format !== 'TEXT' ? 'header.media_uuid' : path.startsWith('example') ? 'header.example' : 'header.text';

function restOf(rest: string): Fields[] {
  try {
    return rest.trim() === '' ? [] : listOf(JSON.parse(rest));
  } catch {
    return [];
  }
}

export const componentsOf = (edit: TemplateEdit): Fields[] => builtOf(edit).map(({ component }) => component);

/** Where the API's complaint belongs in the form. */
export function fieldOf(path: string, edit: TemplateEdit): string {
  const [, index, rest = ''] = /^components\.(\d+)\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return path === 'components' ? 'body.text' : path;
  return builtOf(edit)[Number(index)]?.at(rest) ?? 'body.text';
}
