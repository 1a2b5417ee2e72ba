import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { bytes, newName } from '../../../../test/kit/files/file-guarantees.ts';
import { type FileName, FileStoreError } from '../files.ts';
import { makeFilesInStore } from '../in-store.ts';
import { readStoreAddress } from './address.ts';
import { type ObjectStore, openStore } from './client.ts';
import { usualPatience } from './request.ts';

/** For what never comes, and for what does. */
const impatience = { attemptMs: 400, totalMs: 1_500, pausesMs: [5, 5], bytesPerSecond: 1e9, graceMs: 400 };
const patience = { ...usualPatience, pausesMs: [5, 5] };
const listing = (inside: string) => `<ListBucketResult>${inside}</ListBucketResult>`;

describe('A store that misbehaves', { timeout: 600_000 }, () => {
  let directory: string;
  let server: http.Server;
  let store: ObjectStore;
  let patient: ObjectStore;
  let files: ReturnType<typeof makeFilesInStore>;
  let patientFiles: typeof files;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked = 0;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-hostile-'));
    server = http.createServer((request, response) => {
      asked++;
      request.resume();
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const address = readStoreAddress(`s3://id:hush@bucket?endpoint=http://127.0.0.1:${port}`, {});
    store = openStore(address, impatience);
    patient = openStore(address, patience);
    patientFiles = makeFilesInStore(patient, { dataDir: directory });
    files = makeFilesInStore(store, { dataDir: directory });
  });
  after(async () => {
    for (const opened of [store, patient]) await opened.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    asked = 0;
  });
  const everything = (name: FileName): [string, () => Promise<unknown>][] => [
    ['get', async () => (await files.get(name))?.bytes.toArray()],
    ['size', () => files.size(name)],
    ['put', () => files.put(name, bytes('x'), 1)],
    ['list', () => Array.fromAsync(files.list('media'))],
    ['local', () => files.local(name)],
    ['check', () => store.check()],
  ];

  const cases: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    'says nothing': () => {},
    'answers 503': (_, response) => response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
    'closes the connection': (request) => request.socket.destroy(),
    'talks of another protocol': (request) => request.socket.end('HELLO\r\n\r\n'),
    'switches protocols': (request) =>
      request.socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'refuses the keys': (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'),
    'sends an error without end': ({ method }, response) => {
      response.writeHead(500);
      if (method === 'HEAD') return void response.end();
      const fill = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', fill);
      fill();
    },
  };
  for (const [title, behaviour] of Object.entries(cases)) {
    it(`${title} › every call ends with an error of the store, and nothing is left behind`, async () => {
      answer = behaviour;
      for (const [call, use] of everything(newName())) {
        await assert.rejects(use, (error) => error instanceof FileStoreError && !error.message.includes('hush'), call);
      }
      assert.deepEqual(await readdir(path.join(directory, 'tmp')), []);
    });
  }

  it('a 503 is tried again, and a refusal is not', async () => {
    answer = (_, response) =>
      asked < 3 ? response.writeHead(503).end() : response.writeHead(200, { 'content-length': '7' }).end();
    assert.equal(await patientFiles.size(newName()), 7);
    assert.equal(asked, 3);
    asked = 0;
    answer = (_, response) => response.writeHead(403).end();
    await assert.rejects(patientFiles.size(newName()), FileStoreError);
    assert.equal(asked, 1);
  });

  it('a body that breaks off is asked for again from there, if the object is still the same', async () => {
    const text = 'abcdefghij';
    answer = (request, response) => {
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      if (from > 0) assert.equal(request.headers['if-match'], '"1"');
      const rest = text.slice(from);
      response.writeHead(from > 0 ? 206 : 200, {
        etag: '"1"',
        'content-length': rest.length,
        ...(from > 0 && { 'content-range': `bytes ${from}-9/10` }),
      });
      response.write(rest.slice(0, 4), () => (rest.length > 4 ? response.destroy() : response.end()));
    };
    const file = await patientFiles.get(newName());
    assert.equal(Buffer.concat(await file!.bytes.toArray()).toString(), text);
  });

  it('a body that breaks off for good, trickles, or is another than was stored is never taken for the file', async () => {
    const head = { etag: '"1"', 'content-length': '10' };
    const bodies: ((response: ServerResponse) => void)[] = [
      (response) => response.write('abc', () => response.destroy()),
      (response) => response.write('a'),
    ];
    for (const body of bodies) {
      answer = (request, response) => {
        if (request.headers.range) return void response.writeHead(412).end();
        response.writeHead(200, head);
        if (request.method === 'HEAD') response.end();
        else body(response);
      };
      const name = newName();
      await assert.rejects(async () => (await files.get(name))?.bytes.toArray(), FileStoreError);
      await assert.rejects(files.local(name), FileStoreError);
    }
    answer = (request, response) => {
      response.writeHead(200, { ...head, 'x-amz-meta-sha256': 'a'.repeat(64) });
      response.end(request.method === 'HEAD' ? '' : '0123456789');
    };
    await assert.rejects(patientFiles.local(newName()), /other bytes/);
  });

  it('nonsense in place of a listing is an error, and so is a listing without end', async () => {
    const object = '<Contents><Key>k</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>';
    const same = '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>';
    for (const text of [
      '',
      '{}',
      '<html></html>',
      '<ListBucketResult>',
      listing('<IsTruncated>true</IsTruncated>'),
      listing(object.replace('<Size>1</Size>', '')),
      listing(object.replace('>1<', '>many<')),
      listing(object + same),
    ]) {
      answer = (_, response) => response.writeHead(200).end(text);
      await assert.rejects(Array.fromAsync(files.list('media')), FileStoreError, text);
    }
    answer = (_, response) => response.writeHead(200).end(listing(object));
    assert.deepEqual(await Array.fromAsync(patientFiles.list('media')), []);
  });

  it('a recording that the store does not take is not lost', async () => {
    answer = (_, response) => response.writeHead(503).end();
    const name = newName();
    await writeFile(await files.draft(name), 'recorded');
    await files.adopt(await files.draft(name), name);
    assert.equal(await files.size(name), 8);
  });
});
