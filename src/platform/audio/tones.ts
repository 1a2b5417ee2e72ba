import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../ids.ts';
import { sampleRate, toUlaw } from './g711.ts';

/** Sine waves together for so long; none of them is silence. */
interface Part {
  hertz: number[];
  seconds: number;
}

/** What a caller hears while it rings, by region (ITU-T E.180 supplement 2): one round of it. */
const ringbacks = {
  GB: [on(0.4, 400, 450), off(0.2), on(0.4, 400, 450), off(2)],
  EU: [on(1, 425), off(4)],
  US: [on(2, 440, 480), off(4)],
} satisfies Record<string, Part[]>;

export type ToneRegion = keyof typeof ringbacks;

function on(seconds: number, ...hertz: number[]): Part {
  return { hertz, seconds };
}
function off(seconds: number): Part {
  return { hertz: [], seconds };
}

/** All waves together at about a quarter of full scale: −15 dBm0, as telephone exchanges have it. */
const amplitude = 8_000;
/** The edges are rounded off, since a wave that is cut clicks. */
const edge = sampleRate * 0.005;

function synthesise(parts: Part[]): Buffer {
  return Buffer.concat(
    parts.map(({ hertz, seconds }) => {
      const samples = new Int16Array(Math.round(seconds * sampleRate));
      for (let n = 0; n < samples.length; n++) {
        const wave = hertz.reduce((sum, each) => sum + Math.sin((2 * Math.PI * each * n) / sampleRate), 0);
        const fade = Math.min(1, n / edge, (samples.length - n) / edge);
        samples[n] = hertz.length === 0 ? 0 : Math.round((wave / hertz.length) * amplitude * fade);
      }
      return toUlaw(samples);
    }),
  );
}

/** One round of ringing, in µ-law. */
export const ringback = (region: ToneRegion = 'GB'): Buffer => synthesise(ringbacks[region]);

/** "Please speak after the tone", in µ-law. */
const voicemailBeep = (): Buffer => synthesise([on(0.5, 1_000)]);

const rowHertz = [697, 770, 852, 941];
const columnHertz = [1_209, 1_336, 1_477, 1_633];
const keypad = '123A456B789C*0#D';

/** A key as it sounds (ITU-T Q.23), for lines without telephone events; undefined for what is no key. */
export function keyTone(key: string, seconds = 0.1): Buffer | undefined {
  const place = key.length === 1 ? keypad.indexOf(key.toUpperCase()) : -1;
  return place < 0 ? undefined : synthesise([on(seconds, rowHertz[place >> 2]!, columnHertz[place & 3]!)]);
}

/** A file of 8 kHz µ-law without a header. */
export interface ToneFile {
  path: string;
  seconds: number;
}

/** Makes the tones as files in a directory, those that are not there yet. */
export async function makeTones(directory: string, region: ToneRegion = 'GB') {
  await mkdir(directory, { recursive: true });
  const [ringing, voicemail] = await Promise.all([
    keep(join(directory, `ringing-${region}.ulaw`), ringback(region)),
    keep(join(directory, 'voicemail.ulaw'), voicemailBeep()),
  ]);
  return { ringing, voicemail };
}

async function keep(path: string, sound: Buffer): Promise<ToneFile> {
  const size = await stat(path).then(
    (found) => found.size,
    () => -1,
  );
  if (size !== sound.length) {
    // Moved to its place whole: several processes may make it at once.
    const temporary = `${path}.${newId()}`;
    await writeFile(temporary, sound);
    await rename(temporary, path);
  }
  return { path, seconds: sound.length / sampleRate };
}
