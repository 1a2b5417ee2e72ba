import type { Body, Schema } from '../../api/index.ts';

export interface AttributeRow {
  name: string;
  kind: 'text' | 'number' | 'boolean';
  value: string;
}

/** A contact as its form holds it. */
export interface ContactValues {
  phone_number: string;
  name: string;
  language_code: string;
  time_zone: string;
  lists: string[];
  attributes: AttributeRow[];
}

const kindOf = (value: unknown): AttributeRow['kind'] =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';

export function valuesOf(contact?: Schema<'Contact'>): ContactValues {
  const { phone_number = '', name = '', language_code = '', time_zone = '', lists = [] } = contact ?? {};
  const attributes = Object.entries(contact?.attributes ?? {}).map(([label, value]) => ({
    name: label,
    kind: kindOf(value),
    value: String(value),
  }));
  return { phone_number, name, language_code, time_zone, lists, attributes };
}

/** What the API takes of it. Rows without a name say nothing. */
export function bodyOf({ attributes, ...rest }: ContactValues): Body<'/v2/contacts/', 'post'> {
  const named = attributes.filter(({ name }) => name.trim() !== '');
  return { ...rest, attributes: Object.fromEntries(named.map((row) => [row.name.trim(), read(row)])) };
}

function read({ kind, value }: AttributeRow): string | number | boolean {
  if (kind === 'boolean') return value === 'true';
  return kind === 'number' ? Number(value) : value;
}

/** What only the form can know to be wrong. */
export const checks = {
  attributes: {
    value: (value: string, { attributes }: ContactValues, path: string) =>
      attributes[Number(path.split('.')[1])]?.kind === 'number' && (!value.trim() || Number.isNaN(Number(value)))
        ? 'Enter a number.'
        : null,
    name: (name: string, { attributes }: ContactValues) =>
      name.trim() && attributes.filter((other) => other.name.trim() === name.trim()).length > 1
        ? 'There are two of this name.'
        : null,
  },
};
