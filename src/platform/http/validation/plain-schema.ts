/** A JSON schema as plain data, as far as this folder reads it. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  items?: boolean | JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  discriminator?: { propertyName: string };
  minimum?: number;
  maximum?: number;
  default?: unknown;
  'x-message'?: string;
  [keyword: string]: unknown;
}

export const typesOf = (schema: JsonSchema): string[] => [schema.type ?? []].flat();

const maps = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singles = new Set(['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else']);
const forReadersOnly = /^(?!x-message$)(~|\$|x-|title$|description$|examples?$|deprecated$|externalDocs$|xml$)/;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/**
 * The schema as the validator gets it: what only readers of the document need is left out, and the forms which would
 * make poor error sentences (unions with null, unions of literals) are rewritten into equal ones which make good ones.
 */
export function plainSchema(source: object): JsonSchema {
  const schema: JsonSchema = { ...source };
  if ('$ref' in schema) throw new Error('Request schemas are self-contained: put the model itself, not a $ref.');
  // The validator reads fields without asking whether they are the object's own: twice as fast, and safe but for these.
  for (const name in schema.properties) {
    if (name in Object.prototype) throw new Error(`A field cannot be named ${name}: every object has one.`);
  }
  const read = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !forReadersOnly.test(keyword)));
  const plain = withParts(read, plainSchema);
  return withSafeIntegers(withoutAnyKeyPattern(withPlainUnion(withoutMapping(plain))));
}

/** The schema with each of the schemas that it is made of changed. */
export function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const changed: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (maps.has(keyword)) changed[keyword] = mapValues(value as Record<string, JsonSchema>, change);
    else if (lists.has(keyword)) changed[keyword] = (value as JsonSchema[]).map(change);
    else changed[keyword] = singles.has(keyword) && isSchema(value) ? change(value) : value;
  }
  return changed;
}

/** The schema, made to accept null. */
export function orNull(source: object): JsonSchema {
  const schema: JsonSchema = { ...source };
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const { const: only, ...rest } = schema;
  const choices = schema.enum ?? ('const' in schema ? [only] : undefined);
  const types = typesOf(schema);
  return {
    ...rest,
    ...(types.length > 0 && { type: [...new Set([...types, 'null'])] }),
    ...(choices && { enum: [...new Set([...choices, null])] }),
  };
}

function withPlainUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!anyOf) return schema;
  const some = anyOf.filter((branch) => branch.type !== 'null');
  const whole = some.length < anyOf.length ? orNull : (branch: JsonSchema) => branch;
  if (some.length === 1) return { ...whole(some[0]!), ...rest };
  if (some.every((branch) => 'const' in branch))
    return { ...rest, ...whole({ enum: some.map((branch) => branch.const) }) };
  return schema;
}

/** `^.*$`, which stands for "any key", does not match a key that holds a line break. */
function withoutAnyKeyPattern(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema;
  const values = patternProperties?.['^.*$'];
  return values ? { ...rest, additionalProperties: values } : schema;
}

/** Beyond 2^53 a JSON number silently becomes another one. */
function withSafeIntegers(schema: JsonSchema): JsonSchema {
  if (!typesOf(schema).includes('integer')) return schema;
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...schema };
}

/** The mapping of a discriminator points into the OpenAPI document; the tags themselves are in the variants. */
const withoutMapping = (schema: JsonSchema): JsonSchema =>
  schema.discriminator ? { ...schema, discriminator: { propertyName: schema.discriminator.propertyName } } : schema;

const mapValues = <T, U>(object: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Makes a function when it is first called. Compiling the checks of all operations at start would take half a second. */
export function lazily<A extends unknown[], R>(make: () => (...given: A) => R): (...given: A) => R {
  let made: ((...given: A) => R) | undefined;
  return (...given) => {
    made ??= make();
    return made(...given);
  };
}

/** The same, once for each schema: several servers in one process, as in tests, have the same operations. */
export function lazilyBySchema<S extends object, A extends unknown[], R>(
  make: (schema: S) => (...given: A) => R,
): (schema: S) => (...given: A) => R {
  const made = new WeakMap<S, (...given: A) => R>();
  return (schema) => {
    const known = made.get(schema) ?? lazily(() => make(schema));
    made.set(schema, known);
    return known;
  };
}
