/** The Postman collection (format 2.1): a request for each operation of the OpenAPI document, in a folder for each tag. */

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}
interface Content {
  example?: unknown;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  security: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description?: string; content?: Record<string, Content> }>;
}
interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** It stays the same, so that an import replaces the collection that was imported before. */
const collectionId = '6f0f2b52-6f4b-4d0a-9a55-0b6f0a5c2a10';

export function postmanCollection(document: object): object {
  const { info, tags, paths } = document as ApiDocument;
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => itemOf(path, method.toUpperCase(), operation)),
  );
  const byTag = Map.groupBy(requests, ({ tag }) => tag);
  return {
    info: {
      _postman_id: collectionId,
      name: info.title,
      description: `${info.description}\n\nSet the variables \`baseUrl\` and \`token\`. Version ${info.version}.`,
      schema,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: 'Token {{token}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080', type: 'string' },
      { key: 'token', value: '', type: 'string' },
    ],
    item: tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: (byTag.get(name) ?? []).map(({ item }) => item),
    })),
  };
}

function itemOf(path: string, method: string, operation: Operation): { tag: string; item: object } {
  const { summary, description = '', tags, security } = operation;
  const body = bodyOf(operation);
  const request = {
    method,
    description,
    ...(security.length === 0 && { auth: { type: 'noauth' } }),
    header: body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : [],
    ...(body && { body }),
    url: urlOf(path, operation),
  };
  return { tag: tags[0], item: { name: summary, request, response: answersOf(request, operation) } };
}

function urlOf(path: string, { parameters = [] }: Operation): object {
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .slice(1)
    .split('/');
  const given = inQuery.filter(({ required }) => required).map(({ name }) => `${name}=`);
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${given.length > 0 ? `?${given.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(inQuery.length > 0 && {
      query: inQuery.map(({ name, description = '', required = false }) => ({
        key: name,
        value: '',
        description,
        disabled: !required,
      })),
    }),
    ...(inPath.length > 0 && {
      variable: inPath.map(({ name, description = '' }) => ({ key: name, value: '', description })),
    }),
  };
}

function bodyOf({ requestBody }: Operation) {
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (media === undefined) return undefined;
  if (media === 'multipart/form-data') {
    const fields = Object.entries((content?.example ?? {}) as Record<string, unknown>);
    const formdata = fields.map(([key, value]) =>
      key === 'file' ? { key, type: 'file', src: [] } : { key, type: 'text', value: String(value) },
    );
    return { mode: 'formdata', formdata };
  }
  const raw = JSON.stringify(content?.example ?? {}, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

const answersOf = (originalRequest: object, { responses }: Operation): object[] =>
  Object.entries(responses).flatMap(([status, { description = '', content }]) => {
    const example = content?.['application/json']?.example;
    if (example === undefined || !status.startsWith('2')) return [];
    return {
      name: description,
      originalRequest,
      status: description,
      code: Number(status),
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: JSON.stringify(example, null, 2),
    };
  });
