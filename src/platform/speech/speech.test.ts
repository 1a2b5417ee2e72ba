import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fromUlaw, rms } from '../audio/g711.ts';
import { makeSounds, type Sounds } from './sounds.ts';

let directory: string;
let sounds: Sounds;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-speech-'));
  sounds = makeSounds(directory);
});
after(async () => {
  await sounds.close();
  await rm(directory, { recursive: true });
});

const sentence = 'Thank you for calling. Please hold the line, we will be with you shortly.';

test('speak › a sentence takes as long as somebody would need, and can be heard', async () => {
  const { path, seconds } = await sounds.speak(sentence);
  assert.ok(seconds > 3 && seconds < 7, `${seconds} s`);
  const samples = fromUlaw(await readFile(path));
  assert.equal(samples.length, seconds * 8_000);
  assert.ok(rms(samples) > 0.02 && rms(samples) < 0.3, `${rms(samples)}`);
});

test('speak › the same text is spoken once, at once or later, by this process or another', async () => {
  const texts = Array(5).fill('The number you have called.');
  const [first, ...others] = await Promise.all(texts.map((text) => sounds.speak(text)));
  for (const other of others) assert.deepEqual(other, first);
  const old = new Date(Date.now() - 5 * 86_400_000);
  await utimes(first!.path, old, old);
  const { ino } = await stat(first!.path);
  const another = makeSounds(directory);
  assert.deepEqual(await another.speak(texts[0]), first);
  await another.close();
  const after = await stat(first!.path);
  assert.equal(after.ino, ino);
  assert.ok(after.mtime > old, 'its last use is noted');
  assert.ok((await readdir(path.join(directory, 'speech'))).every((name) => /^[0-9a-f]{64}\.ulaw$/.test(name)));
});

test('speak › two texts at once are each themselves', async () => {
  const [short, long] = await Promise.all([sounds.speak('Yes.'), sounds.speak(`${sentence} ${sentence} ${sentence}`)]);
  assert.ok(long.seconds > short.seconds * 3);
  assert.notEqual(short.path, long.path);
});

test('speak › nothing to say is silence', async () => {
  for (const text of ['', ' \n', '…', '你好']) {
    const { path, seconds } = await sounds.speak(text);
    assert.ok(seconds > 0 && seconds < 1);
    assert.equal(rms(fromUlaw(await readFile(path))), 0);
  }
});

test('speak › options, markup, digits and long words are read, not obeyed', async () => {
  for (const text of ['-o /out/mine.wav', '--help', '<b>Sale</b> & $5.50 100%', '0'.repeat(90), 'a'.repeat(120)]) {
    const { path, seconds } = await sounds.speak(text);
    assert.ok(seconds > 0.3 && seconds < 90, `${text}: ${seconds} s`);
    assert.ok(rms(fromUlaw(await readFile(path))) > 0.01, text);
  }
});

test('speak › a long text is spoken whole, one that is too long is refused', async () => {
  const long = `${sentence} `.repeat(14).slice(0, 1_000);
  const { seconds } = await sounds.speak(long);
  assert.ok(seconds > 45 && seconds < 100, `${seconds} s`);
  await assert.rejects(sounds.speak('a '.repeat(2_501)), /more than 5000 characters/);
});

test('tone › made once, the beep half a second', async () => {
  const beep = await sounds.tone('voicemail');
  assert.equal(beep.seconds, 0.5);
  assert.ok(rms(fromUlaw(await readFile(beep.path))) > 0.1);
  assert.ok((await sounds.tone('ringing')).seconds > 1);
  assert.deepEqual(await sounds.tone('voicemail'), beep);
});
