import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import {
  animatedWebp,
  docx,
  formWith,
  jpeg,
  m4a,
  mp3,
  mp4,
  padded,
  pdf,
  plainZip,
  png,
  webp,
} from '../../../test/kit/media/sample-files.ts';

const url = '/v2/chatapp/template-media/';
const megabyte = 1024 * 1024;
let app: TestApp;
let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-media-'));
  app = await startTestApp({ ROLES: 'api', DATA_DIR: directory });
});
after(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function upload(file: Buffer, options: Parameters<typeof formWith>[1] & { key?: string } = {}) {
  const { payload, contentType } = await formWith(file, options);
  const headers = {
    authorization: `Token ${app.token}`,
    'content-type': contentType,
    ...(options.key && { 'idempotency-key': options.key }),
  };
  const answer = await app.app.inject({ method: 'POST', url, headers, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const filesOf = (folder: string): Promise<string[]> =>
  readdir(path.join(directory, folder), { recursive: true, withFileTypes: true }).then(
    (entries) => entries.filter((entry) => entry.isFile()).map((entry) => entry.name),
    () => [],
  );
const temporaryBytes = async (): Promise<number> => {
  const sizes = (await filesOf('tmp')).map((name) => stat(path.join(directory, 'tmp', name)).then(({ size }) => size));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};
const download = (address: string, token = app.token) =>
  app.app.inject({ method: 'GET', url: address, headers: { authorization: `Token ${token}` } });

describe(url, () => {
  test('a file is uploaded, described, listed, downloaded and deleted', async () => {
    const filename = 'Prix & (tarifs) été.pdf';
    const { status, body } = await upload(pdf, { type: 'application/pdf', filename, fields: { name: 'Prices' } });
    assert.equal(status, 201);
    const { uuid, created, ...rest } = body;
    assert.deepEqual(rest, {
      name: 'Prices',
      filename,
      mime_type: 'application/pdf',
      media_type: 'DOCUMENT',
      size: pdf.length,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      url: `http://localhost${url}${uuid}/content/`,
    });
    assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body, body);
    assert.deepEqual((await app.call('GET', url)).body.results, [body]);

    const content = await download(`${url}${uuid}/content/`);
    assert.equal(content.statusCode, 200);
    assert.ok(content.rawPayload.equals(pdf));
    assert.equal(content.headers['content-type'], 'application/pdf');
    assert.equal(content.headers['x-content-type-options'], 'nosniff');
    assert.equal(
      content.headers['content-disposition'],
      `attachment; filename="Prix & (tarifs) _t_.pdf"; filename*=UTF-8''Prix%20%26%20%28tarifs%29%20%C3%A9t%C3%A9.pdf`,
    );

    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    assert.equal((await download(`${url}${uuid}/content/`)).statusCode, 404);
    assert.deepEqual([await filesOf('media'), await filesOf('tmp')], [[], []]);
  });

  test('without a name it has that of the file', async () => {
    assert.equal((await upload(png, { filename: 'logo.png' })).body.name, 'logo.png');
  });

  test('nobody else’s: another tenant neither sees nor deletes it', async () => {
    const { uuid } = (await upload(png)).body;
    const stranger = { token: app.otherToken };
    assert.equal((await app.call('GET', `${url}${uuid}/`, undefined, stranger)).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`, undefined, stranger)).status, 404);
    assert.equal((await download(`${url}${uuid}/content/`, app.otherToken)).statusCode, 404);
    assert.equal((await app.call('GET', url, undefined, stranger)).body.count, 0);
    assert.equal((await download(`${url}${uuid}/content/`)).statusCode, 200);
  });

  test('two at the same time are two files', async () => {
    const [one, other] = await Promise.all([upload(png), upload(jpeg)]);
    assert.deepEqual([one.body.mime_type, other.body.mime_type], ['image/png', 'image/jpeg']);
    assert.ok((await download(`${url}${one.body.uuid}/content/`)).rawPayload.equals(png));
    assert.ok((await download(`${url}${other.body.uuid}/content/`)).rawPayload.equals(jpeg));
  });

  test('an Idempotency-Key stands for the file and the fields', async () => {
    const before = await filesOf('media');
    const first = await upload(png, { key: 'k1', fields: { name: 'A' } });
    const again = await upload(png, { key: 'k1', fields: { name: 'A' } });
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true']);
    assert.deepEqual(again.body, first.body);
    assert.equal((await upload(jpeg, { key: 'k1', fields: { name: 'A' } })).status, 422);
    assert.equal((await upload(png, { key: 'k1', fields: { name: 'B' } })).status, 422);
    assert.equal((await filesOf('media')).length, before.length + 1);
    assert.deepEqual(await filesOf('tmp'), []);
  });
});

describe(`POST ${url} › what the file is decides`, () => {
  const accepted: [file: Buffer, claimed: string, is: string][] = [
    [png, 'image/png', 'image/png'],
    [png, 'application/octet-stream', 'image/png'],
    [png, 'text/plain', 'image/png'],
    [jpeg, 'image/jpg', 'image/jpeg'],
    [mp3, 'audio/mp3', 'audio/mpeg'],
    [m4a, 'audio/x-m4a', 'audio/mp4'],
    [Buffer.from('Hello'), 'text/plain; charset=utf-8', 'text/plain'],
  ];
  for (const [file, claimed, is] of accepted) {
    test(`${is} claimed as ${claimed} is taken`, async () => {
      const { status, body } = await upload(file, { type: claimed });
      assert.deepEqual([status, body.mime_type], [201, is]);
    });
  }

  const refused: [title: string, file: Buffer, claimed: string, sentence: string][] = [
    ['a PNG that claims to be a JPEG', png, 'image/jpeg', 'The file is image/png, not image/jpeg.'],
    [
      'a text that claims to be a PDF',
      Buffer.from('Hi'),
      'application/pdf',
      'The file is text/plain, not application/pdf.',
    ],
    [
      'a Word file that claims to be a ZIP',
      docx,
      'application/zip',
      'The file is application/vnd.openxmlformats-officedocument.wordprocessingml.document, not application/zip.',
    ],
    ['a ZIP', plainZip, 'application/zip', 'The platform does not take files of this type (application/zip).'],
    ['a page of HTML', Buffer.from('<html><script>'), 'text/html', 'The file is text/plain, not text/html.'],
    ['what is nothing', Buffer.from([1, 2, 3]), 'image/png', 'The platform does not take files of this type.'],
  ];
  for (const [title, file, claimed, sentence] of refused) {
    test(`400 for ${title}`, async () => {
      const before = await filesOf('media');
      const { status, body } = await upload(file, { type: claimed });
      assert.deepEqual([status, body], [400, { file: [sentence] }]);
      assert.deepEqual([await filesOf('media'), await filesOf('tmp')], [before, []]);
    });
  }
});

describe(`POST ${url} › limits of the platform`, () => {
  const limits: [title: string, file: Buffer, mostBytes: number, sentence: string][] = [
    ['an image', png, 5 * megabyte, 'no more than 5 MB, the limit of an image.'],
    ['a video', mp4, 16 * megabyte, 'no more than 16 MB, the limit of a video.'],
    ['an audio file', m4a, 16 * megabyte, 'no more than 16 MB, the limit of an audio file.'],
    ['a sticker', webp, 100 * 1024, 'no more than 100 KB, the limit of a static sticker.'],
    ['an animated sticker', animatedWebp, 500 * 1024, 'no more than 500 KB, the limit of an animated sticker.'],
  ];
  for (const [title, file, mostBytes, sentence] of limits) {
    test(`${title} of the largest size is taken, one byte more is refused`, async () => {
      const largest = await upload(padded(file, mostBytes));
      assert.deepEqual([largest.status, largest.body.size], [201, mostBytes]);
      const { status, body } = await upload(padded(file, mostBytes + 1));
      assert.deepEqual([status, body], [400, { file: [`Ensure the file has ${sentence}`] }]);
      assert.equal((await app.call('DELETE', `${url}${largest.body.uuid}/`)).status, 204);
    });
  }

  test('a document of 100 MB is taken and one of 101 MB refused, and neither is held in memory', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.app.server.address() as AddressInfo;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    /** Sent, and not in the file yet: kept by buffers on the way, whose size does not depend on that of the upload. */
    let mostUnwritten = 0;
    const send = (size: number) => {
      const body = async function* () {
        yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n');
        yield pdf;
        for (let sent = pdf.length; sent < size; sent += chunk.length) {
          const isLooked = size === 100 * megabyte && Math.floor(sent / chunk.length) % 16 === 0;
          if (isLooked) mostUnwritten = Math.max(mostUnwritten, sent - (await temporaryBytes()));
          yield chunk.subarray(0, Math.min(chunk.length, size - sent));
        }
        yield Buffer.from('\r\n--b--\r\n');
      };
      return fetch(`http://127.0.0.1:${port}${url}`, {
        method: 'POST',
        headers: { authorization: `Token ${app.token}`, 'content-type': 'multipart/form-data; boundary=b' },
        body: ReadableStream.from(body()),
        duplex: 'half',
      } as RequestInit);
    };
    const largest = await send(100 * megabyte);
    const { uuid, size, mime_type } = (await largest.json()) as { uuid: string; size: number; mime_type: string };
    assert.deepEqual([largest.status, size, mime_type], [201, 100 * megabyte, 'application/pdf']);
    const tooLarge = await send(101 * megabyte);
    assert.deepEqual(
      [tooLarge.status, await tooLarge.json()],
      [413, { detail: 'The file is larger than 100 MiB.', code: 'payload_too_large' }],
    );
    assert.ok(mostUnwritten < 50 * megabyte, `${Math.round(mostUnwritten / megabyte)} MB were held`);
    assert.deepEqual(await filesOf('tmp'), []);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
  });
});
