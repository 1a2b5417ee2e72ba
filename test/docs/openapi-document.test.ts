// What holds for the whole OpenAPI document, so that readers and generators of clients can rely on it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../src/app.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { mapping?: Record<string, string> };
  [keyword: string]: unknown;
}
interface Operation {
  operationId: string;
  parameters?: { name: string; description?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>;
}

const document: {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
} = JSON.parse(JSON.stringify(apiDocument()));
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

const named = ({ $ref = '' }: Schema): Schema => schemas[$ref.split('/').at(-1)!] ?? {};
const isDescribed = (schema: Schema): boolean =>
  Boolean(schema.description) || (schema.$ref ? isDescribed(named(schema)) : (schema.anyOf ?? []).some(isDescribed));

/** Every schema, with the path to it. What only states a condition (`if`, `not`) describes nothing. */
function* all(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* all(field, `${path}.${name}`);
  for (const keyword of ['items', 'additionalProperties', 'then', 'else']) {
    const inner = schema[keyword];
    if (typeof inner === 'object' && inner !== null) yield* all(inner as Schema, path);
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
    for (const one of (schema[keyword] as Schema[] | undefined) ?? []) yield* all(one, path);
  }
}
const everySchema = Object.entries(schemas).flatMap(([name, schema]) => [...all(schema, name)]);

describe('The OpenAPI document', () => {
  it('describes every tag, parameter and property', () => {
    const silent = [
      ...document.tags.filter(({ description }) => !description).map(({ name }) => name),
      ...operations.flatMap(({ operationId, parameters = [] }) =>
        parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
      ),
      ...everySchema.flatMap(([path, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, field]) => !isDescribed(field))
          .map(([name]) => `${path}.${name}`),
      ),
    ];
    assert.deepEqual(silent, [], 'Describe them where they are declared, or in src/api-fields/ and src/api-words.ts');
  });

  it('names every object that a union can be', () => {
    const isObject = (one: Schema) => one.type === 'object' || one.properties !== undefined || one.oneOf !== undefined;
    const anonymous = everySchema.filter(([, { oneOf = [], anyOf = [] }]) => [...oneOf, ...anyOf].some(isObject));
    assert.deepEqual(
      anonymous.map(([path]) => path),
      [],
    );
    for (const [path, { discriminator, oneOf = [] }] of everySchema) {
      if (!discriminator) continue;
      const refs = oneOf.map(({ $ref }) => $ref);
      assert.deepEqual(Object.values(discriminator.mapping ?? {}), refs, `${path} maps its tags to its variants`);
    }
  });

  it('has patterns that other languages read as well', () => {
    const foreign = /\\[pPu]\{|\[\^?\]|\(\?<[^=!]|\(\?[a-z]/;
    const patterns = everySchema.flatMap(([, { pattern }]) => pattern ?? []);
    assert.ok(patterns.length > 50, 'patterns were found');
    assert.deepEqual(
      patterns.filter((pattern) => foreign.test(pattern)),
      [],
    );
  });

  it('has an example for every answer in JSON, and each is what its schema says', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
    addFormats.default(ajv);
    for (const ours of ['phone', 'time-zone', 'country-code', 'recipient']) ajv.addFormat(ours, true);
    const id = 'https://parley.example/openapi.json';
    ajv.addSchema({ ...document, $id: id });
    const without: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(methods)) {
        const statuses = Object.keys(responses).filter((status) => /^2/.test(status));
        const json = statuses.filter((status) => responses[status]!.content?.['application/json']);
        const shown = json.filter((status) => responses[status]!.content!['application/json']!.example !== undefined);
        if (json.length > 0 && shown.length === 0) without.push(operationId);
        for (const status of shown) {
          const address = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
          const pointer = address.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
          const check = ajv.compile({ $ref: `${id}#/${encodeURI(pointer)}` });
          const { example } = responses[status]!.content!['application/json']!;
          assert.ok(check(example), `${operationId} ${status}: ${ajv.errorsText(check.errors)}`);
        }
      }
    }
    // What whoever runs the server asks for is answered before the routes.
    assert.deepEqual(without, ['getHealth', 'getReadiness'], 'Run `npm run examples`');
  });
});
