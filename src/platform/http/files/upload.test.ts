import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import { until } from '../../../../test/kit/until.ts';
import type { Db } from '../../db/connect/pool.ts';
import { makeFilesOnDisk } from '../../files/on-disk.ts';
import { makeLog } from '../../log.ts';
import { makeVault } from '../../secrets.ts';
import { makeGate } from '../access/gate.ts';
import { makeRateLimiter } from '../access/rate-limit.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { created, routeFor } from '../route.ts';
import { makeServer } from '../server.ts';
import type { Upload } from './upload.ts';

const mostBytes = 3 * 1024 * 1024;
let directory: string;
let app: FastifyInstance;
let port: number;
/** What the last handler was given, and the file's bytes as it found them. */
let seen: { upload: Upload; body: unknown; bytes: Buffer } | undefined;

const routes = [
  routeFor<{ db: Db }>()({
    method: 'POST',
    url: '/upload/',
    operationId: 'upload',
    summary: 'Upload',
    tag: 'Test',
    scope: 'any',
    upload: { mostBytes },
    body: Type.Object({ name: Type.Optional(Type.String({ maxLength: 10 })), dry_run: Type.Optional(Type.Boolean()) }),
    responses: { 201: null },
    handler: async ({ upload, body }) => {
      seen = { upload, body, bytes: await readFile(upload.path) };
      return created({ size: upload.size });
    },
  }),
];

before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-upload-'));
  const principal = { tokenId: 't', accountId: 'a', scopes: ['write'], requestsPerMinute: 10_000, country: 'GB' };
  const deps = { db: undefined as unknown as Db, vault: makeVault('for tests') };
  app = makeServer({
    deps,
    log: makeLog({ level: 'silent', pretty: false }),
    metrics: new Registry(),
    trustProxy: false,
    publicUrl: '',
    files: makeFilesOnDisk(directory),
    routes,
    gate: makeGate({
      authenticate: (token) => (token === 'good' ? principal : null),
      accounts: makeRateLimiter(),
      unauthenticatedPerMinute: 1_000,
    }),
    within: (deps, work) => work(deps),
    depsFor: () => deps,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
after(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function post(body: FormData | string | Buffer | undefined, headers: Record<string, string> = {}) {
  seen = undefined;
  const answer = await fetch(`http://127.0.0.1:${port}/upload/`, {
    method: 'POST',
    headers: { authorization: 'Token good', ...headers },
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

function form(file: Blob | string | null, fields: Record<string, string | Blob> = {}, filename = 'a.bin'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (typeof file === 'string') form.append('file', file);
  else if (file) form.append('file', file, filename);
  return form;
}

const leftBehind = (): Promise<string[]> => readdir(path.join(directory, 'tmp')).catch(() => []);
const untilNothingLeft = () => until(leftBehind, (files) => files.length === 0);

const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const part = (disposition: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

describe('An upload', () => {
  test('reaches the handler whole, with its hash and the other fields, and is gone afterwards', async () => {
    const bytes = randomBytes(mostBytes);
    const file = new Blob([bytes], { type: 'image/png' });
    const { status, headers } = await post(
      form(file, { name: 'Ä', dry_run: 'true', more: '1' }, 'Rechnung für Ärzte.png'),
    );
    assert.equal(status, 201);
    assert.equal(headers.get('parley-ignored-fields'), 'more');
    const { path: where, ...upload } = seen!.upload;
    assert.deepEqual(upload, {
      filename: 'Rechnung für Ärzte.png',
      mimeType: 'image/png',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    assert.ok(seen!.bytes.equals(bytes));
    assert.deepEqual(seen!.body, { name: 'Ä', dry_run: true });
    await assert.rejects(access(where));
  });

  test('many at once are not mixed up', async () => {
    const sizes = Array.from({ length: 12 }, (_, index) => 1 + index * 50_000);
    const answers = await Promise.all(sizes.map((size) => post(form(new Blob([randomBytes(size)])))));
    assert.deepEqual(
      answers.map(({ body }) => (body as { size: number }).size),
      sizes,
    );
    await untilNothingLeft();
  });

  test('a file name is tidied: no path, no control characters; one that is too long is refused', async () => {
    const named = (filename: string) => post(`${part(`name="file"; filename="${filename}"`, 'x')}--x--\r\n`, multipart);
    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\temp\\a.txt', 'a.txt'],
      ['..', 'file'],
      ['a\u0000b\u0007.txt', 'ab.txt'],
    ]) {
      assert.equal((await named(given!)).status, 201);
      assert.equal(seen!.upload.filename, kept);
    }
    assert.deepEqual((await named(`${'n'.repeat(241)}`)).body, {
      file: ['Ensure this filename has at most 240 characters (it has 241).'],
    });
    await untilNothingLeft();
  });
});

describe('An upload is refused and leaves nothing behind', () => {
  const cases: [title: string, send: () => ReturnType<typeof post>, status: number, body: object | RegExp][] = [
    ['without a file', () => post(form(null, { name: 'a' })), 400, { file: ['No file was submitted.'] }],
    ['without a body', () => post(undefined), 400, { file: ['No file was submitted.'] }],
    ['with an empty file', () => post(form(new Blob([]))), 400, { file: ['The submitted file is empty.'] }],
    ['with a text for the file', () => post(form('text')), 400, /"file":\["The submitted data was not a file\./],
    ['with two files', () => post(form(new Blob(['a']), { file: new Blob(['b']) })), 400, /Submit one file only/],
    [
      'with a wrong field',
      () => post(form(new Blob(['a']), { name: 'n'.repeat(11) })),
      400,
      { name: ['Ensure this field has no more than 10 characters.'] },
    ],
    [
      'with a file for a text',
      () => post(form(new Blob(['a']), { name: new Blob(['b']) })),
      400,
      { name: ['Not a valid string.'] },
    ],
    [
      'with a NUL in a text',
      () => post(`${part('name="name"', 'a\u0000')}${part('name="file"; filename="f"', 'x')}--x--`, multipart),
      400,
      /"name"/,
    ],
    [
      'with a text that is not UTF-8',
      () =>
        post(
          Buffer.from(`${part('name="name"', '\xed\xa0\x80')}${part('name="file"; filename="f"', 'x')}--x--`, 'latin1'),
          multipart,
        ),
      400,
      { name: ['Not a valid string.'] },
    ],
    ['with a huge text', () => post(form(new Blob(['a']), { name: 'n'.repeat(70_000) })), 413, /64 KiB/],
    [
      'with a hundred parts',
      () => post(form(new Blob(['a']), Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, 'x'])))),
      400,
      /more than 64 parts/,
    ],
    ['as JSON', () => post('{}', { 'content-type': 'application/json' }), 415, /Unsupported media type/],
    ['as raw bytes', () => post('abc', { 'content-type': 'image/png' }), 415, /Unsupported media type/],
    ['without a boundary', () => post('abc', { 'content-type': 'multipart/form-data' }), 400, /no boundary/],
    ['that is no form', () => post('abc', multipart), 400, /Multipart form parse error/],
    [
      'that ends too early',
      () => post(part('name="file"; filename="f"', 'x'.repeat(100_000)), multipart),
      400,
      /Multipart form parse error/,
    ],
    ['one byte too large', () => post(form(new Blob([Buffer.alloc(mostBytes + 1)]))), 413, /larger than 3 MiB/],
    ['much too large', () => post(form(new Blob([Buffer.alloc(mostBytes * 4)]))), 413, /larger than 3 MiB/],
    [
      'with much that is no file',
      () => post(form(new Blob(['a']), { other: new Blob([Buffer.alloc(mostBytes * 2)]) })),
      413,
      /larger than 3 MiB/,
    ],
    [
      'by a stranger',
      () => post(form(new Blob([Buffer.alloc(mostBytes)])), { authorization: 'Token bad' }),
      401,
      /Invalid token/,
    ],
  ];
  for (const [title, send, status, body] of cases) {
    test(`${status} ${title}`, async () => {
      const answer = await send();
      if (body instanceof RegExp) assert.match(JSON.stringify(answer.body), body);
      else assert.deepEqual(answer.body, body);
      assert.equal(answer.status, status);
      assert.equal(seen, undefined);
      await untilNothingLeft();
    });
  }

  test('when its size is not announced either', async () => {
    const generated = async function* () {
      yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n');
      for (let sent = 0; sent < mostBytes * 2; sent += 65_536) yield Buffer.alloc(65_536);
      yield Buffer.from('\r\n--x--\r\n');
    };
    const answer = await fetch(`http://127.0.0.1:${port}/upload/`, {
      method: 'POST',
      headers: { authorization: 'Token good', ...multipart },
      body: ReadableStream.from(generated()),
      duplex: 'half',
    } as RequestInit);
    assert.equal(answer.status, 413);
    await untilNothingLeft();
  });

  test('when the caller breaks off', async () => {
    const socket = connect(port, '127.0.0.1');
    const head = `POST /upload/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\nContent-Length: 2000000\r\n`;
    socket.write(`${head}Content-Type: ${multipart['content-type']}\r\n\r\n`);
    socket.write(part('name="file"; filename="f"', 'x'.repeat(500_000)));
    await until('the file is being written', leftBehind, ({ length }) => length === 1);
    socket.destroy();
    await untilNothingLeft();
  });

  test('the connection serves another request after a refusal', async () => {
    const socket = connect(port, '127.0.0.1');
    const request = (body: string) =>
      `POST /upload/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\nContent-Type: ${multipart['content-type']}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const big = `${part('name="file"; filename="f"', 'x'.repeat(mostBytes + 1))}--x--\r\n`;
    const small = `${part('name="file"; filename="f"', 'x')}--x--\r\n`;
    let answers = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text;
    });
    socket.write(request(big));
    socket.write(request(small));
    await until(
      () => answers,
      (text) => text.includes('{"size":1}'),
    );
    socket.destroy();
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 201']);
  });
});

test('An upload is documented as a form with a file and its other fields', () => {
  const { paths } = openApiDocument(routes, { title: 'T', version: '1', description: '' }) as {
    paths: Record<string, { post: { requestBody: object; responses: object } }>;
  };
  const { requestBody, responses } = paths['/upload/']!.post;
  assert.deepEqual(requestBody, {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: {
            file: { type: 'string', format: 'binary', description: 'At most 3 MiB.' },
            name: { type: 'string', maxLength: 10 },
            dry_run: { type: 'boolean' },
          },
          required: ['file'],
        },
      },
    },
  });
  for (const status of ['400', '413', '415']) assert.ok(status in responses, status);
});
