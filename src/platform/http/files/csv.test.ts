import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import { until } from '../../../../test/kit/until.ts';
import type { Db } from '../../db/connect/pool.ts';
import { notFound } from '../../errors.ts';
import { makeFilesOnDisk } from '../../files/on-disk.ts';
import { makeLog } from '../../log.ts';
import { makeVault } from '../../secrets.ts';
import { makeGate } from '../access/gate.ts';
import { makeRateLimiter } from '../access/rate-limit.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { ok, routeFor } from '../route.ts';
import { makeServer } from '../server.ts';
import { prefersCsv } from './csv.ts';

type Row = Record<string, unknown>;

/** What the next request reads. */
let source: () => AsyncGenerator<Row[]>;
const routes = [
  routeFor<{ db: Db }>()({
    method: 'GET',
    url: '/rows/',
    operationId: 'listRows',
    summary: 'List rows',
    tag: 'Test',
    scope: 'public',
    responses: { 200: Type.Array(Type.Object({ a: Type.String() })) },
    csv: { name: 'rows', columns: ['a', 'b'], rows: () => source() },
    handler: async () => ok([{ a: 'x' }]),
  }),
];

let app: FastifyInstance;
let port: number;
before(async () => {
  const deps = { db: undefined as unknown as Db, vault: makeVault('for tests') };
  app = makeServer({
    deps,
    log: makeLog({ level: 'silent', pretty: false }),
    metrics: new Registry(),
    trustProxy: false,
    publicUrl: '',
    files: makeFilesOnDisk(os.tmpdir()),
    routes,
    gate: makeGate({ authenticate: () => null, accounts: makeRateLimiter(), unauthenticatedPerMinute: 1_000 }),
    within: (deps, work) => work(deps),
    depsFor: () => deps,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
after(() => app.close());

const csv = { accept: 'text/csv' };
const fileOf = async (...chunks: Row[][]) => {
  source = async function* () {
    yield* chunks;
  };
  return (await app.inject({ method: 'GET', url: '/rows/', headers: csv })).body;
};
const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ port, path: '/rows/', headers: csv }, resolve).once('error', reject));

const mebibyte = 'x'.repeat(1024 * 1024);
const totalChunks = 64;
/** Sixty-four megabytes, and how much of them was asked for. */
function bigSource() {
  const progress = { chunks: 0, ended: false };
  source = async function* () {
    try {
      while (progress.chunks < totalChunks) {
        progress.chunks++;
        yield [{ a: mebibyte }];
      }
    } finally {
      progress.ended = true;
    }
  };
  return progress;
}

describe('a list as CSV', () => {
  test('is a file with a header row, whose values are quoted as RFC 4180 says', async () => {
    source = async function* () {
      yield [
        { b: 'plain', a: 1, c: 'no column' },
        { a: 'a,b', b: 'say "no"' },
      ];
      yield [{ a: 'two\r\nlines', b: ' spaces ' }, { a: null }];
      yield [
        { a: { x: [1, 'é'] }, b: true },
        { a: -5, b: '' },
      ];
    };
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url: '/rows/', headers: csv });
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal(headers['content-disposition'], 'attachment; filename="rows.csv"');
    assert.equal(headers['vary'], 'Accept');
    const lines = [
      'a,b',
      '1,plain',
      '"a,b","say ""no"""',
      '"two\r\nlines"," spaces "',
      ',',
      '"{""x"":[1,""é""]}",true',
      '-5,',
    ];
    assert.equal(body, lines.map((line) => `${line}\r\n`).join(''));
  });

  test('holds nothing that a spreadsheet would run; phone numbers stay as they are', async () => {
    const texts: [string, string][] = [
      ['=1+1', "'=1+1"],
      ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
      ['+cmd|calc', "'+cmd|calc"],
      ['-2+3', "'-2+3"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['  =1', "'  =1"],
      ['\tx', "'\tx"],
      ['\rx', `"'\rx"`],
      ['\nx', `"'\nx"`],
      ['＝1', "'＝1"],
      ['+447700900123', '+447700900123'],
      ['+44 7700 900123', '+44 7700 900123'],
      ['+44+1', "'+44+1"],
      ['+', "'+"],
      ['a=1', 'a=1'],
    ];
    const expected = texts.map(([, cell]) => `${cell},\r\n`).join('');
    assert.equal(await fileOf(texts.map(([a]) => ({ a }))), `a,b\r\n${expected}`);
  });

  test('of no rows is the header alone', async () => {
    assert.equal(await fileOf(), 'a,b\r\n');
    assert.equal(await fileOf([]), 'a,b\r\n');
  });

  test('is answered as an error while nothing was sent', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to give
    source = async function* () {
      throw notFound();
    };
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url: '/rows/', headers: csv });
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'not_found']);
    assert.match(String(headers['content-type']), /json/);
    assert.equal(headers['content-disposition'], undefined);
  });

  test('that fails later breaks the connection: nobody takes half of it for the whole', async () => {
    source = async function* () {
      yield [{ a: 'first' }];
      throw new Error('The database went away.');
    };
    await assert.rejects(text(await open()), { code: 'ECONNRESET' });
  });

  test('is not read for HEAD', async () => {
    const progress = bigSource();
    const { headers, body } = await app.inject({ method: 'HEAD', url: '/rows/', headers: csv });
    assert.match(String(headers['content-type']), /^text\/csv/);
    assert.deepEqual([body, progress.chunks], ['', 1]);
  });

  test('is read no faster than the caller takes it', async () => {
    const progress = bigSource();
    const answer = await open();
    let before = -1;
    let still = 0;
    await until('it stands still for a while: the buffers on the way are full', () => {
      still = progress.chunks === before ? still + 1 : 0;
      before = progress.chunks;
      return still === 10;
    });
    assert.ok(progress.chunks < totalChunks / 2, `${progress.chunks} of ${totalChunks} chunks were read for nobody`);
    assert.equal((await text(answer)).length, 'a,b\r\n'.length + totalChunks * (mebibyte.length + ',\r\n'.length));
  });

  test('is read no further when the caller goes away', async () => {
    const progress = bigSource();
    const answer = await open();
    answer.destroy();
    await until(() => progress.ended);
    assert.ok(progress.chunks < totalChunks);
  });
});

test('JSON is answered unless CSV is what is wanted', async () => {
  const wanted = ['text/csv', 'TEXT/CSV; charset=utf-8', 'text/csv, */*', 'application/json;q=0.5, text/csv;q=0.9'];
  const others = [undefined, '', '*/*', 'text/*', 'application/json', 'text/csv;q=0', 'application/json, text/csv'];
  for (const accept of wanted) assert.equal(prefersCsv(accept), true, accept);
  for (const accept of [...others, 'text/csv;q=nonsense', 'text/csvs', ',;,;q']) {
    assert.equal(prefersCsv(accept), false, accept);
  }
  const { headers, body } = await app.inject({ method: 'GET', url: '/rows/' });
  assert.deepEqual([JSON.parse(body), headers['vary']], [[{ a: 'x' }], 'Accept']);
});

test('the reference shows both forms', () => {
  const info = { title: 'Rows', version: '1', description: '' };
  const { paths } = JSON.parse(JSON.stringify(openApiDocument(routes, info)));
  const operation = paths['/rows/'].get;
  assert.deepEqual(Object.keys(operation.responses[200].content), ['application/json', 'text/csv']);
  assert.match(operation.description, /text\/csv/);
});
