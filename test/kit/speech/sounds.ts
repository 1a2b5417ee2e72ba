/** Sounds made by hand. Of an MP3 a header and zeros is a frame of silence. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** "Thank you for calling. Please hold the line, we will be with you shortly.", 16 kHz, one channel, made with flite and lame. */
export const greeting = readFileSync(new URL('./greeting.mp3', import.meta.url));
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

/** Half a second of a tone, as a WAV of 16-bit linear samples. */
function toneWav(rate: number, seconds = 0.5): Buffer {
  const samples = Buffer.alloc(Math.round(rate * seconds) * 2);
  for (let n = 0; n < samples.length / 2; n++) {
    samples.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * n) / rate)), n * 2);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  // As programs write it that do not know yet how much there will be.
  header.writeUInt32LE(0x7fff_f024, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(0x7fff_f000, 40);
  return Buffer.concat([header, samples]);
}

/**
 * Stands in for espeak-ng: German and Russian are a tone, and each of the voices `xa` to `xf` fails in a way of its own. What it
 * was asked for is in `asked`, a file for each time, with the text and the environment that it was given.
 */
export function writeFakeProgram(directory: string): { path: string; asked: string } {
  const asked = join(directory, 'asked');
  mkdirSync(asked);
  writeFileSync(join(directory, 'tone.wav'), toneWav(22_050));
  writeFileSync(join(directory, 'silent.wav'), toneWav(22_050, 0));
  writeFileSync(join(directory, 'fast.wav'), toneWav(4_000_000, 0.01));
  const voices = ['de', 'ru', 'pt-br', 'xa', 'xb', 'xc', 'xd', 'xe', 'xf'];
  const path = join(directory, 'fake-espeak');
  const script = `#!/bin/sh
if [ "$1" = --voices ]; then
  echo 'Pty Language       Age/Gender VoiceName          File                 Other Languages'
  ${voices.map((voice) => `echo ' 5  ${voice}  --/M  Voice_${voice}  x/${voice}'`).join('\n  ')}
  exit 0
fi
{ echo "$*"; env; echo; cat; } > "${asked}/$$"
case "$4" in
  xa) exec sleep 600 ;;
  xb) echo 'Segmentation fault' >&2; kill -SEGV $$ ;;
  xc) echo 'This is no sound at all.' ;;
  xd) exec yes ;;
  xe) cat "${directory}/silent.wav" ;;
  xf) cat "${directory}/fast.wav" ;;
  *) cat "${directory}/tone.wav" ;;
esac
`;
  writeFileSync(path, script, { mode: 0o755 });
  return { path, asked };
}
