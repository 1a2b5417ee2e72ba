import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { ulawHeader } from '../../platform/audio/wav.ts';
import { notFound } from '../../platform/errors.ts';
import { makeFiles } from '../../platform/files.ts';
import type { Answer } from '../../platform/http/route.ts';
import { type AudioRow, findAudioFile, mp3Place, soundPlace } from './queries.ts';

/** The MP3 as it came, or what callers hear of it. */
export async function serveAudioFile(deps: Deps, accountId: string, uuid: string, format: Format): Promise<Answer> {
  const row = await findAudioFile(deps.db, accountId, uuid);
  const content = row && (await (format === 'mp3' ? openMp3 : openWav)(deps, row));
  if (!content) throw notFound();
  return {
    status: 200,
    body: content.body,
    headers: {
      'content-type': format === 'mp3' ? 'audio/mpeg' : 'audio/wav',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${row.uuid}.${format}"`,
      'x-content-type-options': 'nosniff',
    },
  };
}

type Format = 'mp3' | 'wav';

interface Content {
  body: Readable;
  length: number;
}

async function openMp3({ config }: Deps, row: AudioRow): Promise<Content | undefined> {
  const body = await makeFiles(config.dataDir).read(mp3Place(row.account_id, row.uuid));
  return body && { body, length: row.size };
}

async function openWav({ config }: Deps, row: AudioRow): Promise<Content | undefined> {
  const files = makeFiles(config.dataDir);
  const place = soundPlace(row.account_id, row.uuid);
  const sound = await files.read(place);
  if (!sound) return undefined;
  const { size } = await stat(files.path(place));
  const header = ulawHeader(1, size);
  const padding = size & 1;
  const body = Readable.from(inTurn([header], sound, [Buffer.alloc(padding)]), { objectMode: false });
  return { body, length: header.length + size + padding };
}

async function* inTurn(...parts: (AsyncIterable<Buffer> | Iterable<Buffer>)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}
