import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import * as samples from '../../../test/kit/media/sample-files.ts';
import { identify } from './identify.ts';

let directory: string;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-identify-'));
});
after(() => rm(directory, { recursive: true, force: true }));

async function identified(bytes: Buffer | string) {
  const file = path.join(directory, 'sample');
  await writeFile(file, bytes);
  return identify(file);
}

const office = 'application/vnd.openxmlformats-officedocument';
const kinds: [title: string, bytes: Buffer | string, mimeType: string, mediaType: string | undefined][] = [
  ['JPEG', samples.jpeg, 'image/jpeg', 'IMAGE'],
  ['PNG', samples.png, 'image/png', 'IMAGE'],
  ['WebP', samples.webp, 'image/webp', 'STICKER'],
  ['MP4', samples.mp4, 'video/mp4', 'VIDEO'],
  ['3GP', samples.gpp, 'video/3gpp', 'VIDEO'],
  ['AAC', samples.aac, 'audio/aac', 'AUDIO'],
  ['AMR', samples.amr, 'audio/amr', 'AUDIO'],
  ['MP3', samples.mp3, 'audio/mpeg', 'AUDIO'],
  ['M4A', samples.m4a, 'audio/mp4', 'AUDIO'],
  ['MP4 with sound only', samples.speechMp4, 'audio/mp4', 'AUDIO'],
  ['Ogg with Opus', samples.opus, 'audio/ogg', 'AUDIO'],
  ['PDF', samples.pdf, 'application/pdf', 'DOCUMENT'],
  ['Word', samples.docx, `${office}.wordprocessingml.document`, 'DOCUMENT'],
  ['Excel', samples.xlsx, `${office}.spreadsheetml.sheet`, 'DOCUMENT'],
  ['PowerPoint', samples.pptx, `${office}.presentationml.presentation`, 'DOCUMENT'],
  ['old Word', samples.compoundFile('WordDocument'), 'application/msword', 'DOCUMENT'],
  ['old Excel', samples.compoundFile('Workbook'), 'application/vnd.ms-excel', 'DOCUMENT'],
  ['older Excel', samples.compoundFile('Book'), 'application/vnd.ms-excel', 'DOCUMENT'],
  ['old PowerPoint', samples.compoundFile('PowerPoint Document'), 'application/vnd.ms-powerpoint', 'DOCUMENT'],
  ['text', 'Grüße,\r\n\tIhr Büro\n', 'text/plain', 'DOCUMENT'],
  ['text that begins like a bitmap', 'BMW for sale', 'text/plain', 'DOCUMENT'],
  ['text that is XML', '<?xml version="1.0"?><a/>', 'text/plain', 'DOCUMENT'],
  ['long text', 'ö'.repeat(200_001), 'text/plain', 'DOCUMENT'],
  ['text with a control character', 'a\u0007', '', undefined],
  ['text with a NUL', 'a\u0000b', '', undefined],
  ['text in Latin-1', Buffer.from('Grüße', 'latin1'), '', undefined],
  ['text that ends within a character', Buffer.from('Grü').subarray(0, 3), '', undefined],
  ['Ogg with Vorbis', samples.vorbis, 'audio/ogg without Opus', undefined],
  ['another compound file', samples.compoundFile('Installer'), 'application/x-cfb', undefined],
  ['ZIP', samples.plainZip, 'application/zip', undefined],
  ['GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'image/gif', undefined],
  ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'application/x-msdownload', undefined],
  ['nothing known', Buffer.from([1, 2, 3, 4]), '', undefined],
];

describe('A file is known by its content', () => {
  for (const [title, bytes, mimeType, mediaType] of kinds) {
    test(`${title} is ${mimeType || 'unknown'}`, async () => {
      assert.deepEqual(await identified(bytes), { mimeType, mediaType, isAnimated: false });
    });
  }

  test('an animated WebP is told from a static one', async () => {
    assert.equal((await identified(samples.animatedWebp)).isAnimated, true);
  });

  test('an MP4 whose box says that it is larger than any file', async () => {
    const box = Buffer.from('000000016d646174ffffffffffffffff', 'hex');
    const start = Buffer.from('000000146674797069736f6d0000020069736f6d', 'hex');
    assert.equal((await identified(Buffer.concat([start, box, Buffer.alloc(64)]))).mimeType, 'video/mp4');
  });

  test('broken files are looked at without harm', async () => {
    const whole = kinds.map(([, bytes]) => Buffer.from(bytes as Buffer)).filter((bytes) => bytes.length < 10_000);
    const broken = fc.record({
      bytes: fc.constantFrom(...whole),
      length: fc.double({ min: 0, max: 1, noNaN: true }),
      changes: fc.array(fc.record({ at: fc.nat(), value: fc.nat(255) }), { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(broken, async ({ bytes, length, changes }) => {
        const copy = Buffer.from(bytes.subarray(0, Math.ceil(bytes.length * length)));
        for (const { at, value } of changes) if (copy.length > 0) copy[at % copy.length] = value;
        await identified(copy);
      }),
      { numRuns: 500 },
    );
  });
});
