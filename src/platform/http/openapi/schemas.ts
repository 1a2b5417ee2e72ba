import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, typesOf } from '../validation/schemas/plain-schema.ts';
import { inPascalCase } from './names.ts';

const forTheValidatorOnly = /^(~|x-message$|x-alias-of$)/;
const holdsSchemasByName = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const holdsPlainData = new Set(['default', 'example', 'examples', 'const', 'enum', 'discriminator']);

type Model = JsonSchema & { title: string };
const isModel = (schema: JsonSchema): schema is Model =>
  typeof schema['title'] === 'string' && /^[A-Z][A-Za-z0-9]+$/.test(schema['title']);

export const refTo = (title: string) => `#/components/schemas/${title}`;

/**
 * Prints schemas for the document. One whose title is a model's name moves to `models`, wherever it stands, and leaves a
 * reference behind.
 */
export function schemaPrinter() {
  const models = new Map<string, JsonSchema>();

  const print = (source: object): JsonSchema => {
    const schema: JsonSchema = { ...source };
    if (!isModel(schema)) return printKeywords(schema);
    if (acceptsNull(schema)) return { anyOf: [print(withoutNull(schema)), { type: 'null' }] };
    const printed = printKeywords(schema);
    const known = models.get(schema.title);
    if (known && !isDeepStrictEqual(known, printed)) {
      throw new Error(`Two different schemas have the title "${schema.title}".`);
    }
    models.set(schema.title, printed);
    return { $ref: refTo(schema.title) };
  };

  const printKeywords = (schema: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(withTypedChoices(withNamedVariants(schema)))
        .filter(([keyword]) => !forTheValidatorOnly.test(keyword))
        .map(([keyword, value]) => [keyword, printKeyword(keyword, value)]),
    );

  const printKeyword = (keyword: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || holdsPlainData.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? print(item) : item));
    if (!holdsSchemasByName.has(keyword)) return print(value);
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, print(schema)]));
  };

  return { print, models };
}

/** A choice of texts says so: many client generators read a list of values without a type as "anything". */
const withTypedChoices = (schema: JsonSchema): JsonSchema =>
  schema.type === undefined && schema.enum?.every((choice) => typeof choice === 'string')
    ? { type: 'string', ...schema }
    : schema;

/** The reference says the type, so null is said beside it: one model then serves both uses. */
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

/**
 * A discriminator speaks of named schemas only (OpenAPI 3.1.1, 4.8.25), so the variants of a named union are named after
 * it: `text` of `Reply` is `ReplyText`. In a union without a name the tag's value is a label, not a model's name.
 */
function withNamedVariants(schema: JsonSchema): JsonSchema {
  const { discriminator, oneOf } = schema;
  if (!discriminator || !oneOf) return schema;
  const tag = discriminator.propertyName;
  const tagOf = (variant: JsonSchema) => String(variant.properties?.[tag]?.const);
  const variants = oneOf.map((variant) => {
    if (isModel(variant) && variant.title !== tagOf(variant)) return variant;
    const title = isModel(schema) ? schema.title + inPascalCase(tagOf(variant)) : `${tag} ${tagOf(variant)}`;
    return { ...variant, title };
  });
  if (!variants.every(isModel)) return { ...schema, oneOf: variants };
  const mapping = Object.fromEntries(variants.map((variant) => [tagOf(variant), refTo(variant.title)]));
  return { ...schema, oneOf: variants, discriminator: { propertyName: tag, mapping } as JsonSchema['discriminator'] };
}
