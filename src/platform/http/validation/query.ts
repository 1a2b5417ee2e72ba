import { type Static, type TSchema, Type } from 'typebox';
import type { FieldErrors } from '../../errors.ts';
import { withCountry } from '../../phone.ts';
import { bodyValidator } from './body.ts';
import { type JsonSchema, lazilyBySchema, plainSchema, typesOf } from './plain-schema.ts';
import { unstorable } from './unstorable.ts';

/** A filter under the name that the resource itself has for it: it means the same as the one it is an alias of. */
export const aliasOf = <T extends TSchema>(name: string, field: T) =>
  Type.Optional(Type.Unsafe<Static<T>>({ ...field, [aliasKeyword]: name, description: `The same as \`${name}\`.` }));
const aliasKeyword = 'x-alias-of';

export interface QueryResult<T> {
  value: T;
  errors?: FieldErrors | undefined;
}

/**
 * Compiles the schema of a query string or of path parameters: a flat object. Text becomes what the schema asks for,
 * lists may be repeated or comma-separated, an empty value counts as absent, and defaults are filled in. A telephone number
 * that is written without its country gets that of the account.
 */
export function queryValidator<T extends TSchema>(schema: T): QueryValidator<T> {
  return validatorOf(schema) as QueryValidator<T>;
}

type QueryValidator<T extends TSchema> = (query: unknown, country?: string) => QueryResult<Static<T>>;

const validatorOf = lazilyBySchema(coercingValidator<TSchema>);

function coercingValidator<T extends TSchema>(schema: T): QueryValidator<T> {
  const fields = Object.entries(plainSchema(schema).properties ?? {});
  const aliases = aliasesIn(schema);
  const validate = bodyValidator(schema);
  const phones = fields.filter(([, field]) => isPhoneField(field)).map(([name]) => name);
  return (query, country) => {
    const given = new Map(Object.entries((query ?? {}) as Record<string, unknown>));
    for (const [name, field] of fields) {
      const value = read(field, given.get(name));
      if (value === undefined) given.delete(name);
      else given.set(name, value);
    }
    const value = Object.fromEntries(given);
    const errors = (unstorable(value) ?? validate(value, country) ?? givenTwice(value, aliases)) as
      | FieldErrors
      | undefined;
    if (!errors) {
      for (const name of phones) {
        if (name in value) value[name] = withCountry(String(value[name]), country);
      }
      for (const [alias, name] of aliases) {
        if (!(alias in value)) continue;
        value[name] = value[alias];
        delete value[alias];
      }
    }
    return { value: value as Static<T>, errors };
  };
}

const aliasesIn = (schema: TSchema): [alias: string, name: string][] =>
  Object.entries((schema as JsonSchema).properties ?? {}).flatMap(([alias, field]) =>
    typeof field[aliasKeyword] === 'string' ? [[alias, field[aliasKeyword]]] : [],
  );

function givenTwice(value: object, aliases: [alias: string, name: string][]): FieldErrors | undefined {
  const twice = aliases.filter(([alias, name]) => alias in value && name in value);
  if (twice.length === 0) return undefined;
  return Object.fromEntries(twice.map(([alias, name]) => [alias, [`Give ${name} or ${alias}, not both.`]]));
}

const isPhoneField = ({ format }: JsonSchema): boolean => format === 'phone' || format === 'recipient';

function read(field: JsonSchema, given: unknown): unknown {
  const texts = [given ?? []].flat().filter((text) => text !== '');
  if (texts.length === 0) return structuredClone(field.default);
  if (!typesOf(field).includes('array')) return parse(field, texts.at(-1));
  const items = typeof field.items === 'object' ? field.items : {};
  return texts
    .flatMap((text) => String(text).split(','))
    .filter((text) => text !== '')
    .map((text) => parse(items, text));
}

/** Text that does not read as the type stays text, and is then refused for what it is. */
function parse(field: JsonSchema, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const types = typesOf(field);
  if (types.includes('boolean')) return booleans.get(text.toLowerCase()) ?? text;
  const isNumber =
    (types.includes('integer') && /^-?\d+$/.test(text)) || (types.includes('number') && /^-?\d+(\.\d+)?$/.test(text));
  return isNumber ? Number(text) : text;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
