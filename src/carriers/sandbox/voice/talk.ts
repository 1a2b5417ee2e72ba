import { open } from 'node:fs/promises';
import { sampleRate } from '../../../platform/audio/g711.ts';
import { ulawHeader } from '../../../platform/audio/wav.ts';
import { murmur } from './murmur.ts';

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
