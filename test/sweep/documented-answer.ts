import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TestAnswer } from '../kit/app.ts';
import { record } from './recorded.ts';
import { document as apiDocument, documented, type Operation, title } from './surface.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  [keyword: string]: unknown;
}

const documentId = 'https://parley.example/openapi.json';

/** Fields of few objects, which the others are answered without. */
const sometimes = new Set(['resent_as']);

/**
 * Asserts that answers are what the OpenAPI document says, checked by a plain JSON Schema validator that knows nothing of
 * ours: the status, the types, and exactly the documented fields.
 */
export function answerChecker(): (operation: Operation, answer: TestAnswer) => void {
  // Each check is used a few times: to make it fast would take longer than to run it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
  addFormats.default(ajv);
  for (const ours of ['phone', 'time-zone', 'country-code']) ajv.addFormat(ours, true);
  const document = apiDocument as unknown as { components: { schemas: Record<string, Schema> } };
  ajv.addSchema({ ...document, $id: documentId });
  const checks = new Map<string, ValidateFunction | null>();
  /** By the schema: many operations answer the same. */
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: Schema): ValidateFunction => {
    const key = JSON.stringify(schema);
    const check = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, check);
    return check;
  };

  const resolve = (schema: Schema): Schema =>
    schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;

  /** The schema with no room for fields it does not name; `whole`: and with all that it names. */
  const closed = (schema: Schema, whole: boolean): Schema => {
    const { properties, items } = resolve(schema);
    const own = schema.$ref ? { $ref: `${documentId}${schema.$ref}` } : rebased(schema);
    if (items) return { allOf: [own], items: closed(items, whole) };
    if (!properties) return own;
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      closed(field, whole && name === 'results'),
    ]);
    return {
      allOf: [own],
      properties: Object.fromEntries(fields),
      unevaluatedProperties: false,
      ...(whole && { required: Object.keys(properties).filter((name) => !sometimes.has(name)) }),
    };
  };

  const checkOf = (operation: Operation, status: number): ValidateFunction | null => {
    const response = documented(operation).responses[status] as { content?: Record<string, { schema: Schema }> };
    assert.ok(response, `${title(operation)} answered ${status}, which is not documented`);
    const schema = response.content?.['application/json']?.schema;
    // Files and pages are what they are.
    if (response.content && !schema) return compile({ type: 'string', minLength: 1 });
    return schema ? compile(closed(schema, true)) : null;
  };

  return (operation, answer) => {
    const key = `${operation.operationId} ${answer.status}`;
    if (!checks.has(key)) checks.set(key, checkOf(operation, answer.status));
    const check = checks.get(key);
    if (!check) return assert.equal(answer.body, '', `${title(operation)} is documented without a body`);
    const wrong = check(answer.body) ? '' : ajv.errorsText(check.errors, { dataVar: 'answer' });
    assert.equal(wrong, '', `${title(operation)} ${answer.status} ${JSON.stringify(answer.body)}`);
    record(operation, answer);
  };
}

/** References of the document, made absolute: the schema is compiled outside it. */
const rebased = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? documentId + value : value,
  );
