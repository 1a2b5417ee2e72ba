import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiDocument } from '../../src/app.ts';
import { eventTypes } from '../../src/domains/webhooks/index.ts';
import { payloadProblems } from '../kit/event-payloads.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into by path
const document: any = JSON.parse(JSON.stringify(apiDocument()));
const { schemas } = document.components;
const nameOf = ({ $ref }: { $ref: string }): string => $ref.split('/').at(-1)!;

test('webhooks of the document › every event that can be announced, and no other', () => {
  assert.deepEqual(Object.keys(document.webhooks), Object.keys(eventTypes));
  const { discriminator, oneOf } = schemas.WebhookEvent;
  assert.equal(discriminator.propertyName, 'type');
  assert.deepEqual(Object.keys(discriminator.mapping), Object.keys(eventTypes));
  assert.deepEqual(
    Object.values(discriminator.mapping),
    oneOf.map(({ $ref }: { $ref: string }) => $ref),
  );
});

test('webhooks of the document › each has the headers of a signature, and a body with its type and data of a named model', () => {
  for (const [type, webhook] of Object.entries(document.webhooks)) {
    const { post } = webhook as typeof document;
    const { properties, required } = schemas[nameOf(post.requestBody.content['application/json'].schema)];
    assert.equal(properties.type.const, type);
    assert.deepEqual(required, ['type', 'timestamp', 'data']);
    assert.ok(schemas[nameOf(properties.data)], `${type} has data of a named model`);
    const headers = post.parameters.map(({ name }: { name: string }) => name);
    assert.deepEqual(headers, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
});

test('the check of payloads finds a field that is missing, one that is too much and one of another type', () => {
  assert.deepEqual(payloadProblems('number.released', { number: '+442079460001' }), []);
  assert.match(payloadProblems('number.released', {}).join(), /required property 'number'/);
  assert.match(payloadProblems('number.released', { number: '+1', more: 1 }).join(), /additional properties.*more/);
  assert.match(payloadProblems('number.released', { number: 1 }).join(), /must be string/);
});
