import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { fileAnswer } from '../../../platform/http/files/file-answer.ts';
import type { Answer } from '../../../platform/http/route.ts';
import { findCall } from '../queries.ts';
import { recordingFile } from './recording.ts';

export const RecordingContent = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'audio/wav',
});

export async function serveRecording(
  { db, files }: Deps,
  accountId: string,
  uuid: string,
  asked: IncomingHttpHeaders,
): Promise<Answer> {
  const call = await findCall(db, accountId, uuid);
  if (!call || call.recording_seconds === null) throw notFound();
  return fileAnswer(files, recordingFile(accountId, uuid), {
    asked,
    headers: {
      'content-type': 'audio/wav',
      'content-disposition': `attachment; filename="${call.voicemail ? 'voicemail' : 'recording'}-${uuid}.wav"`,
    },
  });
}
