import { open } from 'node:fs/promises';
import { sampleRate, toUlaw } from '../../../platform/audio/g711.ts';
import { ulawHeader } from '../../../platform/audio/wav.ts';
import type { Recording, RecordOptions } from '../../ports/voice.ts';
import type { SandboxLeg } from './leg.ts';
import type { VoiceTime } from './time.ts';

/** Records legs that say no words: the file is as long as it took. Whoever speaks to a mailbox hangs up when they are done. */
export function record(legs: SandboxLeg[], { path, mostMs, finishKey }: RecordOptions, time: VoiceTime): Recording {
  const [first] = legs as [SandboxLeg, ...SandboxLeg[]];
  const { accountId, speaksMs } = first.phone;
  const sinceMs = time.now(accountId);
  const stopped = new AbortController();
  const isOver = AbortSignal.any([stopped.signal, first.over]);
  const stopListening = first.onKey((key) => key === finishKey && stopped.abort());
  if (legs.length === 1 && speaksMs !== undefined) {
    void time
      .wait(accountId, speaksMs, isOver)
      .then(() => stopped.signal.aborted || first.end({ by: 'peer', code: 200, description: '' }));
  }
  const write = async (): Promise<{ seconds: number }> => {
    await time.wait(accountId, mostMs ?? Number.POSITIVE_INFINITY, isOver);
    stopListening();
    // The time of calls goes back to what was due, where the machine was late.
    const tookMs = Math.min(Math.max(0, time.now(accountId) - sinceMs), mostMs ?? Number.POSITIVE_INFINITY);
    stopped.abort();
    await writeTalk(path, tookMs / 1000, legs.length);
    return { seconds: tookMs / 1000 };
  };
  const ended = write();
  // `stop` reports an error. If nobody calls it, the unhandled rejection must not end the process.
  ended.catch(() => {});
  return {
    ended,
    stop() {
      stopped.abort();
      return ended;
    },
  };
}

/** A longer one is cut: nothing new is to be heard in it. */
const mostSeconds = 600;

/** Writes a recording in which people murmur in turns, one channel for each leg. */
export async function writeTalk(path: string, seconds: number, channels: number): Promise<void> {
  const dataLength = Math.round(Math.min(seconds, mostSeconds) * sampleRate) * channels;
  const file = await open(path, 'w', 0o600);
  try {
    await file.write(ulawHeader(channels, dataLength));
    const chunk = murmur(channels);
    for (let left = dataLength; left > 0; left -= chunk.length) await file.write(chunk.subarray(0, left));
    // A chunk of an odd length is followed by a byte that is not counted.
    if (dataLength % 2 === 1) await file.write(Buffer.alloc(1));
  } finally {
    await file.close();
  }
}

/**
 * How people in the sandbox sound: a murmur without words, syllable by syllable, in turns and with pauses. The same in every
 * recording.
 */
const pitchesHertz = [118, 195];
/** How many syllables somebody says before the next one does. */
const turns = [9, 14, 5, 17, 11, 7];
const loudest = 26_000;
/** How strong each harmonic is, which makes it a voice and no whistle. */
const harmonics = [1, 0.7, 0.45, 0.5, 0.2];

const rounds = new Map<number, Buffer>();

/** All turns once, in µ-law, the channels interleaved; where a channel has no turn it is silent. */
function murmur(channels: number): Buffer {
  const made = rounds.get(channels) ?? makeRound(channels);
  rounds.set(channels, made);
  return made;
}

function makeRound(channels: number): Buffer {
  const chance = makeChance();
  const parts = turns.map((syllables, turn) => {
    const speaker = turn % channels;
    return { speaker, samples: speak(pitchesHertz[speaker % pitchesHertz.length]!, syllables, chance) };
  });
  const round = new Int16Array(channels * parts.reduce((sum, { samples }) => sum + samples.length, 0));
  let at = 0;
  for (const { speaker, samples } of parts) {
    for (const sample of samples) {
      round[at + speaker] = sample;
      at += channels;
    }
  }
  return toUlaw(round);
}

function speak(pitch: number, syllables: number, chance: () => number): number[] {
  const samples: number[] = [];
  for (let syllable = 0; syllable < syllables; syllable++) {
    const length = Math.round(sampleRate * (0.11 + 0.16 * chance()));
    const hertz = pitch * (0.88 + 0.3 * chance());
    const loudness = loudest * (0.35 + 0.65 * chance());
    for (let n = 0; n < length; n++)
      samples.push(Math.round(loudness * voice(hertz, n) * Math.sin((Math.PI * n) / length)));
    pause(samples, chance() < 0.2 ? 0.25 : 0.04);
  }
  return pause(samples, 0.4 + 0.8 * chance());
}

const total = harmonics.reduce((sum, strength) => sum + strength, 0);
const voice = (hertz: number, n: number): number =>
  harmonics.reduce(
    (sum, strength, index) => sum + strength * Math.sin((2 * Math.PI * hertz * (index + 1) * n) / sampleRate),
    0,
  ) / total;

function pause(samples: number[], seconds: number): number[] {
  for (let n = 0; n < seconds * sampleRate; n++) samples.push(0);
  return samples;
}

/** Numbers between 0 and 1 that look like chance, the same ones each time. */
function makeChance(): () => number {
  let state = 1;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
