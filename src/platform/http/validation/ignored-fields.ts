import type { TSchema } from 'typebox';
import { type JsonSchema, lazilyBySchema, plainSchema, typesOf } from './plain-schema.ts';

/** Removes what a schema does not know from a value, and names it; undefined, the usual case, when there is nothing. */
type Scrub = (value: unknown) => string[] | undefined;

/** The fields an object may have, with the scrub of each; when tagged, the fields that each tag brings. */
interface Shape {
  fields: Map<string, Scrub | null>;
  /** Takes fields that it does not name. */
  isOpen: boolean;
  tag?: string;
  variants?: Map<unknown, Shape>;
  /** A shape that depends on the object's own values. */
  choice?: { isFirst(value: unknown): boolean; first: Shape; other: Shape };
}

/**
 * Names the fields that the schema does not know, as dotted paths, and removes them. Free-form objects are left alone,
 * as is whatever the validator would refuse.
 */
export const ignoredFields: (schema: TSchema) => (body: unknown) => string[] = lazilyBySchema((schema: TSchema) => {
  const scrub = scrubFor(plainSchema(schema));
  return (body: unknown) => scrub?.(body) ?? [];
});

/** Null when nothing can be unknown below this schema, so that it need not be walked. */
function scrubFor(schema: JsonSchema): Scrub | null {
  if (schema.properties || schema.allOf || conditionIn(schema)) return objectScrub(shapeOf(schema));
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return onlyOne(union.map(scrubFor));
  const each = schema.additionalProperties ?? schema.items;
  const scrub = typeof each === 'object' ? scrubFor(each) : null;
  if (!scrub) return null;
  return typesOf(schema).includes('array') ? listScrub(scrub) : recordScrub(scrub);
}

/** The scrub of an untagged union: it is unknown which variant is meant, so there is one only if a single variant has fields. */
function onlyOne(scrubs: (Scrub | null)[]): Scrub | null {
  const some = scrubs.filter((scrub) => scrub !== null);
  return some.length === 1 ? some[0]! : null;
}

function shapeOf(schema: JsonSchema, outer: Shape = { fields: new Map(), isOpen: false }): Shape {
  const parts = partsOf(schema);
  const fields = new Map(outer.fields);
  for (const part of parts) {
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      // A condition may name a field again without describing it.
      fields.set(name, scrubFor(field) ?? fields.get(name) ?? null);
    }
  }
  const tag = schema.discriminator?.propertyName;
  const shape: Shape = { fields, isOpen: outer.isOpen || parts.some((part) => takesMore(part, tag !== undefined)) };
  const isFirst = conditionIn(schema);
  if (isFirst) {
    const branch = (of: 'then' | 'else') => shapeOf((schema[of] as JsonSchema | undefined) ?? {}, shape);
    return { ...shape, choice: { isFirst, first: branch('then'), other: branch('else') } };
  }
  if (tag === undefined) return shape;
  const variants = (schema.oneOf ?? []).map((variant): [unknown, Shape] => [
    variant.properties?.[tag]?.const,
    shapeOf(variant, shape),
  ]);
  return { ...shape, tag, variants: new Map(variants) };
}

/** The condition of an object whose further fields depend on it, if it can be understood. */
const conditionIn = (schema: JsonSchema) =>
  schema['if'] && !schema.discriminator && !typesOf(schema).includes('array')
    ? conditionOf(schema['if'] as JsonSchema)
    : undefined;

const partsOf = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.allOf ?? []).flatMap(partsOf)];

/** Whether keywords may allow fields beyond `properties`; then unknown fields are left alone. */
const takesMore = (schema: JsonSchema, isTagged: boolean): boolean =>
  (schema.additionalProperties ?? false) !== false ||
  ['patternProperties', 'anyOf', 'dependentSchemas'].some((keyword) => keyword in schema) ||
  (['then', 'else'].some((keyword) => keyword in schema) && !conditionIn(schema)) ||
  (schema.oneOf !== undefined && !isTagged);

function objectScrub(shape: Shape): Scrub {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const object = value as Record<string, unknown>;
    const meant = shapeFor(shape, object);
    if (!meant) return undefined;
    let found: string[] | undefined;
    for (const key in object) {
      const scrub = meant.fields.get(key);
      if (scrub) found = join(found, key, scrub(object[key]));
      else if (scrub === undefined && !meant.isOpen) {
        delete object[key];
        found = join(found, key, ['']);
      }
    }
    return found;
  };
}

function shapeFor(shape: Shape, object: Record<string, unknown>): Shape | undefined {
  let meant: Shape | undefined = shape;
  while (meant?.tag !== undefined || meant?.choice) {
    if (meant.choice) meant = meant.choice.isFirst(object) ? meant.choice.first : meant.choice.other;
    else meant = meant.variants?.get(object[meant.tag!]);
  }
  return meant;
}

const listScrub =
  (scrub: Scrub): Scrub =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    let found: string[] | undefined;
    for (let index = 0; index < value.length; index++) found = join(found, index, scrub(value[index]));
    return found;
  };

const recordScrub =
  (scrub: Scrub): Scrub =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    let found: string[] | undefined;
    for (const [key, each] of Object.entries(value)) found = join(found, key, scrub(each));
    return found;
  };

/** Adds the paths below `key`; an empty one stands for the key itself. */
function join(found: string[] | undefined, key: string | number, below: string[] | undefined): string[] | undefined {
  if (!below) return found;
  const all = found ?? [];
  for (const path of below) all.push(path === '' ? String(key) : `${key}.${path}`);
  return all;
}

const mostNames = 20;
const longestName = 100;
const longestList = 1_000;

/** The paths as a header's value: what is not visible ASCII is percent-encoded, and a long list is cut short. */
export function headerList(paths: string[]): string {
  let list = '';
  for (const path of paths.slice(0, mostNames)) {
    const name = path
      .slice(0, longestName)
      .toWellFormed()
      .replace(/[^\x21-\x7e]|[,%]/gu, encodeURIComponent);
    const longer = list === '' ? name : `${list}, ${name}`;
    if (longer.length > longestList) break;
    list = longer;
  }
  return list;
}

const understood = new Set(['type', 'const', 'properties', 'required', 'anyOf', 'not', 'x-message']);

/** A condition (`if`) of a schema as a function; undefined where it has keywords that are not understood here. */
function conditionOf(schema: JsonSchema): Condition | undefined {
  return isUnderstood(schema) ? compiled(schema) : undefined;
}

type Condition = (value: unknown) => boolean;

const isUnderstood = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((keyword) => understood.has(keyword)) && conditionsIn(schema).every(isUnderstood);

const conditionsIn = ({ properties = {}, anyOf = [], not }: JsonSchema): JsonSchema[] => [
  ...Object.values(properties),
  ...anyOf,
  ...(not ? [not as JsonSchema] : []),
];

/** The schema is read once: conditions are asked for every part of every message. */
function compiled(schema: JsonSchema): Condition {
  const types = typesOf(schema);
  const { required = [], const: only } = schema;
  const hasConst = 'const' in schema;
  const anyOf = schema.anyOf?.map(compiled);
  const not = schema['not'] ? compiled(schema['not'] as JsonSchema) : undefined;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, compiled(field)] as const);
  return (value) => {
    const type = typeOf(value);
    if (types.length > 0 && !types.includes(type)) return false;
    if (hasConst && only !== value) return false;
    if (anyOf && !anyOf.some((branch) => branch(value))) return false;
    if (not?.(value)) return false;
    if (type !== 'object') return true;
    const object = value as Record<string, unknown>;
    return (
      required.every((name) => Object.hasOwn(object, name)) &&
      fields.every(([name, holds]) => !Object.hasOwn(object, name) || holds(object[name]))
    );
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
