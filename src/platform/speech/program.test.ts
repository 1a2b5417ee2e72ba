import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { writeFakeProgram } from '../../../test/kit/speech/sounds.ts';
import { until } from '../../../test/kit/until.ts';
import { fromUlaw, rms } from '../audio/g711.ts';
import { makeProgram } from './program.ts';
import { makeSounds, type Sounds } from './sounds.ts';

let directory: string;
let fake: ReturnType<typeof writeFakeProgram>;
let sounds: Sounds;
before(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'parley-program-'));
  fake = writeFakeProgram(directory);
  sounds = makeSounds(directory, fake.path);
});
after(async () => {
  await sounds.close();
  await rm(directory, { recursive: true });
});

/** What the program was given, each time that it was started to speak. */
const asked = async (): Promise<string[]> =>
  Promise.all((await readdir(fake.asked)).map((name) => readFile(path.join(fake.asked, name), 'utf8')));

test('speak › another language is spoken by the program, once, and kept apart from other voices', async () => {
  const before = (await asked()).length;
  const [german, again] = await Promise.all([sounds.speak('Guten Tag', 'de'), sounds.speak('Guten Tag', 'de-AT')]);
  assert.deepEqual(again, german);
  assert.equal((await asked()).length, before + 1);
  const samples = fromUlaw(await readFile(german.path));
  assert.ok(Math.abs(german.seconds - 0.5) < 0.01 && samples.length === german.seconds * 8_000, `${german.seconds}`);
  assert.ok(rms(samples) > 0.1 && rms(samples) < 0.3, `${rms(samples)}`);
  const others = await Promise.all(['ru', 'en'].map((language) => sounds.speak('Guten Tag', language)));
  assert.equal(new Set([german, ...others].map((sound) => sound.path)).size, 3);
});

test('speak › the text is on its standard input, whatever it holds, and nothing of ours is in its environment', async () => {
  const text = '-v xa --stdout; $(touch /tmp/x) `id` "ä" [[h@l]] \u0001 150S\n\0';
  await sounds.speak(text, 'ru');
  const [given] = (await asked()).filter((one) => one.includes('touch'));
  assert.match(given!, /^-b 1 -v ru --stdin --stdout\n/);
  assert.ok(given!.endsWith('\n\n-v xa --stdout; $(touch /tmp/x) `id` "ä" ((h@l)) 150S'), given);
  const variables = [...given!.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  assert.deepEqual(
    variables.filter((name) => !['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name!)),
    [],
  );
});

for (const [voice, what, sentence] of [
  ['xb', 'crashes', /./],
  ['xc', 'writes garbage', /wrote 25 bytes that are no speech/],
  ['xd', 'writes without end', /maxBuffer/],
  ['xe', 'says nothing', /spoke nothing/],
  ['xf', 'claims an absurd rate', /no speech/],
] as const) {
  test(`speak › a program that ${what} spoils this text only`, async () => {
    await assert.rejects(sounds.speak('Hallo', voice), sentence);
    assert.ok((await sounds.speak(`After ${voice}`, 'de')).seconds > 0.4);
    const files = await readdir(path.join(directory, 'speech'));
    assert.ok(files.every((name) => /^[0-9a-f]{64}\.ulaw$/.test(name)));
  });
}

test('speak › a program that hangs is ended, and the next text is spoken', async () => {
  const program = makeProgram(fake.path, { mostMs: 5_000 });
  const [hung, next] = await Promise.allSettled([
    program.speak('xa', ['Hallo'], 60),
    program.speak('de', ['Hallo'], 60),
  ]);
  assert.deepEqual([hung.status, next.status], ['rejected', 'fulfilled']);
});

test('speak › texts are spoken one at a time, and closing ends the one that is', async () => {
  const program = makeProgram(fake.path);
  const count = (await asked()).length;
  const both = Promise.allSettled([program.speak('xa', ['One'], 60), program.speak('xa', ['Two'], 60)]);
  await until(
    async () => (await asked()).length,
    (length) => length > count,
  );
  program.close();
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal((await asked()).length, count + 1);
});

test('speak › enough is enough', async () => {
  const program = makeProgram(fake.path);
  assert.equal((await program.speak('de', Array(10).fill('Hallo'), 1)).length, 3);
});

test('languages › what the program offers; only English where it is missing, and it is looked for again', async () => {
  const offered = (await sounds.languages()).map(({ language }) => language);
  for (const language of ['en', 'de', 'ru', 'pt-BR']) assert.ok(offered.includes(language), language);
  const english = [{ language: 'en', name: 'English', voice: '' }];
  assert.deepEqual(await makeProgram('').languages(), english);
  const late = await mkdtemp(path.join(directory, 'late-'));
  const missing = makeProgram(path.join(late, 'fake-espeak'), { againMs: 0 });
  assert.deepEqual(await missing.languages(), english);
  const patient = makeProgram(path.join(late, 'fake-espeak'));
  assert.deepEqual(await patient.languages(), english);
  writeFakeProgram(late);
  assert.ok((await missing.languages()).length > 1);
  assert.deepEqual(await patient.languages(), english);
});

test('speak › a language without a voice is an error; English needs no program', async () => {
  const alone = makeSounds(directory, path.join(directory, 'missing'));
  await assert.rejects(alone.speak('Hallo', 'de'), /There is no voice for de/);
  assert.ok((await alone.speak('Hello', 'en-GB')).seconds > 0.2);
  await alone.close();
});
