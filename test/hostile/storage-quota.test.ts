import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Stage, startStage, until } from './outage-stage.ts';

/** What each of the accounts here may store. */
const mostBytes = 20_000;

describe('An account whose room for files is used up', { timeout: 240_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await startStage({ STORAGE_BYTES_PER_ACCOUNT: String(mostBytes) });
    await stage.parley.ready();
  });
  after(() => stage.stop());

  const png = (bytes: number): Blob => {
    const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d', 'hex');
    return new Blob([head, Buffer.alloc(bytes - head.length)], { type: 'image/png' });
  };
  const upload = async (bytes: number) => {
    const form = new FormData();
    form.set('file', png(bytes), 'picture.png');
    return stage.call('POST', '/v2/chatapp/template-media/', form);
  };
  const importContacts = async (bytes: number) => {
    const form = new FormData();
    form.set('file', new Blob([`phone_number\n${'+447700900001\n'.repeat(bytes / 14)}`]), 'contacts.csv');
    return stage.call('POST', '/v2/contacts/upload/', form);
  };
  const used = async (): Promise<number> => (await stage.call('GET', '/v2/account/')).body.usage.storage_bytes;

  it('is told so for every kind of upload, keeps nothing of them, and can make room', async () => {
    assert.equal(await used(), 0);
    const kept = await upload(15_000);
    assert.equal(kept.status, 201, JSON.stringify(kept.body));
    assert.equal(await used(), 15_000);
    for (const refused of [await upload(6_000), await importContacts(7_000)]) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'storage_quota_exceeded']);
      assert.match(refused.body.detail, /Delete some/);
    }
    assert.equal(await used(), 15_000);
    assert.deepEqual(await readdir(path.join(stage.dataDir, 'tmp')), []);
    const [account] = await readdir(path.join(stage.dataDir, 'media'));
    assert.equal((await readdir(path.join(stage.dataDir, 'media', account!))).length, 1);

    assert.equal((await stage.call('DELETE', `/v2/chatapp/template-media/${kept.body.uuid}/`)).status, 204);
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
    await stage.call('PATCH', '/v2/account/', { limits: { storage_bytes: 0 } });
    const job = await stage.call('POST', '/v3/jobs/', { type: 'contacts.export', input: {} });
    assert.equal(job.status, 202, JSON.stringify(job.body));
    const ended = await until(
      async () => (await stage.call('GET', `/v3/jobs/${job.body.id}/`)).body,
      ({ status }) => ['SUCCEEDED', 'FAILED'].includes(status),
    );
    assert.equal(ended.status, 'FAILED');
    assert.match(JSON.stringify(ended), /room for files is used up/);

    const call = await stage.call('POST', '/v2/voice/calls/', {
      from: '+447700900001',
      to: '+447700900002',
      tts: 'Hello',
      record: true,
    });
    assert.equal(call.status, 201, JSON.stringify(call.body));
    const over = await until(
      async () => (await stage.call('GET', `/v2/voice/calls/${call.body.uuid}/`)).body,
      ({ status }) => status === 'ENDED',
    );
    assert.equal(over.result, 'ANSWERED');
    assert.match(JSON.stringify(over), /room for files is used up/);

    await stage.call('PATCH', '/v2/account/', { limits: { storage_bytes: 1_000_000 } });
    assert.equal((await upload(6_000)).status, 201);
  });
});
