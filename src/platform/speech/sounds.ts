import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate, ulawSilence } from '../audio/g711.ts';
import { makeTones } from '../audio/tones.ts';
import { newId } from '../ids.ts';
import { english, findLanguage, isEnglish, type SpokenLanguage } from './languages.ts';
import type { Mp3Task } from './mp3-thread.ts';
import { makeProgram, type ProgramOptions } from './program.ts';
import type { SpeechTask } from './speech-thread.ts';
import { passagesOf, piecesOf } from './text.ts';
import { makeThread } from './thread.ts';

/** A file of 8 kHz µ-law without a header. */
export interface SoundFile {
  path: string;
  seconds: number;
}

/** Makes what is heard on telephones. */
export interface Sounds {
  /** The text, spoken in a language; kept as a file that is there at once the next time. */
  speak(text: string, language?: string): Promise<SoundFile>;
  /** What can be spoken: English, and what the program for others says that it speaks. */
  languages(): Promise<SpokenLanguage[]>;
  /** Makes a file of an MP3. Throws `Refusal` where it is none, and `TooBusy`. */
  convertMp3(from: string, to: string): Promise<{ seconds: number }>;
  tone(name: Tone): Promise<SoundFile>;
  close(): Promise<void>;
}

export type Tone = 'voicemail' | 'ringing';

export const longestText = 5_000;
const mostSpokenSeconds = 600;
const mostMp3Seconds = 3_600;
/** Whoever waits may hold a connection to the database, of which there are few. */
const mostWaiting = 6;
/** Part of every file's name: to be raised when the same text will sound different. */
const edition = 'slt 1';
const programEdition = 'program 1';
const dayMs = 86_400_000;
/** What was not heard for so long is spoken again when it is wanted. */
export const keptDays = 30;

export class TooBusy extends Error {
  override name = 'TooBusy';
}

export const speechDirectory = (dataDir: string): string => join(dataDir, 'speech');

/** The program speaks what is not English; without a name there is none. */
export function makeSounds(dataDir: string, programName = '', options?: ProgramOptions): Sounds {
  const directory = speechDirectory(dataDir);
  const program = makeProgram(programName, options);
  const speech = makeThread<SpeechTask, { seconds: number }>(new URL('./speech-thread.ts', import.meta.url), {
    mostMs: 120_000,
  });
  const mp3 = makeThread<Mp3Task, { seconds: number }>(new URL('./mp3-thread.ts', import.meta.url), {
    mostMs: 120_000,
  });
  /** Two calls with the same text wait for the same speech. */
  const underWay = new Map<string, Promise<SoundFile>>();

  async function make({ pieces, voice }: Words, path: string): Promise<SoundFile> {
    await mkdir(directory, { recursive: true });
    // Moved to its place whole: several processes may speak the same text at once.
    const temporary = join(directory, newId());
    try {
      const { seconds } =
        pieces.length === 0
          ? await writeSilence(temporary)
          : await speech.run({
              pieces: voice === '' ? pieces : await program.speak(voice, pieces, mostSpokenSeconds),
              to: temporary,
              mostSeconds: mostSpokenSeconds,
            });
      await rename(temporary, path);
      return { path, seconds };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async function wordsOf(text: string, language: string): Promise<Words> {
    // English does not wait for the program.
    const voice = findLanguage(isEnglish(language) ? [] : await program.languages(), language)?.voice;
    if (voice === undefined) throw new Error(`There is no voice for ${language}.`);
    return { voice, pieces: voice === '' ? piecesOf(text) : passagesOf(text) };
  }

  return {
    async speak(text, language = english) {
      if (text.length > longestText) throw new Error(`A text of more than ${longestText} characters is not spoken.`);
      const words = await wordsOf(text, language);
      const path = join(directory, `${nameOf(words)}.ulaw`);
      const speaking = underWay.get(path) ?? findKept(path).then((kept) => kept ?? make(words, path));
      underWay.set(path, speaking);
      return speaking.finally(() => underWay.delete(path));
    },
    async convertMp3(from, to) {
      if (mp3.waiting >= mostWaiting) throw new TooBusy('Too many files are being converted.');
      return mp3.run({ from, to, mostSeconds: mostMp3Seconds });
    },
    languages: () => program.languages(),
    tone: async (name) => (await makeTones(join(dataDir, 'tones')))[name],
    async close() {
      program.close();
      await Promise.all([speech.close(), mp3.close()]);
    },
  };
}

/** What is said, and by whom: a voice of the program, or, empty, the one that needs none. */
interface Words {
  pieces: string[];
  voice: string;
}

const nameOf = ({ pieces, voice }: Words): string =>
  createHash('sha256')
    .update(JSON.stringify(voice === '' ? [edition, pieces] : [programEdition, voice, pieces]))
    .digest('hex');

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
