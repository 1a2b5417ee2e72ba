// What is not quite HTTP, byte by byte over a socket: each gets an answer in the form of all errors, and the connection is closed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { formWith, png } from '../../kit/media/sample-files.ts';
import { type Answered, parseRaw, sendRaw } from './raw.ts';

let app: TestApp;
let port: number;
before(async () => {
  app = await startTestApp();
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
after(() => app.close());

const token = (): string => `Authorization: Token ${app.token}\r\n`;

/** An error of the API: a sentence and a code, whole, with its id. */
function assertError(answer: Answered, status: number, code: string, detail?: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)));
  assert.match(String(answer.headers['x-request-id']), /^[\w.:-]+$/);
  assert.deepEqual(Object.keys(answer.body), ['detail', 'code']);
  assert.equal(answer.body.code, code);
  if (detail !== undefined) assert.equal(answer.body.detail, detail);
}

describe('what is not HTTP', { timeout: 1_800_000 }, () => {
  const host = 'Host: localhost\r\n';
  const post = () => `POST /v2/lists/ HTTP/1.1\r\n${host}${token()}Content-Type: application/json\r\n`;
  const cases: Record<string, [octets: () => string | Buffer, status: number, code: string]> = {
    'a line of nonsense': [() => 'nonsense\r\n\r\n', 400, 'bad_request'],
    'an unknown method': [() => `FETCH / HTTP/1.1\r\n${host}\r\n`, 400, 'bad_request'],
    'another protocol': [() => `GET / SIP/2.0\r\n${host}\r\n`, 400, 'bad_request'],
    'a version of the future': [() => `GET / HTTP/9.7\r\n${host}\r\n`, 400, 'bad_request'],
    'a greeting of TLS': [() => Buffer.from('16030100c8010000c40303', 'hex'), 400, 'bad_request'],
    'NUL in a header': [() => `GET / HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400, 'bad_request'],
    'a header without a colon': [() => `GET / HTTP/1.1\r\n${host}header\r\n\r\n`, 400, 'bad_request'],
    'a space before the colon': [() => `GET / HTTP/1.1\r\n${host}X : a\r\n\r\n`, 400, 'bad_request'],
    'two lengths': [() => `${post()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'bad_request'],
    'a length and chunks': [
      () => `${post()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    'a length that is no number': [() => `${post()}Content-Length: many\r\n\r\n{}`, 400, 'bad_request'],
    'a chunk of no size': [() => `${post()}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'bad_request'],
    'an unknown transfer coding': [() => `${post()}Transfer-Encoding: zip\r\n\r\n{}`, 400, 'bad_request'],
    'endless chunk extensions': [
      () => `${post()}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n`,
      413,
      'payload_too_large',
    ],
    'a header of 20 KB': [() => `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    'a path of 20 KB': [() => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, 'headers_too_large'],
    'no Host': [() => 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    'an expectation': [() => `${post()}Expect: miracles\r\nContent-Length: 0\r\n\r\n`, 417, 'expectation_failed'],
    'a method for no resource': [() => 'PRI *\n\r\nSM\r\n\r\n', 405, 'method_not_allowed'],
    CONNECT: [() => `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 405, 'method_not_allowed'],
  };
  for (const [what, [octets, status, code]] of Object.entries(cases)) {
    it(`${what}: ${status} ${code}`, async () => {
      const answer = parseRaw(await sendRaw(port, octets()));
      assertError(answer, status, code);
      assert.equal(answer.headers.connection, 'close');
    });
  }

  it('a bad request that follows a good one: the good one is answered', async () => {
    const raw = await sendRaw(port, `GET /healthz HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`);
    assert.match(raw, /^HTTP\/1\.1 (200|400) /);
  });

  it('HTTP/1.0 needs no Host', async () => {
    const { status } = parseRaw(await sendRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n'));
    assert.equal(status, 200);
  });
});

describe('bodies that are encoded', () => {
  const body = gzipSync('{"name":"Customers"}');
  const send = async (path: string, fields: string, octets: Buffer): Promise<Answered> => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${octets.length}\r\n`;
    return parseRaw(await sendRaw(port, Buffer.concat([Buffer.from(`${head}${fields}\r\n`), octets])));
  };

  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'x-own', 'gzip, gzip']) {
    it(`${encoding}: 415, which names it and what is taken`, async () => {
      const fields = `${token()}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\n`;
      const answer = await send('/v2/lists/', fields, body);
      const detail = `Unsupported content encoding "${encoding}" in request.`;
      assertError(answer, 415, 'unsupported_media_type', detail);
      assert.equal(answer.headers['accept-encoding'], 'identity');
    });
  }

  it('identity is none', async () => {
    const fields = `${token()}Content-Type: application/json\r\nContent-Encoding: identity\r\n`;
    const answer = await send('/v2/lists/', fields, Buffer.from('{"name":"Customers"}'));
    assert.equal(answer.status, 201, answer.text);
  });

  it('also of an upload, and for the webhook of the platform', async () => {
    const { payload, contentType } = await formWith(png);
    const form = `${token()}Content-Type: ${contentType}\r\nContent-Encoding: gzip\r\n`;
    assertError(await send('/v2/chatapp/template-media/', form, gzipSync(payload)), 415, 'unsupported_media_type');
    const path = `/carriers/cloud-api/${crypto.randomUUID()}/webhook`;
    const fields = 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n';
    assertError(await send(path, fields, body), 415, 'unsupported_media_type');
  });

  it('who brings no token is told that first', async () => {
    const fields = 'Content-Type: application/json\r\nContent-Encoding: gzip\r\n';
    assertError(await send('/v2/lists/', fields, body), 401, 'not_authenticated');
  });
});
