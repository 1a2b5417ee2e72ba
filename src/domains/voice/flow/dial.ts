import type { DialOutcome, OutboundLeg, Sound } from '../../../carriers/ports/voice.ts';
import { international } from '../../../platform/phone.ts';
import { findOptedOutNow } from '../../optouts/index.ts';
import { advance, type Ending, type LiveCall, msSince, nowOf, startRinging } from '../calls/call.ts';
import { keepRecording, startRecording } from '../records/recording.ts';
import { talk } from './connect.ts';
import { ring } from './ring.ts';
import { fileSound, play, spokenSound } from './sounds.ts';

/** The recipe of a call that we make: rings `to`, speaks and plays what there is, then connects with `bridge_to`. */
export async function dial(call: LiveCall): Promise<Ending> {
  const { deps, accountId, row } = call;
  const person = { accountId, digits: row.to_digits };
  if ((await findOptedOutNow(deps, [person], 'VOICE')).size > 0) {
    return { result: 'FAILED', by: 'PLATFORM', code: 403, description: 'The recipient has opted out.' };
  }
  const started_at = nowOf(call).toISOString();
  await advance(call, 'call.started', { status: 'RINGING', started_at, target: row.to_number }, { to: row.to_number });
  if (call.endedFor) return { result: 'ABANDONED', by: call.endedFor, code: 487 };

  const since = nowOf(call).getTime();
  // Speech is made while it rings, so that whoever answers does not wait for it.
  const words = prepareWords(call);
  words.catch(() => {});
  const leg = ringUp(call);
  const outcome = await leg.outcome;
  call.rangMs = msSince(call, since);
  if (outcome.kind !== 'answered') return notAnswered(call, outcome);
  call.isAnswered = true;
  const changes = {
    status: 'IN_PROGRESS',
    answered_at: nowOf(call).toISOString(),
    ring_seconds: Math.round(call.rangMs / 1000),
    carrier_call_id: leg.id,
  };
  await advance(call, 'call.answered', changes, { by: row.to_number });
  const speak = async () => speakAndConnect(call, leg, await words);
  return row.record && row.bridge_to === '' ? recorded(call, leg, speak) : speak();
}

/** What is said to the person, in its order. */
async function prepareWords(call: LiveCall): Promise<Words> {
  const sounds = {
    tts: await spokenSound(call, 'tts', call.row),
    audio_file: await fileSound(call, 'audio_file', call.row.audio_file),
  };
  return Object.entries(sounds).flatMap(([what, sound]) => (sound ? [{ what, sound }] : []));
}

type Words = { what: string; sound: Sound }[];

function ringUp(call: LiveCall): OutboundLeg {
  const { voice, accountId, row } = call;
  const leg = voice.dial({
    accountId,
    from: international(row.from_digits),
    to: international(row.to_digits),
    timeoutMs: row.timeout_seconds * 1000,
  });
  call.leg = leg;
  return leg;
}

/** One who listens alone is recorded from the answer on, however it ends. */
async function recorded(call: LiveCall, leg: OutboundLeg, speak: () => Promise<Ending>): Promise<Ending> {
  const recording = await startRecording(call, [leg]);
  try {
    return await speak();
  } finally {
    call.endedMs ??= nowOf(call).getTime();
    if (recording) await keepRecording(call, recording.stop(), 'call.recording_ready');
  }
}

async function speakAndConnect(call: LiveCall, leg: OutboundLeg, words: Words): Promise<Ending> {
  const { bridge_to, timeout_seconds: seconds, record } = call.row;
  for (const { what, sound } of words) await play(call, leg, what, sound);
  if (bridge_to === '') return { result: 'ANSWERED', by: 'PLATFORM', code: 200 };

  const stopRinging = startRinging(leg);
  try {
    const answered = await ring(call, { numbers: [bridge_to], seconds });
    stopRinging();
    if (!Array.isArray(answered)) return await talk(call, answered.leg, record);
    const description = `bridge_to did not answer: ${answered[0]!.description}.`;
    return { result: 'ANSWERED', by: 'PLATFORM', code: 200, description };
  } finally {
    stopRinging();
  }
}

const results = {
  busy: 'BUSY',
  refused: 'REJECTED',
  unanswered: 'MISSED',
  unreachable: 'FAILED',
  cancelled: 'ABANDONED',
} as const;

function notAnswered(call: LiveCall, { kind, code, description }: Exclude<DialOutcome, { kind: 'answered' }>): Ending {
  const by = kind === 'cancelled' ? (call.endedFor ?? 'PLATFORM') : kind === 'unanswered' ? 'PLATFORM' : 'CALLEE';
  return { result: results[kind], by: kind === 'unreachable' ? 'NETWORK' : by, code, description };
}
