import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { Leg, Recording } from '../../../carriers/ports/voice.ts';
import type { Deps } from '../../../deps.ts';
import { mendUlawWav } from '../../../platform/audio/wav.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { FileName, Files } from '../../../platform/files/files.ts';
import { fileAnswer } from '../../../platform/http/files/file-answer.ts';
import type { Answer } from '../../../platform/http/route.ts';
import { countStored, roomOf } from '../../accounts/index.ts';
import { advance, type LiveCall, note } from '../calls/call.ts';
import { findCall } from '../queries.ts';

/** Less is a click and a breath. */
export const leastSeconds = 1;

export const recordingsFolder = 'recordings';

/** Where the recording of a call is, or its voicemail: it has one or the other. */
export const recordingFile = (accountId: string, uuid: string): FileName => `${recordingsFolder}/${accountId}/${uuid}`;

const nameOf = ({ accountId, uuid }: Pick<LiveCall, 'accountId' | 'uuid'>) => recordingFile(accountId, uuid);

/** undefined: it cannot be recorded, which is noted and logged; the call goes on. */
export async function startRecording(
  call: LiveCall,
  legs: Leg[],
  options: { mostMs?: number; finishKey?: string } = {},
): Promise<Recording | undefined> {
  try {
    if ((await roomOf(call.deps, call.accountId)) === 0) {
      call.notes.push('The call is not recorded: the account has used up its file storage.');
      return undefined;
    }
    const path = await call.deps.files.draft(nameOf(call));
    const recording = call.voice.record(legs, { path, ...options });
    note(call, 'call.recording_started', { channels: legs.length });
    return recording;
  } catch (error) {
    call.deps.log.error({ err: error, call: call.uuid }, 'A call is not recorded');
    call.notes.push('The call could not be recorded.');
    return undefined;
  }
}

/** Keeps a recording that has come to its end. */
export async function keepRecording(
  call: LiveCall,
  ended: Promise<{ seconds: number }>,
  kind: 'call.recording_ready' | 'call.voicemail_received',
): Promise<void> {
  try {
    const seconds = Math.round((await ended).seconds);
    const isVoicemail = kind === 'call.voicemail_received';
    const { db, files } = call.deps;
    const name = nameOf(call);
    await files.adopt(await files.draft(name), name);
    await advance(call, kind, { recording_seconds: seconds, voicemail: isVoicemail }, { seconds });
    await countStored(db, call.accountId, (await files.size(name)) ?? 0).catch((error: unknown) =>
      call.deps.log.error({ err: error, call: call.uuid }, 'The room of a recording is not counted'),
    );
  } catch (error) {
    loseRecording(call, error);
    // Nobody will ask for it, and its room is needed.
    await discardRecording(call).catch(() => {});
  }
}

/** What a process that died has recorded of a call, made whole: its length; undefined when there is nothing worth keeping. */
export async function mendRecording(
  files: Files,
  call: Pick<LiveCall, 'accountId' | 'uuid'>,
): Promise<number | undefined> {
  const path = await files.draft(nameOf(call));
  const mended = await mendUlawWav(path).catch(() => undefined);
  if (!mended || mended.seconds < leastSeconds) return undefined;
  await files.adopt(path, nameOf(call));
  return Math.round(mended.seconds);
}

/** The disk is full, or the like: the call goes on, and its record says so. */
export function loseRecording(call: LiveCall, error: unknown): undefined {
  call.deps.log.error({ err: error, call: call.uuid }, 'A recording is lost');
  call.notes.push('The recording is lost.');
}

export const discardRecording = (call: LiveCall): Promise<void> => call.deps.files.delete(nameOf(call));

export const RecordingContent = Type.Unsafe<string>({
  type: 'string',
  format: 'binary',
  contentMediaType: 'audio/wav',
});

const onItsWay = (): ApiError =>
  new ApiError('unavailable', {
    detail: 'The recording is on its way to the file store, from the host that made it. Try again shortly.',
    headers: { 'retry-after': '5' },
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
    missing: files.mayArrive ? onItsWay : notFound,
    headers: {
      'content-type': 'audio/wav',
      'content-disposition': `attachment; filename="${call.voicemail ? 'voicemail' : 'recording'}-${uuid}.wav"`,
    },
  });
}
