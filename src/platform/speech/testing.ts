/** MP3s made by hand: a header and zeros is a frame of silence. */
import { readFileSync } from 'node:fs';

/** "Thank you for calling. Please hold the line, we will be with you shortly.", 16 kHz, one channel, made with flite and lame. */
export const greeting = readFileSync(new URL('./fixtures/greeting.mp3', import.meta.url));
export const greetingSeconds = 4.7;

/** Every rate there is, with the second and third byte of a header: 8 kbit/s, in MPEG 1 32 kbit/s. */
const headers = {
  8000: 'e318',
  11025: 'e310',
  12000: 'e314',
  16000: 'f318',
  22050: 'f310',
  24000: 'f314',
  32000: 'fb18',
  44100: 'fb10',
  48000: 'fb14',
};
export type Rate = keyof typeof headers;
export const rates = Object.keys(headers).map(Number) as Rate[];

/** So many seconds of silence, in two channels or one. */
export function silentMp3(rate: Rate, seconds: number, channels: 1 | 2 = 2): Buffer {
  const [samples, bits] = rate >= 32_000 ? [1_152, 32_000] : [576, 8_000];
  const frame = Buffer.alloc(Math.floor(((samples / 8) * bits) / rate));
  frame.write(`ff${headers[rate]}${channels === 1 ? 'c0' : '00'}`, 'hex');
  return Buffer.concat(Array(Math.ceil((seconds * rate) / samples)).fill(frame));
}

/** An ID3v2 tag around whatever it may hold. */
export function withTag(mp3: Buffer, content: Buffer): Buffer {
  const { length } = content;
  const size = [length >> 21, (length >> 14) & 127, (length >> 7) & 127, length & 127];
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), content, mp3]);
}
