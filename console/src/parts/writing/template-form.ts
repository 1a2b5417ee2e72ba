import { type Fields, inside, listOf, textOf } from '../../api/fields.ts';
import type { Schema } from '../../api/types.ts';
import { namesIn } from './fill.ts';

type Component = Schema<'TemplateComponent'>;
export type Definition = Pick<
  Schema<'MessageTemplate'>,
  'name' | 'components' | 'parameter_format' | 'status' | 'language_code'
>;
type HeaderKind = 'none' | 'text' | 'image' | 'video' | 'document';

/** A template and what fills it, while it is edited. */
export interface TemplateForm {
  name: string;
  header: { kind: HeaderKind; text: string; url: string; media_uuid: string; parameter_name: string };
  body: { text: string; parameter_name: string }[];
  buttons: { index: number; sub_type: ButtonKind; text: string; kept: unknown }[];
  /** Components that the editor has no fields for, as JSON. */
  rest: string;
}
export type ButtonKind = 'url' | 'quick_reply' | 'flow' | 'copy_code';

export const blankTemplate = (name = ''): TemplateForm => ({
  name,
  header: { kind: 'none', text: '', url: '', media_uuid: '', parameter_name: '' },
  body: [],
  buttons: [],
  rest: '',
});

const fileKinds: readonly string[] = ['image', 'video', 'document'];

/** Stored components, to be edited; `params` are the body's texts where there is no body component. */
export function templateFormOf(
  name: string,
  components: readonly Component[],
  params: readonly string[] = [],
): TemplateForm {
  const form = blankTemplate(name);
  const rest: Component[] = [];
  for (const component of components) if (!take(form, component as unknown as Fields)) rest.push(component);
  if (form.body.length === 0) form.body = params.map((text) => ({ text, parameter_name: '' }));
  if (rest.length > 0) form.rest = JSON.stringify(rest, null, 2);
  return form;
}

/** Takes a component into the form, if it has fields for it. */
function take(form: TemplateForm, component: Fields): boolean {
  const parameters = listOf(component['parameters']);
  const [first = {}] = parameters;
  const kind = textOf(first['type']);
  switch (component['type']) {
    case 'body':
      if (parameters.some((one) => one['type'] !== 'text')) return false;
      form.body = parameters.map((one) => ({
        text: textOf(one['text']),
        parameter_name: textOf(one['parameter_name']),
      }));
      return true;
    case 'header': {
      if (kind !== 'text' && !fileKinds.includes(kind)) return false;
      const file = inside(first[kind]);
      if ('filename' in file) return false;
      form.header = {
        kind: kind as HeaderKind,
        text: textOf(first['text']),
        url: textOf(file['url']),
        media_uuid: textOf(file['media_uuid']),
        parameter_name: textOf(first['parameter_name']),
      };
      return true;
    }
    case 'button': {
      const text = textOf(first['text'] ?? first['payload'] ?? first['coupon_code']);
      const { index, sub_type } = component as { index: number; sub_type: ButtonKind };
      form.buttons.push({ index, sub_type, text, kept: first['action'] });
      return true;
    }
    default:
      return false;
  }
}

/** One component for the API, and the place in the form that its errors belong to. */
interface Built {
  component: Fields;
  at(path: string): string;
}

function builtOf({ header, body, buttons, rest }: TemplateForm): Built[] {
  const built: Built[] = [];
  const name = (parameter_name: string) => (parameter_name ? { parameter_name } : {});
  if (header.kind === 'text') {
    const parameter = { type: 'text', text: header.text, ...name(header.parameter_name) };
    built.push({ component: { type: 'header', parameters: [parameter] }, at: () => 'header.text' });
  } else if (header.kind !== 'none') {
    const file = header.media_uuid ? { media_uuid: header.media_uuid } : { url: header.url };
    const parameter = { type: header.kind, [header.kind]: file };
    built.push({ component: { type: 'header', parameters: [parameter] }, at: () => 'header.url' });
  }
  if (body.length > 0) {
    const parameters = body.map(({ text, parameter_name }) => ({ type: 'text', text, ...name(parameter_name) }));
    built.push({ component: { type: 'body', parameters }, at: (path) => `body.${/\d+/.exec(path)?.[0] ?? 0}.text` });
  }
  for (const [position, { index, sub_type, text, kept }] of buttons.entries()) {
    const parameters = buttonParameters(sub_type, text, kept);
    if (!parameters) continue;
    built.push({ component: { type: 'button', sub_type, index, parameters }, at: () => `buttons.${position}.text` });
  }
  for (const component of restOf(rest)) built.push({ component, at: () => 'rest' });
  return built;
}

function buttonParameters(kind: ButtonKind, text: string, kept: unknown): Fields[] | undefined {
  if (kind === 'flow') return [{ type: 'action', action: kept ?? { flow_token: '' } }];
  // A payload may be left out; the button's words are then what comes back.
  if (kind === 'quick_reply') return text ? [{ type: 'payload', payload: text }] : undefined;
  return kind === 'url' ? [{ type: 'text', text }] : [{ type: 'coupon_code', coupon_code: text }];
}

/** The components in the JSON; nothing for what is none, which the form refuses to send. */
export function restOf(rest: string): Fields[] {
  try {
    return rest.trim() === '' ? [] : listOf(JSON.parse(rest));
  } catch {
    return [];
  }
}

export const componentsOf = (form: TemplateForm): Component[] =>
  builtOf(form).map(({ component }) => component as unknown as Component);

/** Where the API's complaint about `…components.2.parameters.0.text` belongs in the form. */
export function templatePath(form: TemplateForm, path: string): string {
  const [, index = '', rest = ''] = /^(\d+)\.?(.*)$/.exec(path) ?? [];
  return builtOf(form)[Number(index)]?.at(rest) ?? 'name';
}

/** The same form with a place for everything that the template wants, and with nothing that it does not have. */
export function shapeFor(form: TemplateForm, definition: Definition | undefined): TemplateForm {
  if (!definition || definition.components.length === 0) return form;
  const parts = definition.components.map(inside);
  const part = (type: string) => parts.find((one) => textOf(one['type']).toUpperCase() === type);
  const header = part('HEADER');
  const format = textOf(header?.['format']).toLowerCase();
  const [headerName] = namesIn([textOf(header?.['text'])]);
  const named = definition.parameter_format === 'NAMED';
  const kind: HeaderKind = fileKinds.includes(format)
    ? (format as HeaderKind)
    : headerName === undefined
      ? 'none'
      : 'text';
  return {
    ...form,
    header: { ...form.header, kind, parameter_name: named ? (headerName ?? '') : '' },
    body: namesIn([textOf(part('BODY')?.['text'])]).map((name, index) => ({
      text: (named ? form.body.find((one) => one.parameter_name === name) : form.body[index])?.text ?? '',
      parameter_name: named ? name : '',
    })),
    buttons: listOf(part('BUTTONS')?.['buttons']).flatMap((button, index) => {
      const sub_type = buttonKind(button);
      const before = form.buttons.find((one) => one.index === index && one.sub_type === sub_type);
      return sub_type ? [before ?? { index, sub_type, text: '', kept: undefined }] : [];
    }),
  };
}

function buttonKind(button: Fields): ButtonKind | undefined {
  const kind = textOf(button['type']).toUpperCase();
  if (kind === 'URL') return namesIn([textOf(button['url'])]).length > 0 ? 'url' : undefined;
  const kinds: Record<string, ButtonKind> = { QUICK_REPLY: 'quick_reply', FLOW: 'flow', COPY_CODE: 'copy_code' };
  return kinds[kind];
}
