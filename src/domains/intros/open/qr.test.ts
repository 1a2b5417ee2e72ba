import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import decodeQr from 'qr/decode.js';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { makeIntro } from '../../../../test/kit/intros/make-intro.ts';
import { qrPng, qrSvg } from './qr.ts';

/** Reads a greyscale picture of one bit per point back, and what is written in it. */
function readPng(png: Buffer): { size: number; text: string } {
  const size = png.readUInt32BE(16);
  assert.deepEqual([png.readUInt32BE(20), png[24], png[25]], [size, 1, 0]);
  const data = png.indexOf('IDAT');
  const points = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  const rowBytes = 1 + Math.ceil(size / 8);
  const rgba = new Uint8Array(size * size * 4).fill(255);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const light = (points[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1;
      rgba.fill(light * 255, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  return { size, text: decodeQr({ width: size, height: size, data: rgba }) };
}

describe('A QR code', () => {
  it('says what was put in, at any size, as another program reads it', () => {
    for (const [text, size] of [
      ['https://parley.example/l/k7m2q9xw4t', 64],
      ['https://parley.example/l/k7m2q9xw4t', 511],
      [`https://${'long-name.'.repeat(20)}example/l/k7m2q9xw4t`, 512],
    ] as const) {
      assert.deepEqual(readPng(qrPng(text, size)), { size, text });
    }
  });

  it('grows beyond the size that was asked for rather than leaving something out', () => {
    const text = `https://${'long-name.'.repeat(100)}example/l/k7m2q9xw4t`;
    const { size } = { size: qrPng(text, 64).readUInt32BE(16) };
    assert.ok(size > 64);
  });

  it('as SVG has the same fields', () => {
    const text = 'https://parley.example/l/k7m2q9xw4t';
    const svg = qrSvg(text, 370);
    const fields = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)![1]);
    const scale = 8;
    const rgba = new Uint8Array((fields * scale) ** 2 * 4).fill(255);
    for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
      for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
        for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++) {
          const at = (row * fields * scale + column) * 4;
          rgba.fill(0, at, at + 3);
        }
      }
    }
    assert.equal(decodeQr({ width: fields * scale, height: fields * scale, data: rgba }), text);
    assert.match(svg, /^<svg [^>]*width="370" height="370"/);
  });
});

describe('GET /v2/chatapp/chat-intros/{uuid}/qr/', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api', PUBLIC_URL: 'https://chat.example' });
  });
  after(() => app.close());

  it('the absolute link as PNG, or as SVG where that is asked for', async () => {
    const { uuid, code } = await makeIntro(app);
    const url = `/v2/chatapp/chat-intros/${uuid}/qr/`;
    const get = (url: string, accept = '*/*') =>
      app.app.inject({ url, headers: { authorization: `Token ${app.token}`, accept } });
    const png = await get(`${url}?size=300`);
    assert.equal(png.headers['content-type'], 'image/png');
    assert.deepEqual(readPng(png.rawPayload), { size: 300, text: `https://chat.example/l/${code}` });
    const type = async (url: string, accept?: string) =>
      String((await get(url, accept)).headers['content-type']).split(';')[0];
    assert.equal(await type(`${url}?format=svg`), 'image/svg+xml');
    assert.equal(await type(url, 'image/svg+xml'), 'image/svg+xml');
    assert.equal(await type(`${url}?format=png`, 'image/svg+xml'), 'image/png');
    assert.equal(await type(url, 'image/avif,image/png,image/svg+xml,*/*'), 'image/png');
  });

  it('400 for a size or format that is none, 404 for another tenant and for a deleted intro, 401 without a token', async () => {
    const { uuid } = await makeIntro(app);
    const url = `/v2/chatapp/chat-intros/${uuid}/qr/`;
    for (const query of ['size=1', 'size=99999', 'size=x']) {
      const { status, body } = await app.call('GET', `${url}?${query}`);
      assert.deepEqual([status, Object.keys(body)], [400, ['size']], query);
    }
    assert.deepEqual(Object.keys((await app.call('GET', `${url}?format=gif`)).body), ['format']);
    assert.equal((await app.call('GET', url, undefined, { token: app.otherToken })).status, 404);
    assert.equal((await app.call('GET', url, undefined, { token: null })).status, 401);
    await app.call('DELETE', `/v2/chatapp/chat-intros/${uuid}/`);
    assert.equal((await app.call('GET', url)).status, 404);
  });
});
