import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Leg, Recording } from '../../carriers/ports/voice.ts';
import { mendUlawWav } from '../../platform/audio/wav.ts';
import type { Config } from '../../platform/config.ts';
import { type FileName, makeFiles } from '../../platform/files.ts';
import { countStored, roomOf } from '../accounts/index.ts';
import { advance, type LiveCall, note } from './call.ts';

/** Less is a click and a breath. */
export const leastSeconds = 1;

/** Where the recording of a call is, or its voicemail: it has one or the other. */
export const recordingFile = (accountId: string, uuid: string): FileName => `recordings/${accountId}/${uuid}`;

const pathOf = ({ dataDir }: Config, { accountId, uuid }: Pick<LiveCall, 'accountId' | 'uuid'>): string =>
  makeFiles(dataDir).path(recordingFile(accountId, uuid));

/** undefined: it cannot be recorded, which is noted and logged; the call goes on. */
export async function startRecording(
  call: LiveCall,
  legs: Leg[],
  options: { mostMs?: number; finishKey?: string } = {},
): Promise<Recording | undefined> {
  try {
    if ((await roomOf(call.deps, call.accountId)) === 0) {
      call.notes.push("The call is not recorded: the account's room for files is used up.");
      return undefined;
    }
    const file = pathOf(call.deps.config, call);
    await mkdir(path.dirname(file), { recursive: true });
    const recording = call.voice.record(legs, { path: file, ...options });
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
    const { size } = await stat(pathOf(call.deps.config, call));
    await countStored(call.deps.db, call.accountId, size);
    await advance(call, kind, { recording_seconds: seconds, voicemail: isVoicemail }, { seconds });
  } catch (error) {
    loseRecording(call, error);
    // Nobody will ask for it, and its room is needed.
    await discardRecording(call).catch(() => {});
  }
}

/** What a process that died has recorded of a call, made whole: its length; undefined when there is nothing worth keeping. */
export async function mendRecording(
  config: Config,
  call: Pick<LiveCall, 'accountId' | 'uuid'>,
): Promise<number | undefined> {
  const mended = await mendUlawWav(pathOf(config, call)).catch(() => undefined);
  return mended && mended.seconds >= leastSeconds ? Math.round(mended.seconds) : undefined;
}

/** The disk is full, or the like: the call goes on, and its record says so. */
export function loseRecording(call: LiveCall, error: unknown): undefined {
  call.deps.log.error({ err: error, call: call.uuid }, 'A recording is lost');
  call.notes.push('The recording is lost.');
}

export const discardRecording = (call: LiveCall): Promise<void> => rm(pathOf(call.deps.config, call), { force: true });
