import { sampleRate, toUlaw } from '../../../platform/audio/g711.ts';

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
export function murmur(channels: number): Buffer {
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
