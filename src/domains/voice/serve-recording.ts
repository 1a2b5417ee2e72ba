import { stat } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../platform/errors.ts';
import { makeFiles } from '../../platform/files.ts';
import type { Answer } from '../../platform/http/route.ts';
import { findCall } from './queries.ts';
import { recordingFile } from './recording.ts';

export const RecordingContent = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'audio/wav',
});

export async function serveRecording({ db, config }: Deps, accountId: string, uuid: string): Promise<Answer> {
  const call = await findCall(db, accountId, uuid);
  if (!call || call.recording_seconds === null) throw notFound();
  const files = makeFiles(config.dataDir);
  const name = recordingFile(accountId, uuid);
  const body = await files.read(name);
  if (!body) throw notFound();
  const { size } = await stat(files.path(name));
  return {
    status: 200,
    body,
    headers: {
      'content-type': 'audio/wav',
      'content-length': String(size),
      'content-disposition': `attachment; filename="${call.voicemail ? 'voicemail' : 'recording'}-${uuid}.wav"`,
      'x-content-type-options': 'nosniff',
    },
  };
}
