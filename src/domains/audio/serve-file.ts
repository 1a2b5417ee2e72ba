import type { IncomingHttpHeaders } from 'node:http';
import type { Deps } from '../../deps.ts';
import { ulawHeader } from '../../platform/audio/wav.ts';
import { notFound } from '../../platform/errors.ts';
import { type FileAnswer, fileAnswer } from '../../platform/http/files/file-answer.ts';
import type { Answer } from '../../platform/http/route.ts';
import { findAudioFile, mp3Place, soundPlace } from './queries.ts';

/** The MP3 as it came, or what callers hear of it. */
export async function serveAudioFile(
  { db, files }: Deps,
  accountId: string,
  uuid: string,
  { format, asked }: { format: keyof typeof formats; asked: IncomingHttpHeaders },
): Promise<Answer> {
  const row = await findAudioFile(db, accountId, uuid);
  if (!row) throw notFound();
  const { type, placeOf, ...content } = formats[format];
  const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${row.uuid}.${format}"` };
  return fileAnswer(files, placeOf(row.account_id, row.uuid), { headers, asked, ...content });
}

/** Sounds are stored without a header. A chunk of a WAV file has an even number of bytes. */
const wavFrame: FileAnswer['frame'] = (size) => ({ before: ulawHeader(1, size), behind: Buffer.alloc(size & 1) });

const formats = {
  mp3: { type: 'audio/mpeg', placeOf: mp3Place },
  wav: { type: 'audio/wav', placeOf: soundPlace, frame: wavFrame },
};
