import { type JsonSchema, typesOf } from './schemas/plain-schema.ts';

const understood = new Set(['type', 'const', 'properties', 'required', 'anyOf', 'not', 'x-message']);

/** A condition (`if`) of a schema as a function; undefined where it has keywords that are not understood here. */
export function conditionOf(schema: JsonSchema): ((value: unknown) => boolean) | undefined {
  return isUnderstood(schema) ? (value) => holds(schema, value) : undefined;
}

const isUnderstood = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((keyword) => understood.has(keyword)) && partsOf(schema).every(isUnderstood);

const partsOf = ({ properties = {}, anyOf = [], not }: JsonSchema): JsonSchema[] => [
  ...Object.values(properties),
  ...anyOf,
  ...(not ? [not as JsonSchema] : []),
];

function holds(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes(typeOf(value))) return false;
  if ('const' in schema && schema.const !== value) return false;
  if (schema.anyOf && !schema.anyOf.some((branch) => holds(branch, value))) return false;
  if (schema['not'] && holds(schema['not'] as JsonSchema, value)) return false;
  if (typeOf(value) !== 'object') return true;
  const object = value as Record<string, unknown>;
  const has = (name: string) => Object.hasOwn(object, name);
  return (
    (schema.required ?? []).every(has) &&
    Object.entries(schema.properties ?? {}).every(([name, field]) => !has(name) || holds(field, object[name]))
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
