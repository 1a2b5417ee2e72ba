import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { compressAnswers, preferredWay } from './compress.ts';

const long = { words: Array.from({ length: 400 }, (_, index) => `word ${index} ё`) };
let app: FastifyInstance;
before(() => {
  app = Fastify();
  compressAnswers(app);
  app.get('/long', async () => long);
  app.get('/short', async () => ({ a: 1 }));
  app.get('/csv', async (_request, reply) =>
    reply.header('vary', 'Accept').type('text/csv').send('a,b\n'.repeat(1000)),
  );
  app.get('/varied', async (_request, reply) => reply.header('vary', 'Accept').send(long));
});
after(() => app.close());

const ask = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });

describe('JSON of a kilobyte and more', () => {
  it('comes as br or gzip to whoever takes it, and says what it depends on', async () => {
    for (const [encoding, wanted] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const answer = await ask('/long', encoding);
      assert.equal(answer.headers['content-encoding'], wanted);
      assert.equal(answer.headers['content-length'], String(answer.rawPayload.length));
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      const text = (wanted === 'br' ? brotliDecompressSync : gunzipSync)(answer.rawPayload).toString();
      assert.deepEqual(JSON.parse(text), long);
    }
    assert.equal((await ask('/varied', 'br')).headers.vary, 'Accept, Accept-Encoding');
  });

  it('comes as it is to all others; so does what is short or no JSON', async () => {
    for (const encoding of [undefined, '', 'identity', 'deflate', 'gzip;q=0']) {
      const answer = await ask('/long', encoding);
      assert.deepEqual([answer.headers['content-encoding'], answer.json()], [undefined, long]);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
    }
    for (const url of ['/short', '/csv']) {
      assert.equal((await ask(url, 'br, gzip')).headers['content-encoding'], undefined, url);
    }
  });
});

it('Accept-Encoding that makes no sense is no reason to fail', () => {
  for (const header of [';;;', 'br;q=x', ',', '*;q=0', 'x-gzip']) assert.equal(preferredWay(header), undefined, header);
  assert.equal(preferredWay('*'), 'br');
});
