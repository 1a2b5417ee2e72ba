import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sampleRate, ulawSilence } from '../../../platform/audio/g711.ts';
import { ulawHeader } from '../../../platform/audio/wav.ts';

/** What one person said: µ-law without a header. */
export interface Track {
  /** undefined: nothing is known of it, so it is silent. */
  path: string | undefined;
  /** How much later than the others it began. */
  lateMs: number;
}

interface OpenTrack {
  file: FileHandle | undefined;
  late: number;
  length: number;
}

const pieceLength = 32_768;

/** Makes one WAV of several recordings, a channel for each, whatever their length. */
export async function interleave(tracks: Track[], to: string): Promise<{ seconds: number }> {
  const opened: OpenTrack[] = [];
  try {
    for (const { path, lateMs } of tracks) {
      const file = path === undefined ? undefined : await open(path);
      const length = file ? (await file.stat()).size : 0;
      opened.push({ file, length, late: Math.round((lateMs / 1000) * sampleRate) });
    }
    const samples = Math.max(0, ...opened.map(({ late, length }) => (length > 0 ? late + length : 0)));
    await pipeline(wavOf(opened, samples), createWriteStream(to, { mode: 0o600, flush: true }));
    return { seconds: samples / sampleRate };
  } finally {
    await Promise.all(opened.map(({ file }) => file?.close()));
  }
}

async function* wavOf(tracks: OpenTrack[], samples: number): AsyncIterable<Buffer> {
  const length = samples * tracks.length;
  yield ulawHeader(tracks.length, length);
  for (let at = 0; at < samples; at += pieceLength) {
    const count = Math.min(pieceLength, samples - at);
    const woven = Buffer.alloc(count * tracks.length, ulawSilence);
    for (const [channel, track] of tracks.entries()) await lay(track, at, count, woven, channel, tracks.length);
    yield woven;
  }
  if (length & 1) yield Buffer.alloc(1);
}

/** Lays a piece of one track into its channel. */
async function lay(
  { file, late, length }: OpenTrack,
  at: number,
  count: number,
  into: Buffer,
  channel: number,
  channels: number,
): Promise<void> {
  const first = Math.max(0, late - at);
  const from = at + first - late;
  const most = Math.min(count - first, length - from);
  if (!file || most <= 0) return;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, from);
  for (let n = 0; n < bytesRead; n++) into[(first + n) * channels + channel] = buffer[n]!;
}
