import { type JsonSchema, typesOf } from './schemas/plain-schema.ts';

const understood = new Set(['type', 'const', 'properties', 'required', 'anyOf', 'not', 'x-message']);

/** A condition (`if`) of a schema as a function; undefined where it has keywords that are not understood here. */
export function conditionOf(schema: JsonSchema): Condition | undefined {
  return isUnderstood(schema) ? compiled(schema) : undefined;
}

type Condition = (value: unknown) => boolean;

const isUnderstood = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((keyword) => understood.has(keyword)) && partsOf(schema).every(isUnderstood);

const partsOf = ({ properties = {}, anyOf = [], not }: JsonSchema): JsonSchema[] => [
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
