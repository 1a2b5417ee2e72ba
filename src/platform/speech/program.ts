import { execFile } from 'node:child_process';
import { readWav } from '../audio/wav.ts';
import { englishSpoken, readVoices, type SpokenLanguage } from './languages.ts';

/** A program that speaks as `espeak-ng` does: started for each passage, with the text on its standard input. */
export interface SpeechProgram {
  /** What it can speak, and English; nothing but English where it is missing or does not work. */
  languages(): Promise<SpokenLanguage[]>;
  /** A WAV of each passage, until there is enough. Texts are spoken one at a time. */
  speak(voice: string, passages: string[], mostSeconds: number): Promise<Buffer[]>;
  /** Ends what is being spoken. */
  close(): void;
}

export interface ProgramOptions {
  /** Where it is looked for, as in PATH; left out: where the system usually has programs. */
  searchPath?: string | undefined;
  /** A passage that takes longer is given up, and the program ended. */
  mostMs?: number;
  /** A program that was missing is looked for again after so long. */
  againMs?: number;
}

/** 500 characters are a few megabytes; more is nonsense. */
const mostBytes = 32 * 1024 ** 2;
/** Requests wait for it. */
const mostMsForVoices = 5_000;
const rates = { least: 8_000, most: 48_000 };
/** Without a name there is none. */
export function makeProgram(name: string, options: ProgramOptions = {}): SpeechProgram {
  const { searchPath, mostMs = 15_000, againMs = 60_000 } = options;
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let known: { languages: Promise<SpokenLanguage[]>; until: number } | undefined;

  const run = (args: string[], input: string, timeout: number): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      // Node starts a program whose signal has come already, and ends it after.
      if (closing.signal.aborted) return reject(closing.signal.reason);
      const options = {
        encoding: 'buffer',
        timeout,
        killSignal: 'SIGKILL',
        maxBuffer: mostBytes,
        signal: closing.signal,
        // Nothing of our own settings, which hold secrets.
        env: searchPath === undefined ? {} : { PATH: searchPath },
      } as const;
      const child = execFile(name, args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
      // One that ends without having read its text says why by other means.
      child.stdin?.on('error', () => {}).end(input);
    });

  const say = async (voice: string, passage: string): Promise<{ spoken: Buffer; seconds: number }> => {
    const spoken = await run(['-b', '1', '-v', voice, '--stdin', '--stdout'], passage, mostMs);
    const wav = readWav(spoken);
    if (!wav || wav.rate < rates.least || wav.rate > rates.most || wav.format !== 1 || wav.bitsPerSample !== 16) {
      throw new Error(`${name} wrote ${spoken.length} bytes that are no speech.`);
    }
    return { spoken, seconds: wav.seconds };
  };

  async function sayAll(voice: string, passages: string[], mostSeconds: number): Promise<Buffer[]> {
    const wavs: Buffer[] = [];
    let seconds = 0;
    for (const passage of passages) {
      if (seconds > mostSeconds) break;
      const said = await say(voice, passage);
      seconds += said.seconds;
      wavs.push(said.spoken);
    }
    if (seconds === 0) throw new Error(`${name} spoke nothing.`);
    return wavs;
  }

  const ask = (): Promise<SpokenLanguage[]> => {
    const asked = run(['--voices'], '', Math.min(mostMs, mostMsForVoices)).then((printed) =>
      readVoices(printed.toString()),
    );
    const asking = { languages: asked.catch(() => [englishSpoken]), until: Number.POSITIVE_INFINITY };
    asked.catch(() => {
      asking.until = performance.now() + againMs;
    });
    known = asking;
    return asking.languages;
  };

  return {
    async languages() {
      if (name === '') return [englishSpoken];
      return known && performance.now() < known.until ? known.languages : ask();
    },
    speak(voice, passages, mostSeconds) {
      const spoken = last.then(() => sayAll(voice, passages, mostSeconds));
      last = spoken.catch(() => {});
      return spoken;
    },
    close: () => closing.abort(),
  };
}
