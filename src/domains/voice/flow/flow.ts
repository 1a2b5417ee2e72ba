import { isInactive } from '../../accounts/index.ts';
import { tone } from '../../audio/index.ts';
import { type CallStep, routeCall } from '../../routing/index.ts';
import {
  advance,
  answer,
  type Ending,
  endOf,
  HungUp,
  type InboundCall,
  note,
  nowOf,
  startRinging,
  step,
} from '../calls/call.ts';
import { discardRecording, keepRecording, leastSeconds, loseRecording, startRecording } from '../records/recording.ts';
import { connect } from './connect.ts';
import { type Outcomes, ring, usualRingSeconds } from './ring.ts';
import { fileSound, play, spokenSound } from './sounds.ts';

const digitsMost = 20;
const digitsTries = 3;
const digitsPatienceMs = 5000;
const has = ({ number }: InboundCall, feature: string): boolean => number.features.includes(feature);

/**
 * The recipe of a call to one of our numbers, the same whatever carries it:
 *
 *   notice, spoken text, caller id ──▶ digits ──▶ route ──▶ ring ──▶ whisper ──▶ talk
 *                                                   ▲        │ nobody        ╲
 *                                                   ╰────────┴──▶ voicemail ──▶ end
 *
 * The caller may hang up in any step, which ends the recipe there (`HungUp`). Until something is to be heard, or somebody
 * answers, the call is not answered: the caller's own network lets them hear the ringing.
 */
export async function follow(call: InboundCall): Promise<Ending> {
  // The record says that somebody called; nobody's phone rings.
  if (await isInactive(call.deps, call.accountId)) return suspended;
  await greet(call);
  if (has(call, 'CAPTURE_DIGITS')) await captureDigits(call);
  const outcomes: Outcomes = [];
  for await (const destination of findDestinations(call)) {
    const ending = await tryDestination(call, destination, outcomes);
    if (ending) return ending;
  }
  return (has(call, 'VOICEMAIL_LITE') ? await takeVoicemail(call) : undefined) ?? missed(outcomes);
}

const suspended: Ending = { result: 'REJECTED', by: 'PLATFORM', code: 480, description: 'The account is suspended.' };

/** What the caller hears before anybody's phone rings. */
async function greet(call: InboundCall): Promise<void> {
  const { number } = call;
  if (has(call, 'RECORD_CALL')) await playFile(call, 'record_call_file');
  if (has(call, 'TTS')) {
    const spoken = await spokenSound(call, 'tts', number);
    if (spoken) await playTo(call, 'tts', spoken);
  }
  if (has(call, 'KEEP_NUMBER')) await playFile(call, 'keep_number_file');
}

async function playFile(call: InboundCall, field: 'record_call_file' | 'keep_number_file'): Promise<void> {
  const sound = await fileSound(call, field, call.number[field]);
  if (sound) await playTo(call, field, sound);
}

async function playTo(call: InboundCall, what: string, sound: Parameters<typeof play>[3]): Promise<void> {
  await answer(call);
  await play(call, call.leg, what, sound);
}

async function captureDigits(call: InboundCall): Promise<void> {
  await answer(call);
  const prompt = await fileSound(call, 'capture_digits_file', call.number.capture_digits_file);
  const options = { most: digitsMost, finishKey: '#', patienceMs: digitsPatienceMs };
  for (let attempt = 1; attempt <= digitsTries; attempt++) {
    note(call, 'call.digits_asked', { attempt });
    const digits = await step(call, call.leg.gather(options, prompt));
    if (digits !== '') return advance(call, 'call.digits_captured', { digits }, { digits, attempt });
  }
}

/** undefined: it did not work out, and the next one is tried. */
async function tryDestination(
  call: InboundCall,
  destination: CallStep,
  outcomes: Outcomes,
): Promise<Ending | undefined> {
  note(call, 'call.routed', { ...destination });
  switch (destination.kind) {
    case 'RING':
      return ringAndConnect(call, destination, outcomes);
    case 'VOICEMAIL':
      return takeVoicemail(call);
    case 'AUDIO':
      return playAndEnd(call, destination.audioFile);
    case 'HANGUP':
      return { result: 'REJECTED', by: 'PLATFORM', code: 603, description: 'The route says to hang up.' };
  }
}

async function ringAndConnect(
  call: InboundCall,
  destination: Extract<CallStep, { kind: 'RING' }>,
  outcomes: Outcomes,
): Promise<Ending | undefined> {
  const { numbers, ringSeconds: seconds, route } = destination;
  const stopRinging = startRinging(call.leg);
  try {
    // A caller who withheld their number has none to show.
    const shows = has(call, 'KEEP_NUMBER') && call.row.from_number !== '' ? { shows: call.row.from_number } : {};
    const answered = await ring(call, { numbers, seconds, ...shows });
    const ending = Array.isArray(answered) ? undefined : await connect(call, { ...answered, route, stopRinging });
    outcomes.push(...(Array.isArray(answered) ? answered : [hungUpEarly]));
    return ending;
  } finally {
    stopRinging();
  }
}

/** Picked up, and hung up before they were connected. */
const hungUpEarly = { kind: 'refused', code: 603, description: 'Hung up during the whisper' } as const;

async function playAndEnd(call: InboundCall, audioFile: string): Promise<Ending | undefined> {
  const sound = await fileSound(call, 'audio_file', audioFile);
  if (!sound) return undefined;
  await answer(call);
  const answered = { status: 'IN_PROGRESS', answered_at: nowOf(call).toISOString() };
  await advance(call, 'call.answered', answered, { by: 'audio_file' });
  await play(call, call.leg, 'audio_file', sound);
  return { result: 'ANSWERED', by: 'PLATFORM', code: 200 };
}

/** Nobody answered: they were all busy, or it is for some other reason. */
function missed(outcomes: Outcomes): Ending {
  if (outcomes.length === 0) {
    return { result: 'MISSED', by: 'PLATFORM', code: 480, description: 'There was nobody to ring.' };
  }
  const isBusy = outcomes.every(({ kind }) => kind === 'busy');
  const { description } = outcomes.at(-1)!;
  return isBusy
    ? { result: 'BUSY', by: 'CALLEE', code: 486, description }
    : { result: 'MISSED', by: 'PLATFORM', code: 480, description };
}

/** Where a call may go, one after the other: as the number's routing config says, else to its `target_number`. */
export async function* findDestinations(call: InboundCall): AsyncGenerator<CallStep> {
  const { deps, accountId, number, row } = call;
  const facts = { number: number.digits, caller: row.from_digits, digits: call.row.digits, at: nowOf(call) };
  let isRouted = false;
  for await (const step of routeCall(deps, accountId, facts)) {
    isRouted = true;
    yield step;
  }
  if (isRouted || number.target_number === '') return;
  yield { kind: 'RING', numbers: [number.target_number], ringSeconds: usualRingSeconds, agent: null, route: '' };
}

const mostMs = 120_000;

/** Lets the caller leave a message; undefined when they left none. */
async function takeVoicemail(call: InboundCall): Promise<Ending | undefined> {
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
