import type { ErrorObject } from 'ajv/dist/2020.js';
import { formats } from './formats.ts';
import { type JsonSchema, typesOf } from './plain-schema.ts';

/** How much a mistake explains: a value that is null, or of the wrong type, needs no further sentence. */
export const rank = { isNull: 0, wrongType: 1, blank: 2, other: 3 } as const;

export interface Sentence {
  text: string;
  rank: (typeof rank)[keyof typeof rank];
}

/** The sentence for one mistake, in the words of the Django REST Framework where it has them. */
export function sentenceFor(error: ErrorObject): Sentence {
  const { keyword, data, params } = error;
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  if (missingField(error) !== undefined) return { text: 'This field is required.', rank: rank.other };
  if (data === null) return { text: 'This field may not be null.', rank: rank.isNull };
  if (keyword === 'type') return { text: wrongType(schema, data), rank: rank.wrongType };
  if (keyword === 'minLength' && data === '') return { text: 'This field may not be blank.', rank: rank.blank };
  const text =
    limits[keyword]?.(params.limit) ?? (keyword === 'enum' || keyword === 'const' ? notAChoice(data) : undefined);
  return { text: text ?? schema['x-message'] ?? otherwise(keyword, error.schema), rank: rank.other };
}

/** The absent field that this mistake is about. */
export const missingField = ({ keyword, params }: ErrorObject): string | undefined =>
  keyword === 'required' || keyword === 'dependentRequired' ? params.missingProperty : undefined;

/** Whether the schema wants an object with fields of its own, which DRF calls a serializer. */
export const hasFields = (schema: JsonSchema | undefined): boolean => schema?.properties !== undefined;

const limits: Record<string, (limit: number) => string> = {
  minLength: (limit) => `Ensure this field has at least ${limit} characters.`,
  maxLength: (limit) => `Ensure this field has no more than ${limit} characters.`,
  minItems: (limit) =>
    limit === 1 ? 'This list may not be empty.' : `Ensure this field has at least ${limit} elements.`,
  maxItems: (limit) => `Ensure this field has no more than ${limit} elements.`,
  minProperties: (limit) =>
    limit === 1 ? 'This dictionary may not be empty.' : `Ensure this field has at least ${limit} keys.`,
  maxProperties: (limit) => `Ensure this field has no more than ${limit} keys.`,
  minimum: (limit) => `Ensure this value is greater than or equal to ${limit}.`,
  maximum: (limit) => `Ensure this value is less than or equal to ${limit}.`,
  exclusiveMinimum: (limit) => `Ensure this value is greater than ${limit}.`,
  exclusiveMaximum: (limit) => `Ensure this value is less than ${limit}.`,
};

const otherwise = (keyword: string, format: unknown): string => {
  if (keyword === 'format') return formats[String(format)]?.sentence ?? 'Enter a valid value.';
  if (keyword === 'uniqueItems') return 'Ensure the items are unique.';
  if (keyword === 'additionalProperties') return 'This field is not known.';
  return 'Enter a valid value.';
};

function wrongType(schema: JsonSchema, data: unknown): string {
  switch (typesOf(schema).find((type) => type !== 'null')) {
    case 'string':
      return 'Not a valid string.';
    case 'boolean':
      return 'Must be a valid boolean.';
    case 'integer':
      return 'A valid integer is required.';
    case 'number':
      return 'A valid number is required.';
    case 'array':
      return `Expected a list of items but got type "${pythonType(data)}".`;
    case 'object':
      return hasFields(schema)
        ? `Invalid data. Expected a dictionary, but got ${pythonType(data)}.`
        : `Expected a dictionary of items but got type "${pythonType(data)}".`;
    default:
      return 'Enter a valid value.';
  }
}

function pythonType(data: unknown): string {
  if (Array.isArray(data)) return 'list';
  switch (typeof data) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(data) ? 'int' : 'float';
    case 'object':
      return data === null ? 'NoneType' : 'dict';
    default:
      return 'NoneType';
  }
}

const longestQuote = 100;

function notAChoice(data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  // Cut between characters, not inside one.
  const quote =
    text.length <= longestQuote ? text : `${[...text.slice(0, 2 * longestQuote)].slice(0, longestQuote - 1).join('')}…`;
  return `"${quote}" is not a valid choice.`;
}
