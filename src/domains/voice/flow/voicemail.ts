import { tone } from '../../audio/index.ts';
import { type Ending, endOf, HungUp, nowOf } from '../calls/call.ts';
import { discardRecording, keepRecording, leastSeconds, loseRecording, startRecording } from '../records/recording.ts';
import { answer, type InboundCall } from './answer.ts';
import { fileSound, play } from './sounds.ts';

const mostMs = 120_000;

/** Lets the caller leave a message; undefined when they left none. */
export async function takeVoicemail(call: InboundCall): Promise<Ending | undefined> {
  await answer(call);
  const greeting = await fileSound(call, 'voicemail_lite_file', call.number.voicemail_lite_file);
  if (greeting) await play(call, call.leg, 'voicemail_lite_file', greeting);
  await play(call, call.leg, 'tone', await tone(call.deps, 'voicemail'));
  const recording = await startRecording(call, [call.leg], { mostMs, finishKey: '#' });
  if (!recording) return undefined;
  // The end of the message is mostly that the caller hangs up.
  const heard = await recording.ended.catch((error) => loseRecording(call, error));
  call.endedMs = nowOf(call).getTime();
  const end = await endOf(call.leg);
  if (!heard || heard.seconds < leastSeconds) {
    await discardRecording(call);
    if (end) throw new HungUp(end);
    return undefined;
  }
  await keepRecording(call, recording.ended, 'call.voicemail_received');
  return { result: 'VOICEMAIL', by: end ? (call.endedFor ?? 'CALLER') : 'PLATFORM', code: 200 };
}
