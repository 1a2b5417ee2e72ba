import type { Leg, Sound } from '../../../carriers/ports/voice.ts';
import { findSound, speak } from '../../audio/index.ts';
import { type LiveCall, leaveOut, note, step } from '../calls/call.ts';

/** An audio file by its name or uuid. One that is missing or broken is left out and noted; it never drops the call. */
export async function fileSound(call: LiveCall, what: string, nameOrUuid: string): Promise<Sound | undefined> {
  if (nameOrUuid === '') return undefined;
  const sound = await findSound(call.deps, call.accountId, nameOrUuid).catch(() => undefined);
  if (!sound) leaveOut(call, what, `${what}: there is no audio file "${nameOrUuid}"; it was skipped.`);
  return sound;
}

/** A text, in its language. One that cannot be spoken is left out and noted. */
export async function spokenSound(
  call: LiveCall,
  what: string,
  { tts, tts_language }: { tts: string; tts_language: string },
): Promise<Sound | undefined> {
  if (tts.trim() === '') return undefined;
  try {
    return await speak(call.deps, tts, tts_language);
  } catch (error) {
    call.deps.log.warn({ err: error, call: call.uuid }, 'A text could not be spoken');
    leaveOut(call, what, `${what}: the text could not be spoken; it was skipped.`);
    return undefined;
  }
}

/** Plays a sound to somebody who has answered, while the call goes on. */
export async function play(call: LiveCall, leg: Leg, what: string, sound: Sound): Promise<void> {
  note(call, 'call.played', { what, seconds: sound.seconds, to: leg === call.leg ? 'person' : 'target' });
  const playing = leg.play(sound).catch((error) => {
    call.deps.log.warn({ err: error, call: call.uuid }, 'A sound could not be played');
    return leaveOut(call, what, `${what}: the sound could not be played; it was skipped.`);
  });
  await step(call, playing);
}
