import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/kit/app.ts';
import { greeting, greetingSeconds, silentMp3 } from '../../../test/kit/speech/sounds.ts';
import { fromUlaw, rms } from '../../platform/audio/g711.ts';
import { readWav } from '../../platform/audio/wav.ts';
import { newId } from '../../platform/ids.ts';
import { speechDirectory } from '../../platform/speech/sounds.ts';
import { findSound, speak, tone } from './index.ts';
import { sweep } from './store.ts';

const url = '/v2/audio-files/';
let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

interface Options {
  filename?: string;
  name?: string;
  token?: string;
  key?: string;
}

async function upload(file: Uint8Array, { filename = 'hello.mp3', name, token, key }: Options = {}) {
  const form = new FormData();
  if (name !== undefined) form.append('name', name);
  form.append('file', new Blob([new Uint8Array(file)]), filename);
  const request = new Response(form);
  const answer = await app.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Token ${token ?? app.token}`,
      'content-type': request.headers.get('content-type') ?? '',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() } satisfies TestAnswer;
}

const download = (uuid: string, query = '', token = app.token) =>
  app.app.inject({
    method: 'GET',
    url: `${url}${uuid}/content/${query}`,
    headers: { authorization: `Token ${token}` },
  });

const short = silentMp3(24_000, 0.5);
const filesLeft = async (folder: string): Promise<string[]> =>
  readdir(path.join(app.deps.config.dataDir, folder, app.accountId)).catch(() => []);

describe('POST /v2/audio-files/', () => {
  test('201 with what was heard in it; it is listed, described and downloaded as it came and as callers hear it', async () => {
    const { status, body } = await upload(greeting, { filename: 'welcome.mp3', name: 'Welcome' });
    assert.equal(status, 201);
    const { uuid, created, duration_seconds, ...rest } = body;
    assert.deepEqual(rest, { name: 'Welcome', filename: 'welcome.mp3', size: greeting.length, in_use_by: [] });
    assert.ok(Math.abs(duration_seconds - greetingSeconds) < 0.1);
    assert.match(created, /Z$/);
    assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body, body);
    assert.deepEqual((await app.call('GET', url)).body.results[0], body);

    const mp3 = await download(uuid);
    assert.deepEqual([mp3.statusCode, mp3.headers['content-type']], [200, 'audio/mpeg']);
    assert.ok(mp3.rawPayload.equals(greeting));
    const wav = await download(uuid, '?format=wav');
    assert.equal(wav.headers['content-type'], 'audio/wav');
    assert.equal(Number(wav.headers['content-length']), wav.rawPayload.length);
    const heard = readWav(wav.rawPayload)!;
    assert.deepEqual([heard.format, heard.channels, heard.rate], [7, 1, 8_000]);
    assert.ok(Math.abs(heard.seconds - duration_seconds) < 0.001);
    assert.ok(rms(fromUlaw(heard.data)) > 0.03);
    assert.equal((await download(uuid, '?format=ogg')).statusCode, 400);
    // The header is not stored: parts of it, of the sound, and of both.
    const { length } = wav.rawPayload;
    for (const [start, end] of [
      [0, 3],
      [10, 99],
      [500, 600],
      [length - 4, length - 1],
    ] as const) {
      const headers = { authorization: `Token ${app.token}`, range: `bytes=${start}-${end}` };
      const part = await app.app.inject({ url: `${url}${uuid}/content/?format=wav`, headers });
      assert.deepEqual([part.statusCode, part.headers['content-range']], [206, `bytes ${start}-${end}/${length}`]);
      assert.ok(part.rawPayload.equals(wav.rawPayload.subarray(start, end + 1)), `${start} to ${end}`);
    }
  });

  test('without a name it has that of the file, and another after it a number', async () => {
    const names: string[] = [];
    for (let n = 0; n < 3; n++) names.push((await upload(short, { filename: 'again.mp3' })).body.name);
    assert.deepEqual(names, ['again.mp3', 'again (2).mp3', 'again (3).mp3']);
    const together = await Promise.all(Array.from({ length: 4 }, () => upload(short, { filename: 'together' })));
    assert.deepEqual(together.map(({ body }) => body.name).sort(), [
      'together',
      'together (2)',
      'together (3)',
      'together (4)',
    ]);
  });

  test('400 for a name that another file of the account has, that is blank, too long or a uuid', async () => {
    assert.equal((await upload(short, { name: 'Taken' })).status, 201);
    const refused = async (options: Options, sentence: string) => {
      const { status, body } = await upload(short, options);
      assert.deepEqual([status, body], [400, { name: [sentence] }]);
    };
    await refused({ name: 'Taken' }, 'An audio file with this name already exists.');
    await refused({ name: ' ' }, 'This field may not be blank.');
    await refused({ name: 'x'.repeat(256) }, 'Ensure this field has no more than 255 characters.');
    await refused({ name: newId() }, 'A name cannot be a uuid.');
    await refused({ filename: newId().toUpperCase() }, 'A name cannot be a uuid.');
    assert.equal((await upload(short, { name: 'Taken', token: app.otherToken })).status, 201);
    assert.equal((await upload(short, { name: 'taken' })).status, 201);
  });

  test('400 for what is no MP3, whatever it is called, and nothing is left of it', async () => {
    const before = [await filesLeft('audio'), await filesLeft('sounds')];
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');
    for (const file of [png, greeting.subarray(0, 40), Buffer.from('ID3')]) {
      const { status, body } = await upload(file, { filename: 'sound.mp3' });
      assert.deepEqual([status, body], [400, { file: ['This is not an MP3 file.'] }]);
    }
    assert.deepEqual((await upload(Buffer.alloc(0))).body, { file: ['The submitted file is empty.'] });
    assert.equal((await upload(Buffer.alloc(10 * 1024 * 1024 + 1))).status, 413);
    assert.deepEqual([await filesLeft('audio'), await filesLeft('sounds')], before);
    assert.deepEqual(await readdir(path.join(app.deps.config.dataDir, 'tmp')), []);
  });

  test('a file that was cut off plays as far as it goes', async () => {
    const { status, body } = await upload(greeting.subarray(0, greeting.length / 2));
    assert.equal(status, 201);
    assert.ok(Math.abs(body.duration_seconds - greetingSeconds / 2) < 0.2);
  });

  test('the same Idempotency-Key gets the first answer again', async () => {
    const first = await upload(short, { name: 'Once', key: 'once' });
    assert.equal(first.status, 201);
    assert.deepEqual((await upload(short, { name: 'Once', key: 'once' })).body, first.body);
  });
});

describe('DELETE /v2/audio-files/{uuid}/', () => {
  const buy = async (settings: object): Promise<string> => {
    const { status, body } = await app.call('POST', '/v2/number/', { country_code: 'GB', ...settings });
    assert.equal(status, 201);
    return body.number;
  };

  test('204, and its bytes are gone', async () => {
    const { uuid } = (await upload(short)).body;
    assert.ok((await filesLeft('sounds')).includes(uuid));
    assert.equal((await app.call('DELETE', `${url}${uuid.toUpperCase()}/`)).status, 204);
    for (const folder of ['audio', 'sounds']) assert.ok(!(await filesLeft(folder)).includes(uuid));
    assert.equal((await app.call('GET', `${url}${uuid}/`)).status, 404);
    assert.equal((await download(uuid)).statusCode, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 404);
  });

  test('409 while a number names it in any field, by its name or its uuid in any case', async () => {
    const fields = [
      'whisper_file',
      'record_call_file',
      'keep_number_file',
      'voicemail_lite_file',
      'capture_digits_file',
    ];
    for (const [place, field] of fields.entries()) {
      const { uuid, name } = (await upload(short, { name: `Used as ${field}` })).body;
      const number = await buy({ [field]: [name, uuid, uuid.toUpperCase()][place % 3] });
      assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body.in_use_by, [number]);
      const { status, body } = await app.call('DELETE', `${url}${uuid}/`);
      const detail = `A number still uses this audio file: ${number}.`;
      assert.deepEqual([status, body], [409, { detail, code: 'audio_file_in_use' }]);
      assert.equal((await app.call('PATCH', `/v2/number/${encodeURIComponent(number)}/`, { [field]: '' })).status, 200);
      assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    }
  });

  test('a released number and another tenant’s number use nothing of the account’s', async () => {
    const mine = (await upload(short, { name: 'Shared name' })).body;
    const theirs = (await upload(short, { name: 'Shared name', token: app.otherToken })).body;
    const settings = { country_code: 'GB', whisper_file: 'Shared name' };
    const { number } = (await app.call('POST', '/v2/number/', settings, { token: app.otherToken })).body;
    assert.deepEqual((await app.call('GET', `${url}${mine.uuid}/`)).body.in_use_by, []);
    const seen = await app.call('GET', `${url}${theirs.uuid}/`, undefined, { token: app.otherToken });
    assert.deepEqual(seen.body.in_use_by, [number]);
    const own = await buy({ whisper_file: 'Shared name' });
    assert.deepEqual((await app.call('GET', url)).body.results[0].in_use_by, [own]);
    assert.equal((await app.call('DELETE', `/v2/number/${encodeURIComponent(own)}/`)).status, 204);
    assert.equal((await app.call('DELETE', `${url}${mine.uuid}/`)).status, 204);
  });

  const configs = '/v2/routing-configs/';
  const playing = (audio_file: string) => ({
    name: 'Announcement',
    channel: 'VOICE',
    enabled: false,
    routes: [{ destination: { type: 'NUMBER', numbers: ['+447700900312'] } }],
    fallback: { type: 'AUDIO', audio_file },
  });

  test('409 while a routing config plays it, in a route or as the fallback, by its name or its uuid', async () => {
    const { uuid, name } = (await upload(short, { name: 'Closed' })).body;
    const { status, body: config } = await app.call('POST', configs, playing(uuid.toUpperCase()));
    assert.equal(status, 201);
    const inUse = async (): Promise<void> => {
      assert.deepEqual((await app.call('GET', `${url}${uuid}/`)).body.in_use_by, [config.uuid]);
      const { status, body } = await app.call('DELETE', `${url}${uuid}/`);
      const detail = `A routing config still uses this audio file: ${config.uuid}.`;
      assert.deepEqual([status, body], [409, { detail, code: 'audio_file_in_use' }]);
    };
    await inUse();
    const one = `${configs}${config.uuid}/`;
    const route = { destination: { type: 'AUDIO', audio_file: name } };
    assert.equal((await app.call('PATCH', one, { routes: [route, route], fallback: null })).status, 200);
    await inUse();
    assert.equal((await app.call('PATCH', one, { routes: [] })).status, 200);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`)).status, 204);
    const other = (await upload(short, { name: 'Closed' })).body.uuid;
    assert.equal((await app.call('PATCH', one, { fallback: { type: 'AUDIO', audio_file: 'Closed' } })).status, 200);
    assert.equal((await app.call('DELETE', one)).status, 204);
    assert.equal((await app.call('DELETE', `${url}${other}/`)).status, 204);
  });

  test('a routing config that names no file, or another tenant’s, is a 400 at the field', async () => {
    const theirs = (await upload(short, { name: 'Theirs alone', token: app.otherToken })).body;
    for (const name of ['Nowhere', newId(), theirs.uuid, 'Theirs alone', 'theirs alone']) {
      const audio_file = [`Audio file "${name}" does not exist.`];
      const { status, body } = await app.call('POST', configs, playing(name));
      assert.deepEqual([status, body], [400, { fallback: { audio_file } }]);
      const routes = [playing(name).routes[0], { destination: playing(name).fallback }];
      const routed = await app.call('POST', configs, { ...playing(name), routes, fallback: null });
      assert.deepEqual([routed.status, routed.body], [400, { routes: [{}, { destination: { audio_file } }] }]);
    }
  });

  test('deleted and put into a config at the same moment, one of both is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { uuid } = (await upload(short)).body;
      const [made, deleted] = await Promise.all([
        app.call('POST', configs, playing(uuid)),
        app.call('DELETE', `${url}${uuid}/`),
      ]);
      assert.ok(
        ['201 409', '400 204'].includes(`${made.status} ${deleted.status}`),
        `${made.status} ${deleted.status}`,
      );
    }
  });

  test('a number may name a file that nobody uploaded yet', async () => {
    const number = await buy({ whisper_file: 'later.mp3' });
    const { body } = await upload(short, { filename: 'later.mp3' });
    assert.deepEqual(body.in_use_by, [number]);
  });

  test('another tenant sees, hears and deletes nothing', async () => {
    const { uuid } = (await upload(short)).body;
    const token = app.otherToken;
    assert.equal((await app.call('GET', `${url}${uuid}/`, undefined, { token })).status, 404);
    assert.equal((await app.call('DELETE', `${url}${uuid}/`, undefined, { token })).status, 404);
    assert.equal((await download(uuid, '', token)).statusCode, 404);
    assert.equal((await download(uuid, '?format=wav', token)).statusCode, 404);
  });
});

describe('What calls play', () => {
  test('findSound › by name or uuid, of this account, while its bytes are there', async () => {
    const { uuid, duration_seconds } = (await upload(greeting, { name: 'To be played' })).body;
    const sound = (await findSound(app.deps, app.accountId, 'To be played'))!;
    assert.ok(Math.abs(sound.seconds - duration_seconds) < 0.001);
    assert.equal((await readFile(sound.path)).length, Math.round(sound.seconds * 8_000));
    assert.deepEqual(await findSound(app.deps, app.accountId, uuid.toUpperCase()), sound);
    for (const other of ['to be played', newId(), '', 'string']) {
      assert.equal(await findSound(app.deps, app.accountId, other), undefined);
    }
    assert.equal(await findSound(app.deps, newId(), 'To be played'), undefined);
    await rm(sound.path);
    assert.equal(await findSound(app.deps, app.accountId, uuid), undefined);
    assert.equal((await download(uuid, '?format=wav')).statusCode, 404);
  });

  test('speak and tone › sounds that are there', async () => {
    assert.ok((await speak(app.deps, 'Hello.')).seconds > 0.3);
    assert.equal((await tone(app.deps, 'voicemail')).seconds, 0.5);
  });
});

test('audio.sweep › removes what no row speaks of after a day, and speech that nobody heard for a month', async () => {
  const { dataDir } = app.deps.config;
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
  const { uuid } = (await upload(short)).body;
  const [orphan, young] = [newId(), newId()];
  for (const folder of ['audio', 'sounds']) {
    const directory = path.join(dataDir, folder, app.accountId);
    for (const name of [orphan, young]) await writeFile(path.join(directory, name), 'x');
    for (const name of [orphan, uuid]) await utimes(path.join(directory, name), daysAgo(2), daysAgo(2));
  }
  const speech = speechDirectory(dataDir);
  await mkdir(speech, { recursive: true });
  for (const [name, days] of Object.entries({ old: 31, recent: 29 })) {
    await writeFile(path.join(speech, name), 'x');
    await utimes(path.join(speech, name), daysAgo(days), daysAgo(days));
  }
  await sweep(app.deps);
  for (const folder of ['audio', 'sounds']) {
    const left = await filesLeft(folder);
    assert.deepEqual(
      [orphan, young, uuid].map((name) => left.includes(name)),
      [false, true, true],
    );
  }
  const spoken = await readdir(speech);
  assert.deepEqual(
    ['old', 'recent'].map((name) => spoken.includes(name)),
    [false, true],
  );
});
