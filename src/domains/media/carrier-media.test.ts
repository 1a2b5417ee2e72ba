import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { formWith, jpeg, mp4, opus, pdf, png, webp } from '../../../test/kit/media/sample-files.ts';
import { until } from '../../../test/kit/until.ts';
import { CarrierRefusal, type CarrierWith, makeCarriers } from '../../carriers/ports/carriers.ts';
import type { CarrierMedia, Sender } from '../../carriers/ports/chat.ts';
import type { Deps } from '../../deps.ts';
import { readConfig } from '../../platform/config.ts';
import { newId } from '../../platform/ids.ts';
import { fetchInbound } from './inbound.ts';
import { carrierIdsOf, findMediaErrors, inboundMediaUrl, type MediaType, noteInbound } from './index.ts';
import { sweep } from './retention.ts';

let app: TestApp;
let directory: string;
let chatappAccount: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-media-'));
  app = await startTestApp({ ROLES: 'api', DATA_DIR: directory });
  chatappAccount = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+442079460010' })).body.uuid;
});
after(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function upload(file: Buffer): Promise<string> {
  const { payload, contentType } = await formWith(file);
  const headers = { authorization: `Token ${app.token}`, 'content-type': contentType };
  const answer = await app.app.inject({ method: 'POST', url: '/v2/chatapp/template-media/', headers, payload });
  assert.equal(answer.statusCode, 201);
  return answer.json().uuid;
}

/** The sandbox, with another party at the end of the line that files go over. */
function carrierWith(media: Partial<CarrierMedia>): CarrierWith<'chat'> {
  const sandbox = app.deps.carriers.get('sandbox', 'chat');
  return { ...sandbox, chat: { ...sandbox.chat, media: { ...sandbox.chat.media, ...media } } };
}

describe('Files that messages are sent with', () => {
  test('each use is told what is wrong with it: another type, another tenant’s, none', async () => {
    const types: [MediaType, Buffer][] = [
      ['IMAGE', png],
      ['VIDEO', mp4],
      ['AUDIO', opus],
      ['DOCUMENT', pdf],
      ['STICKER', webp],
    ];
    const uuids = await Promise.all(types.map(([, file]) => upload(file)));
    const { accountId } = app;
    const fitting = types.map(([mediaType], at) => ({ accountId, uuid: uuids[at]!.toUpperCase(), mediaType }));
    assert.deepEqual(await findMediaErrors(app.deps.db, fitting), Array(5).fill(undefined));
    const wrong = types.map(([mediaType], at) => ({ accountId, uuid: uuids[(at + 1) % 5]!, mediaType }));
    assert.deepEqual(
      await findMediaErrors(app.deps.db, wrong),
      ['an image', 'a video', 'an audio file', 'a document', 'a sticker'].map((name) => `This file is not ${name}.`),
    );
    const image = { uuid: uuids[0]!, mediaType: 'IMAGE' as const };
    const nobodys = [
      { ...image, accountId: newId() },
      { ...image, accountId, uuid: newId() },
      { ...image, accountId },
    ];
    assert.deepEqual(await findMediaErrors(app.deps.db, nobodys), ['Not found.', 'Not found.', undefined]);
    assert.deepEqual(await findMediaErrors(app.deps.db, []), []);
  });

  test('are uploaded to the carrier once per sender, again a day before they expire, and not when deleted', async () => {
    const uploads: string[] = [];
    let expiresAt = new Date(Date.now() + 25 * 3_600_000);
    const carrier = carrierWith({
      async upload(sender, file) {
        assert.ok((await readFile(file.path)).equals(jpeg));
        assert.deepEqual([file.name, file.mimeType, file.size], ['a.bin', 'image/jpeg', jpeg.length]);
        uploads.push(sender.uuid);
        return { id: `id-${uploads.length}`, expiresAt };
      },
    });
    const sender: Sender = { accountId: app.accountId, uuid: chatappAccount, number: '+442079460010', settings: {} };
    const other = { ...sender, uuid: newId() };
    const uuid = await upload(jpeg);
    const ids = (from: Sender, ...uuids: string[]) => carrierIdsOf(app.deps, carrier, from, uuids);
    assert.deepEqual(await ids(sender, uuid), new Map([[uuid, 'id-1']]));
    assert.deepEqual(await ids(sender, uuid.toUpperCase(), newId()), new Map([[uuid.toUpperCase(), 'id-1']]));
    expiresAt = new Date(Date.now() + 23 * 3_600_000);
    assert.deepEqual(await ids(other, uuid), new Map([[uuid, 'id-2']]));
    assert.deepEqual(await ids(other, uuid), new Map([[uuid, 'id-3']]));
    assert.deepEqual(await ids({ ...sender, accountId: newId() }, uuid), new Map());
    assert.equal((await app.call('DELETE', `/v2/chatapp/template-media/${uuid}/`)).status, 204);
    assert.deepEqual(await ids(sender, uuid), new Map());
  });

  test('a refusal of the carrier reaches whoever sends', async () => {
    const carrier = carrierWith({
      async upload() {
        throw new CarrierRefusal('131053', 'Unsupported file.');
      },
    });
    const sender: Sender = { accountId: app.accountId, uuid: chatappAccount, number: '+442079460010', settings: {} };
    const uuid = await upload(png);
    await assert.rejects(carrierIdsOf(app.deps, carrier, sender, [uuid]), CarrierRefusal);
  });
});

describe('A file that came with a message', () => {
  const address = (message: string) => `/v2/chatapp/messages/${message}/media/`;
  const note = async (message: string, more: object = {}) => {
    const file = {
      accountId: app.accountId,
      message,
      chatappAccount,
      carrierMediaId: 'm1',
      filename: '',
      sha256: null,
    };
    await noteInbound(app.deps, [{ ...file, mimeType: 'image/png', ...more }]);
  };
  async function fetchWith(download: CarrierMedia['download'], message: string): Promise<void> {
    const { uuid } = await app.deps.db
      .selectFrom('media')
      .select('uuid')
      .where('message', '=', message)
      .executeTakeFirstOrThrow();
    const deps: Deps = { ...app.deps, carriers: makeCarriers([carrierWith({ download })]) };
    await fetchInbound(deps, [{ accountId: app.accountId, uuid }]);
  }
  const bytesOf = (...chunks: Buffer[]) => ({
    mimeType: 'image/png',
    bytes: (async function* () {
      yield* chunks;
    })(),
  });
  const get = (message: string, token = app.token) =>
    app.app.inject({ method: 'GET', url: address(message), headers: { authorization: `Token ${token}` } });

  test('is not there yet, then it is; it is fetched once, and is nobody else’s', async () => {
    const message = newId();
    await note(message, { filename: 'garden.png' });
    await note(message);
    const early = await get(message);
    assert.deepEqual([early.statusCode, early.json().code], [503, 'unavailable']);
    assert.equal(early.headers['retry-after'], '5');
    let downloads = 0;
    const download: CarrierMedia['download'] = async (sender, id) => {
      downloads++;
      assert.deepEqual([sender.uuid, id], [chatappAccount, 'm1']);
      return bytesOf(png.subarray(0, 10), png.subarray(10));
    };
    await fetchWith(download, message);
    await fetchWith(download, message);
    assert.equal(downloads, 1);
    const there = await get(message);
    assert.ok(there.rawPayload.equals(png));
    assert.equal(there.headers['content-type'], 'image/png');
    assert.match(String(there.headers['content-disposition']), /^attachment; filename="garden\.png"/);
    assert.equal((await get(message, app.otherToken)).statusCode, 404);
    assert.equal((await get(newId())).statusCode, 404);
    const uuids = (await app.call('GET', '/v2/chatapp/template-media/')).body.results.map(
      (row: { uuid: string }) => row.uuid,
    );
    assert.ok(!uuids.includes(message));
  });

  test('may have a type that nobody should believe', async () => {
    const message = newId();
    await note(message, { mimeType: 'text/html\r\nSet-Cookie: a=b' });
    await fetchWith(async () => bytesOf(png), message);
    const { headers } = await get(message);
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['set-cookie'], undefined);
  });

  test('is gone when the platform says so, or when it is too large', async () => {
    const gone = newId();
    await note(gone);
    await fetchWith(async () => {
      throw new CarrierRefusal('100', 'The media is gone.');
    }, gone);
    const answer = await get(gone);
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [404, { detail: 'The file is not here: The media is gone.', code: 'not_found' }],
    );
    const huge = newId();
    await note(huge);
    const chunk = Buffer.alloc(1024 * 1024);
    await fetchWith(async () => bytesOf(...Array(101).fill(chunk)), huge);
    assert.equal((await get(huge)).json().detail, 'The file is not here: It is larger than 100 MB.');
    assert.deepEqual(await readdir(path.join(directory, 'tmp')), []);
  });

  test('is tried again after a temporary refusal and after a broken connection', async () => {
    const message = newId();
    await note(message);
    const refuse = async () => {
      throw new CarrierRefusal('2', 'Not now.', { temporary: true });
    };
    await assert.rejects(fetchWith(refuse, message), /Not now/);
    const breakOff = async () => ({
      mimeType: 'image/png',
      bytes: (async function* () {
        yield png.subarray(0, 5);
        throw new Error('socket hang up');
      })(),
    });
    await assert.rejects(fetchWith(breakOff, message), /socket hang up/);
    assert.equal((await get(message)).statusCode, 503);
    assert.deepEqual(await readdir(path.join(directory, 'tmp')), []);
    await fetchWith(async () => bytesOf(png), message);
    assert.equal((await get(message)).statusCode, 200);
  });

  test('has an address that the outside world reaches', () => {
    const at = (env: Record<string, string>) => inboundMediaUrl(readConfig(env), 'abc');
    assert.equal(at({}), 'http://127.0.0.1:8080/v2/chatapp/messages/abc/media/');
    assert.equal(at({ HOST: '::1', PORT: '80' }), 'http://[::1]/v2/chatapp/messages/abc/media/');
    assert.equal(at({ PUBLIC_URL: 'https://parley.example' }), 'https://parley.example/v2/chatapp/messages/abc/media/');
  });

  test('is fetched by a worker soon after it was noted', async () => {
    const working = await startTestApp({ DATA_DIR: directory });
    try {
      const account = await working.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+442079460011' });
      const [accountId, message] = [working.accountId, newId()];
      const file = { accountId, message, chatappAccount: account.body.uuid, carrierMediaId: newId(), sha256: null };
      await noteInbound(working.deps, [{ ...file, mimeType: 'image/png', filename: '' }]);
      const answer = await until(
        () => working.call('GET', address(message)),
        ({ status }) => status !== 503,
      );
      // The sandbox has no file of that id, and says so.
      assert.equal(answer.status, 404);
      assert.match(answer.body.detail, /^The file is not here: /);
    } finally {
      await working.close();
    }
  });
});

describe('media.sweep', () => {
  test('removes what no row speaks of once it is a day old, and leaves the rest', async () => {
    const kept = await upload(png);
    const old = new Date(Date.now() - 2 * 86_400_000);
    const folder = path.join(directory, 'media', app.accountId);
    const [orphan, young] = [newId(), newId()];
    for (const name of [orphan, young]) await writeFile(path.join(folder, name), 'x');
    await mkdir(path.join(directory, 'media', 'notes'), { recursive: true });
    await writeFile(path.join(directory, 'media', 'notes', 'mine.txt'), 'not ours');
    const forgotten = path.join(directory, 'tmp', newId());
    await writeFile(forgotten, 'x');
    for (const file of [path.join(folder, orphan), path.join(folder, kept), forgotten]) await utimes(file, old, old);
    await sweep(app.deps);
    const left = await readdir(folder);
    assert.deepEqual([left.includes(kept), left.includes(orphan), left.includes(young)], [true, false, true]);
    assert.deepEqual(await readdir(path.join(directory, 'tmp')), []);
    assert.deepEqual(await readdir(path.join(directory, 'media', 'notes')), ['mine.txt']);
  });

  test('asks again for a file that is late, and gives up on one that is a week old', async () => {
    const [late, lost] = [newId(), newId()];
    const file = {
      accountId: app.accountId,
      chatappAccount,
      carrierMediaId: 'm',
      filename: '',
      mimeType: '',
      sha256: null,
    };
    await noteInbound(app.deps, [
      { ...file, message: late },
      { ...file, message: lost },
    ]);
    const age = (message: string, days: number) =>
      sql`update media set created = now() - ${days}::float8 * interval '1 day' where message = ${message}`.execute(
        app.deps.db,
      );
    await Promise.all([age(late, 1), age(lost, 8)]);
    const { rows } = await sql<{ uuid: string }>`select uuid from media where message = ${late}`.execute(app.deps.db);
    const jobs = async () =>
      (
        await sql<{ count: number }>`
          select count(*) from pgboss.job where name = 'media.fetch' and data ->> 'uuid' = ${rows[0]!.uuid}`.execute(
          app.deps.db,
        )
      ).rows[0]!.count;
    const before = await jobs();
    await sweep(app.deps);
    assert.deepEqual([before, await jobs()], [1, 2]);
    assert.equal((await app.call('GET', `/v2/chatapp/messages/${late}/media/`)).status, 503);
    assert.equal((await app.call('GET', `/v2/chatapp/messages/${lost}/media/`)).status, 404);
  });
});
