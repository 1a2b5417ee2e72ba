import type { TSchema } from 'typebox';
import { type JsonSchema, lazilyBySchema, plainSchema, typesOf } from './plain-schema.ts';

/** The value as its schema asks for it; one that cannot be read that way stays as it is, and is refused for what it is. */
type Coerce = (value: unknown) => unknown;

/**
 * Reads JSON as the Django REST Framework does: a number where a text is asked for becomes its digits, a text that reads as the
 * number or boolean that is asked for becomes that, and white space around texts goes. Objects and lists are changed in place;
 * free-form ones are left alone.
 */
export const coercion: (schema: TSchema) => Coerce = lazilyBySchema(
  (schema: TSchema) => coerceFor(plainSchema(schema)) ?? ((value: unknown) => value),
);

/** Null when there is nothing to read below this schema, so that it need not be walked. */
function coerceFor(schema: JsonSchema): Coerce | null {
  const union = schema.anyOf ?? (schema.discriminator ? undefined : schema.oneOf);
  if (schema.properties || schema.allOf || schema.discriminator) return objectCoerce(schema);
  if (union) return unionCoerce(union);
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length > 1) return null;
  const [type] = types;
  if (type === 'array') return listCoerce(schema);
  if (type === 'object') return recordCoerce(schema);
  const isChoice = schema.enum !== undefined || schema.const !== undefined;
  if (type === 'string' || (type === undefined && isChoice && ofTexts(schema)))
    return isChoice ? textOf : trimmedTextOf;
  return type === undefined || isChoice ? null : (scalars[type] ?? null);
}

const ofTexts = (schema: JsonSchema): boolean =>
  (schema.enum ?? [schema.const]).every((choice) => typeof choice === 'string' || choice === null);

/** Beyond 2^53 the digits that were written are lost already. */
const textOf: Coerce = (value) => (typeof value === 'number' && isExact(value) ? String(value) : value);
const isExact = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

const trimmedTextOf: Coerce = (value) => (typeof value === 'string' ? value.trim() : textOf(value));

const integerOf: Coerce = (value) =>
  typeof value === 'string' && /^\s*[+-]?\d{1,16}(\.0*)?\s*$/.test(value) ? Number(value) : value;

const numberOf: Coerce = (value) =>
  typeof value === 'string' && /^\s*[+-]?(\d{1,16}\.?\d{0,16}|\.\d{1,16})\s*$/.test(value) ? Number(value) : value;

const booleans = new Map<unknown, boolean>([
  ...['t', 'T', 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1', 1].map(
    (value) => [value, true] as const,
  ),
  ...['f', 'F', 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF', '0', 0].map(
    (value) => [value, false] as const,
  ),
]);
const booleanOf: Coerce = (value) => booleans.get(value) ?? value;

const scalars: Record<string, Coerce> = { integer: integerOf, number: numberOf, boolean: booleanOf };

/** Fields that are secret, which are kept exactly as they were typed. */
const verbatim = /password|secret/;

/** The fields an object may have, each with how it is read; when tagged, those that each tag brings. */
interface Shape {
  fields: Map<string, Coerce>;
  tag?: string;
  variants?: Map<unknown, Shape>;
}

function objectCoerce(schema: JsonSchema): Coerce | null {
  const shape = shapeOf(schema, new Map());
  if (shape.fields.size === 0 && !shape.variants) return null;
  return (value) => {
    if (!isObject(value)) return value;
    let meant: Shape | undefined = shape;
    while (meant?.tag !== undefined) meant = meant.variants?.get(value[meant.tag]) ?? { fields: meant.fields };
    if (!meant) return value;
    for (const name in value) {
      const given = value[name];
      const read = meant.fields.get(name)?.(given);
      if (read !== undefined && read !== given) value[name] = read;
    }
    return value;
  };
}

function shapeOf(schema: JsonSchema, outer: ReadonlyMap<string, Coerce>): Shape {
  const fields = new Map(outer);
  for (const part of partsOf(schema)) {
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const coerce = verbatim.test(name) ? null : coerceFor(field);
      if (coerce) fields.set(name, coerce);
    }
  }
  const tag = schema.discriminator?.propertyName;
  if (tag === undefined) return { fields };
  const variants = (schema.oneOf ?? []).map((variant): [unknown, Shape] => [
    variant.properties?.[tag]?.const,
    shapeOf(variant, fields),
  ]);
  return { fields, tag, variants: new Map(variants) };
}

const partsOf = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.allOf ?? []).flatMap(partsOf)];

/** Reads a value of a union as the one branch that could mean a value of that kind. */
function unionCoerce(branches: JsonSchema[]): Coerce | null {
  const kinds = branches.filter((branch) => branch.type !== 'null').map((branch) => [kindOf(branch), branch] as const);
  const only = (kind: string): Coerce | null => {
    const of = kinds.filter(([one]) => one === kind).map(([, branch]) => branch);
    const texts = of.filter((branch) => branch.const === undefined);
    return kind === 'string' && texts.length === 1 ? coerceFor(texts[0]!) : of.length === 1 ? coerceFor(of[0]!) : null;
  };
  const scalar = kinds.every(([kind]) => ['string', 'array', 'object'].includes(kind)) ? only('string') : null;
  const [list, object] = [only('array'), only('object')];
  if (!scalar && !list && !object) return null;
  return (value) => {
    if (Array.isArray(value)) return list ? list(value) : value;
    if (isObject(value)) return object ? object(value) : value;
    return scalar ? scalar(value) : value;
  };
}

function kindOf(schema: JsonSchema): string {
  if (schema.properties || schema.allOf || schema.discriminator) return 'object';
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 1) return types[0]!;
  return types.length === 0 && (schema.enum ?? schema.const) !== undefined && ofTexts(schema) ? 'string' : 'other';
}

function listCoerce({ items }: JsonSchema): Coerce | null {
  const each = typeof items === 'object' ? coerceFor(items) : null;
  if (!each) return null;
  return (value) => {
    if (!Array.isArray(value)) return value;
    for (let index = 0; index < value.length; index++) {
      const read = each(value[index]);
      if (read !== value[index]) value[index] = read;
    }
    return value;
  };
}

function recordCoerce({ additionalProperties }: JsonSchema): Coerce | null {
  const each = typeof additionalProperties === 'object' ? coerceFor(additionalProperties) : null;
  if (!each) return null;
  return (value) => {
    if (!isObject(value)) return value;
    for (const [name, item] of Object.entries(value)) {
      const read = each(item);
      if (read !== item)
        Object.defineProperty(value, name, { value: read, writable: true, enumerable: true, configurable: true });
    }
    return value;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
