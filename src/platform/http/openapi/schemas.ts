import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, typesOf } from '../validation/schemas/plain-schema.ts';
import { type Descriptions, describeFields } from './descriptions.ts';
import { inPascalCase } from './names.ts';
import { withPortablePattern } from './patterns.ts';
import { isModel, isTagged, refTo, withNamedVariants } from './unions.ts';

export { refTo } from './unions.ts';

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
