import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { nullable, tagged } from '../validation/index.ts';
import { UuidParams } from './models.ts';
import { type Operation, openApiDocument } from './openapi.ts';

const Colour = Type.Enum(['RED', 'GREEN'], { title: 'Colour', description: 'What it looks like.' });
const Size = Type.Object({ width: Type.Integer() }, { title: 'Size' });
const Shape = tagged(
  'type',
  { colour: Type.Optional(Colour) },
  { CIRCLE: { radius: Type.Integer({ 'x-message': 'Enter a radius.' }) }, SQUARE_BOX: { size: nullable(Size) } },
  { title: 'Shape' },
);

const create: Operation = {
  method: 'POST',
  url: '/v2/shapes/',
  operationId: 'createShape',
  summary: 'Create a shape',
  description: 'Draws it.',
  tag: 'Shapes',
  scope: 'shapes:write',
  body: Shape,
  responses: { 201: Shape },
  errors: [503],
  example: { type: 'CIRCLE', radius: 1 },
};
const list: Operation = {
  method: 'GET',
  url: '/v2/shapes/',
  operationId: 'listShapes',
  summary: 'List shapes',
  tag: 'Shapes',
  scope: 'any',
  query: Type.Object({
    colour: Type.Optional(Colour),
    page_size: Type.Integer({ default: 25, description: 'Rows per page.' }),
    since: Type.String(),
  }),
  responses: { 200: Type.Array(Size) },
};
const remove: Operation = {
  method: 'DELETE',
  url: '/v2/shapes/:uuid',
  operationId: 'deleteShape',
  summary: 'Delete a shape',
  tag: 'Shapes',
  scope: 'public',
  params: UuidParams,
  responses: { 204: null },
};

const info = { title: 'Shapes', version: '1', description: 'All shapes.' };
// biome-ignore lint/suspicious/noExplicitAny: the document is looked into by path
const print = (...operations: Operation[]): any => JSON.parse(JSON.stringify(openApiDocument(operations, info)));
const schemas = print(create, list).components.schemas;

test('paths have the trailing slash and braces, with every parameter of the path declared', () => {
  const { paths } = print(remove);
  assert.deepEqual(Object.keys(paths), ['/v2/shapes/{uuid}/']);
  assert.deepEqual(paths['/v2/shapes/{uuid}/'].delete.parameters, [
    { name: 'uuid', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
  ]);
});

test('a query parameter is required only when it is neither optional nor has a default', () => {
  const { parameters } = print(list).paths['/v2/shapes/'].get;
  assert.deepEqual(parameters, [
    {
      name: 'colour',
      in: 'query',
      required: false,
      description: 'What it looks like.',
      schema: { $ref: '#/components/schemas/Colour' },
    },
    {
      name: 'page_size',
      in: 'query',
      required: false,
      description: 'Rows per page.',
      schema: { type: 'integer', default: 25 },
    },
    { name: 'since', in: 'query', required: true, schema: { type: 'string' } },
  ]);
});

test('a POST with a token takes an Idempotency-Key and says its scope', () => {
  const { parameters, description, security, requestBody } = print(create).paths['/v2/shapes/'].post;
  assert.equal(parameters[0].name, 'Idempotency-Key');
  assert.equal(description, 'Draws it.\n\nScope: `shapes:write`.');
  assert.deepEqual(security, [{ Token: [] }, { Bearer: [] }, { Session: [] }]);
  assert.deepEqual(requestBody.content['application/json'].example, { type: 'CIRCLE', radius: 1 });
});

test('who asks is known by a token or by the cookie of a session, and a public operation asks nobody', () => {
  const { components, paths } = print(list, remove);
  const { Session } = components.securitySchemes;
  assert.deepEqual([Session.type, Session.in, Session.name], ['apiKey', 'cookie', 'parley_session']);
  assert.match(Session.description, /`X-Requested-With: parley-console`/);
  for (const one of paths['/v2/shapes/'].get.security) {
    assert.ok(Object.keys(one).every((name) => name in components.securitySchemes));
  }
  assert.deepEqual(paths['/v2/shapes/{uuid}/'].delete.security, []);
});

test('an operation lists the errors that follow from what it takes', () => {
  const { paths } = print(create, list, remove);
  const statuses = (path: string, method: string) => Object.keys(paths[path][method].responses).join(' ');
  assert.equal(statuses('/v2/shapes/', 'post'), '201 400 401 403 409 413 415 422 429 500 503');
  assert.equal(statuses('/v2/shapes/', 'get'), '200 400 401 429 500');
  assert.equal(statuses('/v2/shapes/{uuid}/', 'delete'), '204 404 500');
  assert.equal('content' in paths['/v2/shapes/{uuid}/'].delete.responses[204], false);
});

test('schemas with a name are hoisted from wherever they stand', () => {
  assert.deepEqual(Object.keys(schemas), [
    'Colour',
    'DetailBody',
    'ErrorsBody',
    'Shape',
    'ShapeCircle',
    'ShapeSquareBox',
    'Size',
    'ValidationError',
  ]);
  assert.equal(schemas.Colour.type, 'string');
  assert.deepEqual(schemas.ShapeCircle.properties.colour, { $ref: '#/components/schemas/Colour' });
});

test('a named schema that may be null is one model for both uses', () => {
  assert.deepEqual(schemas.ShapeSquareBox.properties.size, {
    anyOf: [{ $ref: '#/components/schemas/Size' }, { type: 'null' }],
  });
  assert.equal(schemas.Size.type, 'object');
});

test('the discriminator of a named union points to its named variants', () => {
  assert.deepEqual(schemas.Shape.discriminator, {
    propertyName: 'type',
    mapping: { CIRCLE: '#/components/schemas/ShapeCircle', SQUARE_BOX: '#/components/schemas/ShapeSquareBox' },
  });
});

test('each variant of a union has the shared fields, and the union nothing but its variants', () => {
  assert.deepEqual(Object.keys(schemas.ShapeCircle.properties), ['type', 'colour', 'radius']);
  assert.deepEqual(schemas.ShapeCircle.required, ['type', 'radius']);
  assert.deepEqual(Object.keys(schemas.Shape).sort(), ['discriminator', 'oneOf', 'title', 'type']);
});

test('a union without a name is named after where it stands', () => {
  const corner = tagged('kind', {}, { ROUND: { radius: Type.Integer() }, SHARP: {} });
  const frame = Type.Object({ corners: Type.Array(corner), first: nullable(corner) }, { title: 'Frame' });
  const { components } = print({ ...create, body: frame });
  const { Frame, FrameCorner, FrameFirst } = components.schemas;
  assert.deepEqual(Frame.properties.corners.items, { $ref: '#/components/schemas/FrameCorner' });
  assert.deepEqual(Frame.properties.first, { anyOf: [{ $ref: '#/components/schemas/FrameFirst' }, { type: 'null' }] });
  assert.deepEqual(FrameCorner.discriminator.mapping, {
    ROUND: '#/components/schemas/FrameCornerRound',
    SHARP: '#/components/schemas/FrameCornerSharp',
  });
  assert.deepEqual(FrameFirst.oneOf[0], { $ref: '#/components/schemas/FrameFirstRound' });
});

test('patterns that other languages cannot read are written out or told in words', () => {
  const fields = {
    any: Type.String({ pattern: '^[^]{1,3}$' }),
    emoji: Type.String({ pattern: '^\\p{RI}$', 'x-message': 'Enter a flag.' }),
  };
  const { components } = print({ ...create, body: Type.Object(fields, { title: 'Texts' }) });
  assert.deepEqual(components.schemas.Texts.properties, {
    any: { type: 'string', pattern: '^[\\s\\S]{1,3}$' },
    emoji: { type: 'string', description: 'Enter a flag.' },
  });
});

test('fields, parameters and tags that say nothing themselves are described by the words for all of them', () => {
  const words = {
    fields: { width: 'How wide.', 'Size.width': 'Millimetres.', since: 'From then on.' },
    tags: { Shapes: 'All.' },
  };
  // biome-ignore lint/suspicious/noExplicitAny: the document is looked into by path
  const document: any = openApiDocument([list], info, [], words);
  assert.equal(document.components.schemas.Size.properties.width.description, 'Millimetres.');
  const { parameters } = document.paths['/v2/shapes/'].get;
  assert.deepEqual(
    parameters.map(({ description }: { description?: string }) => description),
    ['What it looks like.', 'Rows per page.', 'From then on.'],
  );
  assert.deepEqual(document.tags, [{ name: 'Shapes', description: 'All.' }]);
});

test('an answer that was recorded is the example of its status', () => {
  const answers = { listShapes: { 200: [{ width: 3 }] } };
  // biome-ignore lint/suspicious/noExplicitAny: the document is looked into by path
  const document: any = openApiDocument([list], info, [], { answers });
  const { responses } = document.paths['/v2/shapes/'].get;
  assert.deepEqual(responses[200].content['application/json'].example, [{ width: 3 }]);
});

test('two different schemas of one name are refused', () => {
  const other = Type.Object({ height: Type.Integer() }, { title: 'Size' });
  assert.throws(
    () => print(list, { ...remove, responses: { 200: other } }),
    /Two different schemas have the title "Size"/,
  );
});

test('two operations of one id are refused', () => {
  assert.throws(
    () => print(list, { ...create, operationId: list.operationId }),
    /Two operations have the id "listShapes"/,
  );
});

test('an answer that is not JSON has its own media type', () => {
  const csv = Type.String({ contentMediaType: 'text/csv' });
  const { content } = print({ ...list, responses: { 200: csv } }).paths['/v2/shapes/'].get.responses[200];
  assert.deepEqual(content, { 'text/csv': { schema: { type: 'string' } } });
});

test("every reference resolves, and nothing of the validator's own is printed", () => {
  const document = print(create, list, remove);
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /"~|x-message/);
  for (const [, path] of text.matchAll(/"#\/([^"]+)"/g)) {
    const target = path!.split('/').reduce((node, key) => node?.[key], document);
    assert.ok(target, `${path} does not resolve`);
  }
});
