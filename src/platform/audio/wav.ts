import { type FileHandle, open } from 'node:fs/promises';
import { sampleRate } from './g711.ts';

/** What a WAV holds: format 1 is linear (PCM), 7 is µ-law. */
export interface WavFormat {
  format: number;
  channels: number;
  rate: number;
  bitsPerSample: number;
}

export interface Wav extends WavFormat {
  /** The samples as they stand in the file, channels interleaved. */
  data: Buffer;
  seconds: number;
}

const ulawFormat = 7;
/** RIFF, `fmt ` with its size of 18, `fact` (every format but PCM has one), and the head of `data`. */
const headerLength = 58;
/** For a file that is still being written: players read to its end. */
const unknownLength = 0xffff_ffff;

/** The header of 8 kHz µ-law; without a length, that of a file whose end is not known yet. */
export function ulawHeader(channels: number, dataLength?: number): Buffer {
  const header = Buffer.alloc(headerLength);
  const padding = (dataLength ?? 0) & 1;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataLength === undefined ? unknownLength : headerLength - 8 + dataLength + padding, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(ulawFormat, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels, 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(dataLength === undefined ? unknownLength : dataLength / channels, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(dataLength ?? unknownLength, 54);
  return header;
}

/** A whole 8 kHz µ-law WAV. */
export const makeUlawWav = (data: Uint8Array, channels = 1): Buffer =>
  Buffer.concat([ulawHeader(channels, data.length), data, Buffer.alloc(data.length & 1)]);

/** Writes a µ-law WAV as its samples come. A process that dies leaves a file that is readable to its last sample. */
export interface WavWriter {
  /** After what was written before; the octets must not change any more. */
  write(data: Buffer): void;
  /** Done when the file is whole; throws what any of the writes has thrown. */
  close(): Promise<{ seconds: number }>;
}

export async function openUlawWriter(path: string, channels: number): Promise<WavWriter> {
  const file = await open(path, 'w', 0o600);
  let length = 0;
  let written = writeAll(file, ulawHeader(channels));
  // Whoever closes hears of it; until then it must not end the process.
  written.catch(() => {});
  return {
    write(data) {
      length += data.length;
      written = written.then(() => writeAll(file, data));
      written.catch(() => {});
    },
    async close() {
      try {
        await written;
        if (length & 1) await writeAll(file, Buffer.alloc(1));
        await writeAll(file, ulawHeader(channels, length), 0);
        await file.sync();
      } finally {
        await file.close();
      }
      return { seconds: length / channels / sampleRate };
    },
  };
}

async function writeAll(file: FileHandle, data: Buffer, position: number | null = null): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await file.write(
      data,
      done,
      data.length - done,
      position === null ? null : position + done,
    );
    done += bytesWritten;
  }
}

/** Gives a µ-law WAV of ours that was left without its end the header it would have; undefined when it is none. */
export async function mendUlawWav(path: string): Promise<{ seconds: number } | undefined> {
  const file = await open(path, 'r+');
  try {
    const header = Buffer.alloc(headerLength);
    const { bytesRead } = await file.read(header, 0, headerLength, 0);
    const channels = header.readUInt16LE(22);
    const isOurs = bytesRead === headerLength && header.toString('latin1', 50, 54) === 'data' && channels > 0;
    if (!isOurs || header.readUInt16LE(20) !== ulawFormat) return undefined;
    const found = (await file.stat()).size - headerLength;
    const declared = header.readUInt32LE(54);
    const length = declared <= found ? declared : found - (found % channels);
    await writeAll(file, ulawHeader(channels, length), 0);
    return { seconds: length / channels / sampleRate };
  } finally {
    await file.close();
  }
}

/** Reads a WAV of any format; undefined when it is none. Trusts the length of the file more than that in the header. */
export function readWav(file: Buffer): Wav | undefined {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return;
  let format: WavFormat | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const chunk = file.subarray(at + 8, at + 8 + length);
    if (name === 'fmt ' && chunk.length >= 16) format = readFormat(chunk);
    if (name === 'data' && format) return withData(format, chunk);
    at += 8 + length + (length & 1);
  }
  return undefined;
}

function readFormat(chunk: Buffer): WavFormat {
  const format = chunk.readUInt16LE(0);
  // WAVE_FORMAT_EXTENSIBLE: the true one begins its GUID.
  const isExtensible = format === 0xfffe && chunk.length >= 26;
  return {
    format: isExtensible ? chunk.readUInt16LE(24) : format,
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    bitsPerSample: chunk.readUInt16LE(14),
  };
}

function withData(format: WavFormat, chunk: Buffer): Wav | undefined {
  const frame = (format.channels * format.bitsPerSample) / 8;
  if (frame < 1 || !Number.isInteger(frame) || format.rate === 0) return undefined;
  const data = chunk.subarray(0, chunk.length - (chunk.length % frame));
  return { ...format, data, seconds: data.length / frame / format.rate };
}

/** The samples of one channel of a 16-bit linear WAV; undefined for other formats. */
export function linearSamples({ format, bitsPerSample, channels, data }: Wav, channel = 0): Int16Array | undefined {
  if (format !== 1 || bitsPerSample !== 16 || channel >= channels) return undefined;
  const samples = new Int16Array(data.length / 2 / channels);
  for (let n = 0; n < samples.length; n++) samples[n] = data.readInt16LE((n * channels + channel) * 2);
  return samples;
}

/** One channel of a µ-law WAV. */
export function ulawChannel({ data, channels }: Wav, channel: number): Buffer {
  const alone = Buffer.allocUnsafe(data.length / channels);
  for (let n = 0; n < alone.length; n++) alone[n] = data[n * channels + channel]!;
  return alone;
}
