// The Postman collection, sent as Postman would send it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { operations } from '../sweep/surface.ts';

interface Request {
  method: string;
  auth?: { type: string };
  header: { key: string; value: string }[];
  body?: { mode: string; raw?: string };
  url: { raw: string; path: string[]; query?: { key: string; disabled: boolean }[]; variable?: { key: string }[] };
}
interface Item {
  name: string;
  request: Request;
}
interface Collection {
  auth: { apikey: { key: string; value: string }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: Item[] }[];
}

/** What collection format 2.1 asks for of the parts that are used here. */
const text = { type: 'string' };
const pairs = { type: 'array', items: { type: 'object', required: ['key'], properties: { key: text, value: text } } };
const url = {
  type: 'object',
  required: ['raw', 'host', 'path'],
  properties: {
    raw: text,
    host: { type: 'array', items: text },
    path: { type: 'array', items: text },
    query: pairs,
    variable: pairs,
  },
};
const request = {
  type: 'object',
  required: ['method', 'url', 'header'],
  properties: {
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    url,
    header: pairs,
    body: {
      type: 'object',
      required: ['mode'],
      properties: { mode: { enum: ['raw', 'formdata'] }, raw: text, formdata: pairs },
    },
    auth: { type: 'object', required: ['type'], properties: { type: { enum: ['noauth', 'apikey'] } } },
  },
};
const answer = {
  type: 'object',
  required: ['name', 'originalRequest', 'code', 'body'],
  properties: { originalRequest: request, code: { type: 'integer' }, status: text, body: text, header: pairs },
};
const item = {
  type: 'object',
  required: ['name', 'request', 'response'],
  properties: { name: { ...text, minLength: 1 }, request, response: { type: 'array', items: answer } },
};
const format = {
  type: 'object',
  required: ['info', 'item', 'auth', 'variable'],
  properties: {
    info: {
      type: 'object',
      required: ['name', 'schema'],
      properties: { schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' } },
    },
    item: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'item'],
        properties: { item: { type: 'array', minItems: 1, items: item } },
      },
    },
  },
};

describe('The Postman collection', () => {
  let collection: Collection;
  let app: TestApp;
  before(async () => {
    collection = JSON.parse(await readFile(path.join(import.meta.dirname, '../../docs/postman.json'), 'utf8'));
    app = await startTestApp();
  });
  after(() => app.close());

  const items = () => collection.item.flatMap((folder) => folder.item);
  const filled = (value: string) => value.replace('{{baseUrl}}', '').replace('{{token}}', app.token);

  const send = ({ method, auth, header, body, url }: Request) => {
    const authorization = collection.auth.apikey.find(({ key }) => key === 'value')!.value;
    return app.app.inject({
      method: method as 'GET',
      url: filled(url.raw),
      headers: {
        ...(auth?.type !== 'noauth' && { authorization: filled(authorization) }),
        ...Object.fromEntries(header.map(({ key, value }) => [key, value])),
      },
      ...(body?.raw !== undefined && { payload: body.raw }),
    });
  };

  it('is one of format 2.1, with a request for every operation', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false });
    assert.ok(ajv.validate(format, collection), ajv.errorsText());
    const sent = new Set(items().map(({ request }) => `${request.method} /${request.url.path.join('/')}`));
    const missing = operations.filter(
      ({ method, url }) => !sent.has(`${method} ${url}`) && !sent.has(`${method} ${url}/`),
    );
    assert.deepEqual(
      missing.map(({ operationId }) => operationId),
      [],
    );
  });

  it('sends a message', async () => {
    const { request } = items().find(
      ({ request }) => request.method === 'POST' && request.url.raw.endsWith('/v2/chatapp/messages/'),
    )!;
    const { statusCode, body } = await send(request);
    assert.equal(statusCode, 201, body);
    assert.equal(JSON.parse(body).status, 'QUEUED');
  });

  it('reads every list', async () => {
    const isList = ({ request: { method, url } }: Item) =>
      method === 'GET' &&
      url.raw.includes('/v2/') &&
      !url.variable &&
      !url.raw.includes('?') &&
      !url.raw.includes('stream') &&
      // Only a person who signed in has factors and a profile.
      !url.raw.includes('/auth/factors/') &&
      !url.raw.includes('/users/me/') &&
      // It answers a browser that comes back from a provider.
      !url.raw.includes('/auth/sso/callback/');
    const lists = items().filter(isList);
    assert.ok(lists.length > 40, `${lists.length} lists`);
    for (const { name, request } of lists) {
      const { statusCode, body } = await send(request);
      assert.equal(statusCode, 200, `${name}: ${body}`);
    }
  });
});
