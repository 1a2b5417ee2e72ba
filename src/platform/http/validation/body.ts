import { hash } from 'node:crypto';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { FieldErrors } from '../../errors.ts';
import { errorBody } from './error-body.ts';
import { formats } from './formats.ts';
import { type JsonSchema, lazily, lazilyBySchema, plainSchema } from './plain-schema.ts';
import { withSharedParts } from './shared-parts.ts';

/**
 * Compiles the schema of a request body; `coercion` has read it before. Null for a valid body, else the body of the 400. With the country
 * of the account, numbers that cannot exist there are refused.
 */
export const bodyValidator: (schema: TSchema) => Validate = lazilyBySchema((schema: TSchema): Validate => {
  const check = compile(schema);
  return (body, country) => {
    const errors = check(body, country);
    return errors.length === 0 ? null : errorBody(errors, body);
  };
});

type Validate = (body: unknown, country?: string) => FieldErrors | FieldErrors[] | null;

/** The mistakes found in a value; none when it is valid. The country is that of whoever wrote it. */
export type Check = (value: unknown, country?: string) => ErrorObject[];

/** A body with more values has only its first mistake named: to collect a million errors would take seconds. */
const mostValuesExplained = 20_000;

// Kept, because making a compiler takes as long as compiling a small schema. They store nothing between calls.
const compileToStopAtFirst = makeCompiler(false);
const compileToListAll = makeCompiler(true);

/**
 * Compiled checks, by schema. Several operations take the same body, and the checks of one with all kinds of messages take
 * megabytes. There are as many as the program has schemas; nothing that callers send adds any.
 */
const compiled = new Map<string, Check>();

function compile(schema: TSchema): Check {
  const plain = plainSchema(schema);
  const key = hash('sha256', JSON.stringify(plain), 'base64');
  const check = compiled.get(key) ?? compilePlain(plain);
  compiled.set(key, check);
  return check;
}

/**
 * Compiles a schema twice: to stop at the first mistake, for the many good bodies, and, on the first bad one, to find all
 * mistakes.
 */
function compilePlain(plain: JsonSchema): Check {
  const schema = withSharedParts(plain);
  const findFirst = compileToStopAtFirst(schema);
  const findAll = lazily(() => compileToListAll(schema));
  return (value, country) => {
    const first = findFirst(value, country);
    return first.length === 0 || hasMoreValuesThan(mostValuesExplained, value) ? first : findAll(value, country);
  };
}

function makeCompiler(allErrors: boolean): (schema: JsonSchema) => Check {
  return lazily(() => {
    const ajv = makeAjv(allErrors);
    return (schema) => {
      const validate = ajv.compile(schema);
      return (value, country) => (validate.call({ country }, value) ? [] : (validate.errors ?? []));
    };
  });
}

function makeAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    discriminator: true,
    addUsedSchema: false,
    validateSchema: false,
    passContext: true,
    keywords: ['x-message'],
    messages: false,
    // Compiles each definition once.
    inlineRefs: false,
    // Optimising is left to the engine: validators are as fast, and compile in a third of the time.
    code: { optimize: false },
  });
  // Ajv's own `format` does not get the country.
  ajv.removeKeyword('format');
  ajv.addKeyword({ keyword: 'format', type: 'string', schemaType: 'string', compile: formatCheck });
  // Ajv compares every item with every other; this is linear in the size of the list.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: itemsAreUnique });
  return ajv;
}

function formatCheck(name: string) {
  const format = formats[name];
  if (!format) throw new Error(`There is no format ${name}.`);
  return function (this: { country: string | undefined }, text: string): boolean {
    return format.accepts(text, this.country);
  };
}

function itemsAreUnique(wanted: boolean, items: unknown[]): boolean {
  return !wanted || new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

function hasMoreValuesThan(most: number, value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; waiting.length > 0; seen++) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inside = Object.values(next);
    if (seen + waiting.length + inside.length > most) return true;
    for (const each of inside) waiting.push(each);
  }
  return false;
}
