import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type CloudSimulator, startCloudSimulator } from '../../simulators/cloud-api/index.ts';
import { until } from '../kit/until.ts';
import { type Served, serve } from './http/wire.ts';

/** What each of the accounts here may store. */
const mostBytes = 20_000;

describe('An account that has used up its file storage', { timeout: 1_800_000 }, () => {
  let app: Served;
  let dataDir: string;
  let platform: CloudSimulator;
  before(async () => {
    platform = await startCloudSimulator({ speed: 1000 });
    app = await serve({ STORAGE_BYTES_PER_ACCOUNT: String(mostBytes), CLOUD_API_URL: platform.url });
    dataDir = app.deps.config.dataDir;
  });
  after(async () => {
    await app.close();
    await platform.close();
  });

  const png = (bytes: number): Blob => {
    const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d', 'hex');
    return new Blob([head, Buffer.alloc(bytes - head.length)], { type: 'image/png' });
  };
  const upload = async (bytes: number) => {
    const form = new FormData();
    form.set('file', png(bytes), 'picture.png');
    return app.ask('POST', '/v2/chatapp/template-media/', form);
  };
  const importContacts = async (bytes: number) => {
    const form = new FormData();
    form.set('file', new Blob([`phone_number\n${'+447700900001\n'.repeat(bytes / 14)}`]), 'contacts.csv');
    return app.ask('POST', '/v2/contacts/upload/', form);
  };
  const used = async (): Promise<number> => (await app.ask('GET', '/v2/account/')).body.usage.storage_bytes;

  it('is told so for every kind of upload, keeps nothing of them, and can make room', async () => {
    assert.equal(await used(), 0);
    const kept = await upload(15_000);
    assert.equal(kept.status, 201, JSON.stringify(kept.body));
    assert.equal(await used(), 15_000);
    for (const refused of [await upload(6_000), await importContacts(7_000)]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'storage_quota_exceeded']);
      assert.match(refused.body.detail, /Delete files/);
    }
    assert.equal(await used(), 15_000);
    assert.deepEqual(await readdir(path.join(dataDir, 'tmp')), []);
    const [account] = await readdir(path.join(dataDir, 'media'));
    assert.equal((await readdir(path.join(dataDir, 'media', account!))).length, 1);

    assert.equal((await app.ask('DELETE', `/v2/chatapp/template-media/${kept.body.uuid}/`)).status, 204);
    assert.equal(await used(), 0);
    assert.equal((await upload(6_000)).status, 201);
  });

  it('of many uploads at once, no more are taken than there is room for', async () => {
    const before = await used();
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(4_000)));
    const taken = answers.filter(({ status }) => status === 201).length;
    assert.equal(before + taken * 4_000, await used());
    assert.ok((await used()) <= mostBytes);
    assert.ok(taken >= 1 && taken < 10);
  });

  it('has its exports end with the reason, its calls go on without a recording, and more room by the operator', async () => {
    await app.ask('PATCH', '/v2/account/', { limits: { storage_bytes: 0 } });
    const job = await app.ask('POST', '/v3/jobs/', { type: 'contacts.export', input: {} });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    const ended = await until(
      async () => (await app.ask('GET', `/v3/jobs/${job.body.id}/`)).body,
      ({ status }) => ['SUCCEEDED', 'FAILED'].includes(status),
    );
    assert.equal(ended.status, 'FAILED');
    assert.match(JSON.stringify(ended), /used up its file storage/);

    const call = await app.ask('POST', '/v2/voice/calls/', {
      from: '+447700900001',
      to: '+447700900002',
      tts: 'Hello',
      record: true,
    });
    assert.equal(call.status, 201, JSON.stringify(call.body));
    const over = await until(
      async () => (await app.ask('GET', `/v2/voice/calls/${call.body.uuid}/`)).body,
      ({ status }) => status === 'ENDED',
    );
    assert.equal(over.result, 'ANSWERED');
    assert.match(JSON.stringify(over), /used up its file storage/);

    await app.ask('PATCH', '/v2/account/', { limits: { storage_bytes: 1_000_000 } });
    assert.equal((await upload(6_000)).status, 201);
  });

  it('gets messages without their files, which say why, and no more files than there is room for', async () => {
    const account = await app.ask('POST', '/v2/chatapp/accounts/', {
      chatapp_number: '+34900111222',
      carrier: 'cloud-api',
      phone_number_id: platform.numberId,
      business_account_id: platform.accountId,
      app_id: '1000000000000001',
      access_token: platform.token,
      app_secret: platform.appSecret,
      verify_token: 'verify',
    });
    assert.equal(account.status, 201, JSON.stringify(account.body));
    await platform.setWebhook(new URL(account.body.webhook_path, app.url).href, 'verify');
    const person = platform.person('+34600111222');
    const bytes = Buffer.from(await png(6_000).arrayBuffer());
    const sends = (caption: string) => person.sends({ kind: 'image', mimeType: 'image/png', bytes, caption });
    const files = async () => {
      const { body } = await app.ask('GET', '/v2/chatapp/messages/?direction=INBOUND&page_size=100');
      return Promise.all(
        body.results.map(async ({ uuid }: { uuid: string }) => {
          const file = await app.ask('GET', `/v2/chatapp/messages/${uuid}/media/`);
          return { status: file.status, detail: file.body.detail as string | undefined };
        }),
      );
    };
    const allKnown = (count: number) =>
      until(files, (found) => found.length === count && found.every(({ status }) => [200, 404].includes(status)));

    const before = await used();
    await app.ask('PATCH', '/v2/account/', { limits: { storage_bytes: before + 13_000 } });
    // They are fetched side by side: none may count on the room that another one takes.
    for (let count = 1; count <= 10; count++) sends(`${count}`);
    const found = await allKnown(10);
    assert.equal(found.filter(({ status }) => status === 200).length, 2, JSON.stringify(found));
    for (const { status, detail } of found) if (status === 404) assert.match(detail!, /used up its file storage/);
    assert.equal(await used(), before + 12_000);
    const { rows } = await sql<{ path: string }>`
      select path from media where account_id = ${app.accountId} and path is not null`.execute(app.deps.db);
    const onDisk = await readdir(path.join(dataDir, 'media', app.accountId));
    assert.deepEqual(
      onDisk.sort(),
      rows.map((row) => path.basename(row.path)).sort(),
      'nothing lies there that nobody has',
    );
    assert.deepEqual(await readdir(path.join(dataDir, 'tmp')), []);

    await app.ask('PATCH', '/v2/account/', { limits: { storage_bytes: 1_000_000 } });
    sends('more room');
    assert.equal((await allKnown(11)).filter(({ status }) => status === 200).length, 3);
  });
});
