import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Stage, startStage } from '../../../../simulators/cloud-api/testing.ts';
import { type Connector, makeConnector } from '../../../../test/kit/cloud-api/connector.ts';
import { CarrierRefusal } from '../../ports/carriers.ts';
import type { CarrierMedia, OutboundFile, Sender } from '../../ports/chat.ts';

let stage: Stage;
let connector: Connector;
let media: CarrierMedia;
let sender: Sender;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-media-'));
  stage = await startStage();
  connector = makeConnector({
    url: stage.simulator.url,
    settings: { app_id: stage.simulator.world.app.id },
  });
  ({ sender } = connector);
  media = connector.carrier.chat.media;
});
afterEach(async () => {
  await connector.close();
  await stage.close();
  await rm(folder, { recursive: true });
});

async function fileOf(name: string, mimeType: string, bytes: Buffer): Promise<OutboundFile> {
  const file = path.join(folder, 'stored');
  await writeFile(file, bytes);
  return { name, mimeType, size: bytes.length, path: file };
}
async function read(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes));
}
const refused = (code: string, temporary: boolean) => (error: unknown) =>
  error instanceof CarrierRefusal && error.code === code && error.temporary === temporary;
const png = Buffer.from('\x89PNG\r\n--boundary\r\n\r\n\0binary', 'latin1');

describe('A file of ours', () => {
  it('arrives byte for byte, with its type, and is known for 30 days', async () => {
    const { id, expiresAt } = await media.upload(sender, await fileOf('café "1".png', 'image/png', png));
    const there = stage.simulator.world.media.get(id)!;
    assert.equal(there.mimeType, 'image/png');
    assert.deepEqual(there.bytes, png);
    assert.ok(Math.abs(expiresAt.getTime() - there.expires.getTime()) < 60_000);
  });

  it('is refused when the platform does not take its kind, for good', async () => {
    const file = await fileOf('a.exe', 'application/x-msdownload', png);
    await assert.rejects(media.upload(sender, file), refused('100', false));
    stage.simulator.faults.next(1, { kind: 'error', code: 131016 }, 'media');
    await assert.rejects(media.upload(sender, file), refused('131016', true));
    stage.simulator.faults.next(1, { kind: 'reset' }, 'media');
    await assert.rejects(media.upload(sender, file), refused('no_answer', true));
  });

  it('of many megabytes arrives whole', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'large');
    const { id } = await media.upload(sender, await fileOf('a.pdf', 'application/pdf', large));
    assert.ok(stage.simulator.world.media.get(id)!.bytes.equals(large));
  });
});

describe('The sample of a template', () => {
  it('is uploaded apart, and named by a handle', async () => {
    const handle = await media.uploadSample(sender, await fileOf('a b.png', 'image/png', png));
    assert.equal(stage.simulator.world.handles.get(handle), 'image/png');
    const [opened, sent] = stage.simulator.received;
    assert.equal(new URL(opened!.url, 'http://x').searchParams.get('file_name'), 'a b.png');
    assert.deepEqual(sent!.body, png);
  });

  it('begins anew after a break', async () => {
    const file = await fileOf('a.png', 'image/png', png);
    stage.simulator.faults.next(1, { kind: 'lost-answer' }, 'object');
    await assert.rejects(media.uploadSample(sender, file), refused('no_answer', true));
    assert.ok(await media.uploadSample(sender, file));
    await assert.rejects(media.uploadSample(sender, { ...file, mimeType: 'image/webp' }), refused('100', false));
  });
});

describe('A file that a person sent', () => {
  const send = (bytes: Buffer): string => {
    const { payload } = stage.simulator
      .person('+34600111222')
      .sends({ kind: 'document', mimeType: 'application/pdf', bytes });
    return (payload.document as { id: string }).id;
  };

  it('comes in two steps, byte for byte', async () => {
    const bytes = Buffer.alloc(300_000, 'pdf');
    const { mimeType, bytes: stream } = await media.download(sender, send(bytes));
    assert.equal(mimeType, 'application/pdf');
    assert.deepEqual(await read(stream), bytes);
  });

  it('that is gone, another number’s, or not there is refused for good', async () => {
    const id = send(png);
    const other = { ...sender, settings: { ...sender.settings, phone_number_id: '42' } };
    await assert.rejects(media.download(other, id), refused('100', false));
    stage.simulator.advance(8 * 86_400_000);
    await assert.rejects(media.download(sender, id), refused('100', false));
    await assert.rejects(media.download(sender, '../42'), refused('100', false));
  });

  it('is refused for now when the platform does not answer', async () => {
    const id = send(png);
    stage.simulator.faults.next(1, { kind: 'reset' }, 'object');
    await assert.rejects(media.download(sender, id), refused('no_answer', true));
    stage.simulator.faults.next(1, { kind: 'error', code: 2 }, 'object');
    await assert.rejects(media.download(sender, id), refused('2', true));
  });
});
