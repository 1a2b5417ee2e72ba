import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { eventData } from '../../src/app.ts';
import type { EventType } from '../../src/domains/webhooks/index.ts';
import type { Db } from '../../src/platform/db/connect/pool.ts';
import { type JsonSchema, plainSchema } from '../../src/platform/http/validation/plain-schema.ts';

/** Lists every mistake, and takes the formats as they come: their meaning is tested elsewhere. */
const ajv = new Ajv2020({
  ...{ allErrors: true, strict: false, discriminator: true, validateFormats: false },
  // Each check is used a few times: to make it fast would take longer than to run it.
  ...{ validateSchema: false, code: { optimize: false } },
});
const checks = new Map<string, ValidateFunction>();

/** The schema, made to refuse fields that it does not name. */
export function closed(schema: JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value !== 'object' || value === null) return value;
    return closed(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)])));
  };
  const { properties, oneOf } = schema;
  const isWhole = properties !== undefined && !oneOf && schema.additionalProperties === undefined;
  return Object.fromEntries([
    ...Object.entries(schema).map(([key, value]) => [key, key === 'enum' || key === 'const' ? value : inner(value)]),
    ...(isWhole && schema.type !== undefined ? [['additionalProperties', false]] : []),
  ]);
}

function checkOf(type: string): ValidateFunction {
  const known = checks.get(type);
  if (known) return known;
  const schema = eventData[type as EventType];
  assert.ok(schema, `There is no model of the event ${type}.`);
  const check = ajv.compile(closed(plainSchema(schema)));
  checks.set(type, check);
  return check;
}

/** What the data of an event has that its model in the OpenAPI document has not, or the other way round. */
export function payloadProblems(type: string, data: unknown): string[] {
  const check = checkOf(type);
  if (check(data)) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${type}: data${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

interface Payload {
  type: string;
  payload: string;
}

/** What webhooks of this database were sent, or are to be. A test may have taken the database away; then there is nothing to read. */
export const readPayloads = (db: Db): Promise<Payload[]> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['type', 'payload'])
    .execute()
    .catch(() => []);

export function assertPayloads(payloads: Payload[]): void {
  const problems = payloads.flatMap(({ type, payload }) => payloadProblems(type, JSON.parse(payload).data));
  assert.deepEqual([...new Set(problems)].slice(0, 10), [], 'What webhooks were sent is not what the document says');
}
