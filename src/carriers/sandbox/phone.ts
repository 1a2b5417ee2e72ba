import type { PhoneMessage } from './schemas.ts';

interface Parameter {
  type: string;
  text?: string;
  [key: string]: unknown;
}

interface Component {
  type: string;
  sub_type?: string;
  index?: number;
  parameters?: Parameter[];
}

interface PhoneRow {
  uuid: string;
  chatapp_number: string;
  type: string;
  content: unknown;
  created: string;
}

/** A message as the person at the other end sees it. A template known by name alone shows its name and what fills it. */
export function presentOnPhone(row: PhoneRow): PhoneMessage {
  const content = row.content as {
    components?: Component[];
    contacts?: Record<string, unknown>[];
    template_name?: string;
  };
  const components = content.components ?? [];
  const contacts = content.contacts ?? [];
  const body = components.find((component) => component.type === 'body');
  const filled = (body?.parameters ?? []).map((parameter) => parameter.text ?? '');
  return {
    uuid: row.uuid,
    direction: 'OUTBOUND',
    chatapp_number: row.chatapp_number,
    type: row.type,
    header: components.find((component) => component.type === 'header')?.parameters?.[0] ?? null,
    text: content.template_name ? [content.template_name, ...filled].join('\n') : contacts.map(nameOf).join(', '),
    buttons: components.filter((component) => component.type === 'button').map(presentButton),
    contacts,
    created: row.created,
  };
}

const nameOf = (contact: Record<string, unknown>): string =>
  (contact['name'] as { formatted_name?: string } | undefined)?.formatted_name ?? '';

function presentButton({ sub_type = '', index = 0, parameters = [] }: Component) {
  const { type, text, payload, coupon_code } = (parameters[0] ?? { type: '' }) as Parameter & Record<string, string>;
  const value = type === 'action' ? '' : (text ?? payload ?? coupon_code ?? '');
  return { type: sub_type, title: `Button ${index + 1}`, value };
}
