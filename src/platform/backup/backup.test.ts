import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { BackupError, type Description, formatNumber } from './contents.ts';
import { readBackup } from './read.ts';
import { openBackup } from './write.ts';

const description: Description = {
  product: 'parley',
  format: formatNumber,
  version: '0.0.0',
  created: '2026-01-01T00:00:00.000Z',
  database: { kind: 'dump', postgres: 18, migration: 1 },
  platform: 'any',
  files: 'copied',
  has_secret_key: false,
};

describe('A backup', () => {
  let directory: string;
  let whole: Buffer;
  const at = (name: string) => path.join(directory, name);
  const nothing = { begin: async () => {}, directory: async () => {} };
  const read = (name: string) =>
    readBackup(at(name), {
      ...nothing,
      async file(_name, bytes) {
        for await (const _ of bytes);
      },
    });
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-backup-'));
    const writer = await openBackup(at('whole'), description);
    await writer.addDirectory('a');
    for (let index = 0; index < 20; index++) {
      const content = index % 2 === 0 ? randomBytes(50_000) : Buffer.alloc(200_000, index);
      await writer.add(`a/${index}`, content.length, [content].values() as unknown as AsyncIterable<Buffer>);
    }
    await writer.finish();
    whole = await readFile(at('whole'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('is read as it was written', async () => {
    const { entries, bytes } = await read('whole');
    assert.deepEqual([entries, bytes > 2_500_000], [21, true]);
  });

  it('that was cut anywhere, or has another byte anywhere, is refused in a sentence', async () => {
    for (let step = 0; step < 20; step++) {
      const place = Math.floor((whole.length * step) / 20);
      await writeFile(at('cut'), whole.subarray(0, place));
      await assert.rejects(read('cut'), BackupError, `cut at ${place}`);
      const turned = Buffer.from(whole);
      turned[place]! ^= 0x55;
      await writeFile(at('turned'), turned);
      await assert.rejects(read('turned'), BackupError, `turned at ${place}`);
    }
  });

  it('that somebody fails to store says why', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const failing = readBackup(at('whole'), { ...nothing, file: () => Promise.reject(full) });
    await assert.rejects(failing, (error) => error === full);
  });
});
