import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, typesOf } from '../validation/plain-schema.ts';

const forTheValidatorOnly = /^(~|x-message$|x-alias-of$)/;
const holdsSchemasByName = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const holdsPlainData = new Set(['default', 'example', 'examples', 'const', 'enum', 'discriminator', 'required']);

export type Print = (schema: object, hint?: string) => JsonSchema;

/**
 * Prints schemas for the document. One whose title is a model's name moves to `models`, wherever it stands, and leaves a
 * reference behind. A union without a name gets one from where it stands (the hint): `header` of `Card` is `CardHeader`.
 */
export function schemaPrinter(descriptions: Descriptions = {}) {
  const models = new Map<string, JsonSchema>();

  const print: Print = (source, hint = '') => {
    const schema: JsonSchema = { ...source };
    if (isTagged(schema) && !isModel(schema) && hint !== '') return print({ ...schema, title: hint }, hint);
    if (!isModel(schema)) return printKeywords(schema, hint);
    if (acceptsNull(schema)) return { anyOf: [print(withoutNull(schema)), { type: 'null' }] };
    const printed = printKeywords(schema, schema.title);
    const known = models.get(schema.title);
    if (known && !isDeepStrictEqual(known, printed)) {
      throw new Error(`Two different schemas have the title "${schema.title}".`);
    }
    models.set(schema.title, printed);
    return { $ref: refTo(schema.title) };
  };

  const isDescribed = (field: JsonSchema): boolean => {
    const { $ref, description, anyOf } = field as JsonSchema & { $ref?: string };
    if (typeof description === 'string' && description !== '') return true;
    if ($ref !== undefined) return isDescribed(models.get($ref.split('/').at(-1)!) ?? {});
    return anyOf?.some(isDescribed) ?? false;
  };

  const printKeywords = (schema: JsonSchema, hint: string): JsonSchema =>
    Object.fromEntries(
      Object.entries(withPortablePattern(withTypedChoices(withNamedVariants(schema))))
        .filter(([keyword]) => !forTheValidatorOnly.test(keyword))
        .map(([keyword, value]) => [keyword, printKeyword(keyword, value, hint)]),
    );

  const printKeyword = (keyword: string, value: unknown, hint: string): unknown => {
    if (typeof value !== 'object' || value === null || holdsPlainData.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? print(item, hint) : item));
    if (!holdsSchemasByName.has(keyword)) return print(value, keyword === 'items' ? singular(hint) : hint);
    const fields = Object.entries(value).map(([name, schema]) => [name, print(schema, hint + inPascalCase(name))]);
    return describeFields(Object.fromEntries(fields), hint, { descriptions, isDescribed });
  };

  return { print, models };
}

/** `CardComponents` → `CardComponent`, `Addresses` → `Address` */
const singular = (hint: string): string => hint.replace(/(?<=ss)es$|(?<!s)s$/, '');

/** A choice of texts says so: many client generators read a list of values without a type as "anything". */
const withTypedChoices = (schema: JsonSchema): JsonSchema =>
  schema.type === undefined && schema.enum?.every((choice) => typeof choice === 'string')
    ? { type: 'string', ...schema }
    : schema;

/** Whether a field may be null beside a model. The model itself does not say so: then it can be used both ways. */
const acceptsNull = (schema: JsonSchema): boolean =>
  typesOf(schema).includes('null') || schema.enum?.includes(null) === true || schema.anyOf?.some(isNull) === true;

const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

function withoutNull(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema).filter((type) => type !== 'null');
  return {
    ...schema,
    ...(types.length > 0 && { type: types.length === 1 ? types[0]! : types }),
    ...(schema.enum && { enum: schema.enum.filter((choice) => choice !== null) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter((branch) => !isNull(branch)) }),
  };
}

export type Model = JsonSchema & { title: string };
const isModel = (schema: JsonSchema): schema is Model =>
  typeof schema['title'] === 'string' && /^[A-Z][A-Za-z0-9]+$/.test(schema['title']);

export const refTo = (title: string) => `#/components/schemas/${title}`;

const isTagged = ({ discriminator, oneOf }: JsonSchema): boolean => Boolean(discriminator && oneOf);

/**
 * A discriminator speaks of named schemas only (OpenAPI 3.1.1, 4.8.25), so the variants of a named union are named after
 * it: `text` of `Reply` is `ReplyText`. Each variant has the shared fields too: many client generators read nothing of a union but its
 * variants.
 */
function withNamedVariants(schema: JsonSchema): JsonSchema {
  const { discriminator, oneOf, type, properties, required, ...rest } = schema;
  if (!discriminator || !oneOf || !isModel(schema)) return schema;
  const tag = discriminator.propertyName;
  const variants = oneOf.map((variant): Model => {
    const name = String(variant.properties?.[tag]?.const);
    const whole = withFields(variant, { type, properties, required });
    if (isModel(variant) && variant.title !== name) return { ...whole, title: variant.title };
    return { ...whole, title: schema.title + inPascalCase(name) };
  });
  const mapping = Object.fromEntries(
    variants.map((variant) => [String(variant.properties?.[tag]?.const), refTo(variant.title)]),
  );
  return {
    ...rest,
    ...(type && { type }),
    oneOf: variants,
    discriminator: { propertyName: tag, mapping } as JsonSchema['discriminator'],
  };
}

/** The variant's fields with the shared ones; a field that the variant defines itself counts. */
function withFields(variant: JsonSchema, shared: { [K in keyof JsonSchema]?: JsonSchema[K] | undefined }): JsonSchema {
  if (!shared.properties) return variant;
  return {
    ...variant,
    type: variant.type ?? shared.type ?? 'object',
    properties: { ...shared.properties, ...variant.properties },
    required: [...new Set([...(shared.required ?? []), ...(variant.required ?? [])])],
  };
}

/**
 * What fields mean that say nothing themselves: by the model and the field (`Message.status`), or by the field alone where it means the
 * same everywhere.
 */
export type Descriptions = Readonly<Record<string, string>>;

/** The fields of a model, each with a description of its own, that of its model, or the one for all fields of its name. */
function describeFields(
  fields: Record<string, JsonSchema>,
  model: string,
  { descriptions, isDescribed }: { descriptions: Descriptions; isDescribed(field: JsonSchema): boolean },
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (isDescribed(field)) return [name, field];
      const description = descriptions[`${model}.${name}`] ?? ofTag(field) ?? descriptions[name];
      return [name, description === undefined ? field : { ...field, description }];
    }),
  );
}

/** A field that tells the variants of a union apart. */
const ofTag = ({ const: only }: JsonSchema): string | undefined =>
  typeof only === 'string' ? `Always \`${only}\`.` : undefined;

/**
 * Patterns as other languages read them too. JavaScript's word for any character, `[^]`, is written out. Classes of Unicode
 * characters (`\p{…}`, `\u{…}`) are known to few, and Python's `re` refuses them: such a pattern is checked by the server alone, and
 * the description says what it asks for.
 */
function withPortablePattern(schema: JsonSchema): JsonSchema {
  const { pattern, ...rest } = schema;
  if (typeof pattern !== 'string') return schema;
  if (!/\\[pu]\{/i.test(pattern)) return { ...schema, pattern: pattern.replaceAll('[^]', '[\\s\\S]') };
  return rest['description'] || !rest['x-message'] ? rest : { ...rest, description: rest['x-message'] };
}

/** `chatapp.message_status` → `ChatappMessageStatus` */
export const inPascalCase = (text: string): string =>
  text.replaceAll(
    /[^A-Za-z0-9]*([A-Za-z0-9])([A-Za-z0-9]*)/g,
    (_, first, rest) => first.toUpperCase() + rest.toLowerCase(),
  );
