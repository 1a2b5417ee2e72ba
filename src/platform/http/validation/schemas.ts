import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
  Type,
} from 'typebox';
import { type JsonSchema, orNull } from './plain-schema.ts';

/** The value or null, written as OpenAPI 3.1 does: `type: ["string", "null"]`. Optional goes around it, not inside. */
export const nullable = <T extends TSchema>(schema: T): TUnsafe<Static<T> | null> => Type.Unsafe(orNull(schema));

/** Free keys, one kind of value. `Type.Record` says it with a pattern, which misses keys that hold a line break. */
export const record = <T extends TSchema>(
  values: T,
  options: TSchemaOptions = {},
): TUnsafe<Record<string, Static<T>>> => Type.Unsafe({ ...options, type: 'object', additionalProperties: values });

/** A variant's fields, or a schema that has them. */
type Variants = Record<string, TProperties | TObject | TUnsafe<object>>;
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;
type Fields<V> = V extends TObject | TUnsafe<object> ? Static<V> : V extends TProperties ? Static<TObject<V>> : never;

/** What a tagged schema validates: the shared fields, the tag, and the fields which that tag brings. */
export type Tagged<Tag extends string, Shared extends TProperties, V extends Variants> = {
  [Name in keyof V & string]: Flat<Static<TObject<Shared>> & { [T in Tag]: Name } & Fields<V[Name]>>;
}[keyof V & string];

/**
 * A union told apart by one field. The shared fields stand outside the `oneOf`, so that they are checked whatever the
 * tag is; the tag then selects the one variant whose errors are worth reading. A variant may itself be tagged:
 * `tagged('type', {}, { body: {…}, button: tagged('sub_type', {…}, {…}) })`.
 */
export function tagged<Tag extends string, Shared extends TProperties, V extends Variants>(
  tag: Tag,
  shared: Shared,
  variants: V,
  options: TSchemaOptions = {},
): TUnsafe<Tagged<Tag, Shared, V>> {
  const names = Object.keys(variants);
  return Type.Unsafe({
    ...options,
    ...withTag(tag, { type: 'string', enum: names }, Type.Object(shared)),
    discriminator: { propertyName: tag },
    oneOf: names.map((name) => {
      const variant = variants[name]!;
      const schema = isSchema(variant) ? variant : Type.Object(variant as TProperties);
      return { title: name, ...withTag(tag, { type: 'string', const: name }, schema) };
    }),
  });
}

const isSchema = (variant: object): boolean => '~kind' in variant || '~unsafe' in variant;

function withTag(tag: string, tagSchema: JsonSchema, source: object): JsonSchema {
  const schema: JsonSchema = { ...source };
  return {
    ...schema,
    // Named twice: to come first, and to win over a field of the same name.
    properties: { [tag]: tagSchema, ...schema.properties, [tag]: tagSchema },
    required: [...new Set([tag, ...(schema.required ?? [])])],
  };
}

/** One of the fields and no other; when none is given, the first is asked for. */
export function exactlyOne(names: string[], fields: TObject): TSchema {
  const sentence = `Give ${names.join(' or ')}, not ${names.length === 2 ? 'both' : 'several'}.`;
  const absent = { not: {}, 'x-message': sentence };
  const [first, ...others] = names;
  const choice = others.reduceRight<object>((otherwise, name) => {
    const rivals = names.filter((rival) => rival !== name).map((rival) => [rival, absent]);
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { if: has(name), then: { properties: Object.fromEntries(rivals) }, else: otherwise };
  }, has(first!));
  return Type.Unsafe({ ...fields, ...choice });
}

/** A condition: the field is there. */
export function has(field: string) {
  return { type: 'object', properties: { [field]: {} }, required: [field] };
}
