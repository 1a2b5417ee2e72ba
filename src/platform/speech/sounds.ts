import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate, ulawSilence } from '../audio/g711.ts';
import { makeTones } from '../audio/tones.ts';
import { newId } from '../ids.ts';
import type { Mp3Task } from './mp3-thread.ts';
import type { SpeechTask } from './speech-thread.ts';
import { piecesOf } from './text.ts';
import { makeThread } from './thread.ts';

/** A file of 8 kHz µ-law without a header. */
export interface SoundFile {
  path: string;
  seconds: number;
}

/** Makes what is heard on telephones. */
export interface Sounds {
  /** The text, spoken; kept as a file that is there at once the next time. */
  speak(text: string): Promise<SoundFile>;
  /** Makes a file of an MP3. Throws `Refusal` where it is none, and `TooBusy`. */
  convertMp3(from: string, to: string): Promise<{ seconds: number }>;
  tone(name: Tone): Promise<SoundFile>;
  close(): Promise<void>;
}

export type Tone = 'voicemail' | 'ringing';

export const longestText = 5_000;
const mostSpokenSeconds = 600;
export const mostMp3Seconds = 3_600;
/** Whoever waits may hold a connection to the database, of which there are few. */
const mostWaiting = 6;
/** Part of every file's name: to be raised when the same text will sound different. */
const edition = 'slt 1';
const dayMs = 86_400_000;
/** What was not heard for so long is spoken again when it is wanted. */
export const keptDays = 30;

export class TooBusy extends Error {
  override name = 'TooBusy';
}

export const speechDirectory = (dataDir: string): string => join(dataDir, 'speech');

export function makeSounds(dataDir: string): Sounds {
  const directory = speechDirectory(dataDir);
  const speech = makeThread<SpeechTask, { seconds: number }>(new URL('./speech-thread.ts', import.meta.url), {
    mostMs: 120_000,
  });
  const mp3 = makeThread<Mp3Task, { seconds: number }>(new URL('./mp3-thread.ts', import.meta.url), {
    mostMs: 120_000,
  });
  /** Two calls with the same text wait for the same speech. */
  const underWay = new Map<string, Promise<SoundFile>>();

  async function make(pieces: string[], path: string): Promise<SoundFile> {
    await mkdir(directory, { recursive: true });
    // Moved to its place whole: several processes may speak the same text at once.
    const temporary = join(directory, newId());
    try {
      const { seconds } =
        pieces.length === 0
          ? await writeSilence(temporary)
          : await speech.run({ pieces, to: temporary, mostSeconds: mostSpokenSeconds });
      await rename(temporary, path);
      return { path, seconds };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  return {
    async speak(text) {
      if (text.length > longestText) throw new Error(`A text of more than ${longestText} characters is not spoken.`);
      const pieces = piecesOf(text);
      const name = createHash('sha256')
        .update(JSON.stringify([edition, pieces]))
        .digest('hex');
      const path = join(directory, `${name}.ulaw`);
      const speaking = underWay.get(path) ?? findKept(path).then((kept) => kept ?? make(pieces, path));
      underWay.set(path, speaking);
      return speaking.finally(() => underWay.delete(path));
    },
    async convertMp3(from, to) {
      if (mp3.waiting >= mostWaiting) throw new TooBusy('Too many files are being converted.');
      return mp3.run({ from, to, mostSeconds: mostMp3Seconds });
    },
    tone: async (name) => (await makeTones(join(dataDir, 'tones')))[name],
    close: async () => void (await Promise.all([speech.close(), mp3.close()])),
  };
}

async function findKept(path: string): Promise<SoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size === 0) return undefined;
  const now = Date.now();
  if (now - found.mtimeMs > dayMs) await utimes(path, now / 1000, now / 1000).catch(() => {});
  return { path, seconds: found.size / sampleRate };
}

async function writeSilence(path: string): Promise<{ seconds: number }> {
  const seconds = 0.1;
  await writeFile(path, Buffer.alloc(seconds * sampleRate, ulawSilence));
  return { seconds };
}
