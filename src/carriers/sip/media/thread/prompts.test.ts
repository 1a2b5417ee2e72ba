import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPhone, frame, makeSound, startMedia } from '../../../../../test/kit/sip/phone.ts';
import { until } from '../../../../../test/kit/until.ts';
import { fromUlaw, ulawToAlaw } from '../../../../platform/audio/g711.ts';
import { ringback } from '../../../../platform/audio/tones.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('play › every frame once and in order, 20 ms apart by the timestamps; the last one is filled up', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media);
  // More than the two pieces that are read ahead.
  const frames = numbers(230).map(frame);
  await session.play(await makeSound(t, Buffer.concat([...frames, Buffer.from([1, 2, 3])])));
  await until(() => phone.speech().length === 231);
  const heard = phone.speech();
  assert.deepEqual(
    heard.slice(0, -1).map(({ payload }) => payload),
    frames,
  );
  assert.deepEqual(heard.at(-1)!.payload, Buffer.concat([Buffer.from([1, 2, 3]), Buffer.alloc(157, 0xff)]));
  const [first] = heard;
  assert.deepEqual(
    heard.map(({ sequence, timestamp }) => [
      (sequence - first!.sequence) & 0xffff,
      (timestamp - first!.timestamp) >>> 0,
    ]),
    numbers(231).map((n) => [n, n * 160]),
  );
  assert.deepEqual(
    heard.flatMap(({ marked }, n) => (marked ? [n] : [])),
    [0],
  );
});

test('play › a pause between two sounds is in the timestamps, and not in the sequence', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media, { codec: 'PCMA' });
  const sound = await makeSound(t, frame(1));
  await session.play(sound);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await session.play(sound);
  await until(() => phone.speech().length === 2);
  const [one, other] = phone.speech();
  assert.equal((other!.sequence - one!.sequence) & 0xffff, 1);
  assert.ok((other!.timestamp - one!.timestamp) >>> 0 >= 100 * 8);
  assert.ok(other!.marked);
  assert.deepEqual(
    [...one!.payload],
    [...frame(1)].map((octet) => ulawToAlaw[octet]),
  );
});

test('play › is done at once when it is stopped, displaced, or the session is over', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media);
  const long = await makeSound(t, Buffer.alloc(8_000 * 600, 1));
  const short = await makeSound(t, frame(2));
  const stopping = new AbortController();
  const stopped = session.play(long, { signal: stopping.signal });
  await until(() => phone.speech().length > 2);
  stopping.abort();
  await stopped;
  const displaced = session.play(long);
  const count = phone.speech().length;
  await until(() => phone.speech().length > count);
  await session.play(short);
  await displaced;
  await until(() => phone.speech().at(-1)!.payload.equals(frame(2)));
  const cutOff = session.play(long);
  await session.close();
  await cutOff;
  await session.play(long);
  await session.play(long, { signal: AbortSignal.abort() });
});

test('play › a file that cannot be read is told, and the session goes on', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media);
  await assert.rejects(session.play('/nowhere/at/all.ulaw'), { code: 'ENOENT' });
  await assert.rejects(session.play('/tmp'), { code: 'EISDIR' });
  await session.play(await makeSound(t, Buffer.alloc(0)));
  await session.play(await makeSound(t, frame(1)));
  await until(() => phone.speech().length === 1);
});

test('play › many at once are each complete', async (t) => {
  const media = startMedia(t);
  const sound = await makeSound(t, Buffer.concat(numbers(25).map(frame)));
  const all = await Promise.all(numbers(15).map(() => connectPhone(t, media)));
  await Promise.all(all.map(({ session }) => session.play(sound)));
  for (const { phone } of all) {
    await until(() => phone.speech().length === 25);
    assert.deepEqual(
      phone.speech().map(({ payload }) => payload),
      numbers(25).map(frame),
    );
  }
});

test('ringing › sounds as it does in the region, over and over, until it is stopped', async (t) => {
  const media = startMedia(t, { region: 'EU' });
  const { phone, session } = await connectPhone(t, media);
  const stop = session.ringing();
  await until(() => phone.speech().length >= 20);
  stop();
  const heard = Buffer.concat(phone.speech().map(({ payload }) => payload));
  assert.deepEqual(fromUlaw(heard.subarray(0, 3_000)), fromUlaw(ringback('EU').subarray(0, 3_000)));
  await session.play(await makeSound(t, frame(9)));
  await until(() => phone.speech().at(-1)!.payload.equals(frame(9)));
});
