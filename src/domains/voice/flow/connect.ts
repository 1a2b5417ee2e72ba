import type { OutboundLeg } from '../../../carriers/ports/voice.ts';
import { advance, answer, type Ending, endOf, type InboundCall, type LiveCall, note, nowOf } from '../calls/call.ts';
import { keepRecording, startRecording } from '../records/recording.ts';
import { fileSound, play } from './sounds.ts';

interface Connection {
  leg: OutboundLeg;
  to: string;
  route: string;
  stopRinging(): void;
}

/**
 * Connects the caller with who answered, after the whisper, during which the caller still hears ringing. undefined: the person
 * called hung up before they were connected, which is a way to refuse.
 */
export async function connect(
  call: InboundCall,
  { leg, to, route, stopRinging }: Connection,
): Promise<Ending | undefined> {
  try {
    const whispered = await whisper(call, leg);
    if (await endOf(leg)) {
      note(call, 'call.not_answered', { to, outcome: 'refused', code: 603 });
      return undefined;
    }
    await answer(call);
    stopRinging();
    const answered_at = nowOf(call).toISOString();
    const ring_seconds = Math.round(call.rangMs / 1000);
    const changes = { status: 'IN_PROGRESS', answered_at, ring_seconds, target: to, route, whispered };
    await advance(call, 'call.answered', changes, { by: to });
    return await talk(call, leg, call.number.features.includes('RECORD_CALL'));
  } finally {
    await leg.hangUp();
  }
}

async function whisper(call: InboundCall, leg: OutboundLeg): Promise<boolean> {
  if (!call.number.features.includes('WHISPER')) return false;
  const sound = await fileSound(call, 'whisper_file', call.number.whisper_file);
  if (sound) await play(call, leg, 'whisper_file', sound);
  return sound !== undefined;
}

/** Two people talk until one of them has enough. */
export async function talk(call: LiveCall, other: OutboundLeg, isRecorded: boolean): Promise<Ending> {
  const leg = call.leg!;
  const recording = isRecorded ? await startRecording(call, [leg, other]) : undefined;
  const ended = Promise.race([
    leg.ended.then((end) => ({
      end,
      by: call.row.direction === 'INBOUND' ? ('CALLER' as const) : ('CALLEE' as const),
    })),
    other.ended.then((end) => ({ end, by: 'CALLEE' as const })),
  ]);
  await Promise.race([call.voice.bridge(leg, other), ended]);
  const { end, by } = await ended;
  call.endedMs = nowOf(call).getTime();
  if (recording) await keepRecording(call, recording.stop(), 'call.recording_ready');
  return {
    result: 'ANSWERED',
    by: end.by === 'peer' ? by : end.by === 'network' ? 'NETWORK' : (call.endedFor ?? 'PLATFORM'),
    code: end.code,
    description: end.description,
  };
}
