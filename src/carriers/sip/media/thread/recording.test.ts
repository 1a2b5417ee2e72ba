import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { connectPhone, frame, makeSound, startMedia } from '../../../../../test/kit/sip/phone.ts';
import { until } from '../../../../../test/kit/until.ts';
import { fromUlaw, rms, ulawToAlaw } from '../../../../platform/audio/g711.ts';
import { readWav, ulawChannel } from '../../../../platform/audio/wav.ts';
import { writeHead } from '../rtp/rtp.ts';
import { Kind } from './session.ts';
import { makeTape } from './tape.ts';

/** A tape over memory. */
function startTape(channels: number) {
  const pieces: Buffer[] = [];
  const writer = { write: (data: Buffer) => void pieces.push(data), close: async () => ({ seconds: 0 }) };
  const tape = makeTape(writer, channels, 0);
  const result = (channel: number): Buffer => {
    const whole = Buffer.concat(pieces);
    return Buffer.from(whole.filter((_, n) => n % channels === channel));
  };
  return { tape, result };
}

function speech(n: number, { source = 7, from = 1_000, payload = frame(n) } = {}): Buffer {
  const packet = Buffer.alloc(12 + payload.length);
  writeHead(packet, 0, 0, n & 0xffff, (from + n * 160) >>> 0, source);
  packet.set(payload, 12);
  return packet;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('tape › two channels with loss and disorder: everything that came is in its place, the rest is silence', () => {
  const { tape, result } = startTape(2);
  const [left, right] = [tape.tap(0), tape.tap(1)];
  const isLost = (n: number): boolean => n % 50 === 25;
  // Each pair of packets has changed places; the timestamps pass the end of 32 bits.
  const order = numbers(500).map((n) => n ^ 1);
  order.forEach((n, at) => {
    const nowMs = at * 20 + (n % 7) * 4;
    if (!isLost(n)) left(speech(n, { from: 2 ** 32 - 8_000 }), 12, 172, Kind.ulaw, nowMs);
    const alaw = Buffer.from(frame(n + 3).map((octet) => ulawToAlaw[octet]!));
    right(speech(n, { payload: alaw }), 12, 172, Kind.alaw, nowMs);
    tape.review(nowMs);
  });
  tape.finish(500 * 20);
  const whole = result(0);
  assert.equal(whole.length, 10 * 8_000);
  // The second packet was first, and the clock put it where it came.
  const start = whole.indexOf(frame(1)) + 160;
  for (const n of numbers(500).slice(2, 498)) {
    const there = whole.subarray(start + (n - 2) * 160, start + (n - 1) * 160);
    assert.deepEqual(there, isLost(n) ? Buffer.alloc(160, 0xff) : frame(n), `packet ${n}`);
  }
  assert.ok(rms(fromUlaw(result(1))) > 0.1);
});

test('tape › another source, a leap of the timestamps and a pause are put where the clock says', () => {
  const { tape, result } = startTape(1);
  const tap = tape.tap(0);
  tap(speech(0), 12, 172, Kind.ulaw, 100);
  tap(speech(1, { source: 8, from: 999_999 }), 12, 172, Kind.ulaw, 200);
  tap(speech(2, { source: 8, from: 5 }), 12, 172, Kind.ulaw, 300);
  tape.review(20_000);
  tap(speech(3, { source: 8, from: 5 }), 12, 172, Kind.ulaw, 20_000);
  tape.finish(21_000);
  const whole = result(0);
  assert.deepEqual(
    [0, 1, 2, 3].map((n) => whole.indexOf(frame(n))),
    [800, 1_600, 2_400, 160_000],
  );
  assert.equal(whole.length, 21 * 8_000);
});

test('tape › what comes too late is left out, and no packet of any kind makes it fail', () => {
  const { tape, result } = startTape(1);
  const tap = tape.tap(0);
  tap(speech(0), 12, 172, Kind.ulaw, 0);
  for (const n of numbers(200)) tape.review(n * 20);
  tap(speech(1), 12, 12, Kind.ulaw, 4_000);
  tap(speech(300, { payload: Buffer.alloc(60_000, 1) }), 12, 60_012, Kind.ulaw, 4_000);
  tape.finish(4_000);
  assert.equal(result(0).subarray(0, 160).compare(frame(0)), 0);
});

test('record › what two people said, with 2 % loss and disorder, as loud and as long as they said it', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media, { codec: 'PCMA' });
  await media.bridge(one.session, other.session);
  const path = join(dirname(await makeSound(t, frame(0))), 'call.wav');
  const recording = media.record([one.session, other.session], { path });
  await until(() =>
    stat(path).then(
      ({ size }) => size >= 58,
      () => false,
    ),
  );
  await one.session.stats();
  const count = 100;
  const startMs = performance.now();
  for (const at of numbers(count)) {
    // Pairs have changed places; one in fifty is lost.
    const n = at ^ 1;
    const options = { sequence: n, timestamp: 160_000 + n * 160 };
    if (n % 50 !== 20) one.phone.say(one.session, frame(n), options);
    const alaw = Buffer.from(frame(n + 9).map((octet) => ulawToAlaw[octet]!));
    other.phone.say(other.session, alaw, { ...options, type: 8 });
    while (performance.now() < startMs + at * 20) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await until(async () => (await other.session.stats())!.received === count);
  const { seconds } = await recording.stop();
  assert.deepEqual(await recording.ended, { seconds });
  const wav = readWav(await readFile(path))!;
  assert.deepEqual([wav.format, wav.channels, wav.rate, wav.seconds], [7, 2, 8_000, seconds]);
  assert.ok(seconds >= (count * 20) / 1000 - 0.1);
  const left = ulawChannel(wav, 0);
  const start = left.indexOf(frame(1)) - 160;
  const said = numbers(count).map((n) => (n % 50 === 20 ? Buffer.alloc(160, 0xff) : frame(n)));
  assert.deepEqual(left.subarray(start + 320, start + (count - 2) * 160), Buffer.concat(said.slice(2, -2)));
  const right = fromUlaw(ulawChannel(wav, 1));
  const expected = fromUlaw(Buffer.concat(numbers(count).map((n) => frame(n + 9))));
  const energy = rms(right) * Math.sqrt(right.length);
  assert.ok(Math.abs(energy / (rms(expected) * Math.sqrt(expected.length)) - 1) < 0.02);
  const stats = (await one.session.stats())!;
  assert.deepEqual([stats.received, stats.lost], [98, 2]);
});

test('record › ends by its key, by its time, and with the first person', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media);
  const path = await makeSound(t, frame(0));
  const byKey = media.record([session], { path: `${path}.key.wav`, finishKey: '#' });
  await session.stats();
  phone.say(session, Buffer.from([1, 0x8a, 3, 192]), { type: 101 });
  phone.say(session, Buffer.from([11, 0x8a, 3, 192]), { type: 101 });
  await byKey.ended;
  assert.equal((await media.record([session], { path: `${path}.time.wav`, mostMs: 200 }).ended).seconds, 0.2);
  const withPerson = media.record([session], { path: `${path}.person.wav` });
  await session.close();
  const { seconds } = await withPerson.ended;
  assert.equal(readWav(await readFile(`${path}.person.wav`))!.seconds, seconds);
  assert.deepEqual(await withPerson.stop(), { seconds });
  assert.deepEqual(await media.record([session], { path: `${path}.none.wav` }).stop(), { seconds: 0 });
});

test('record › a directory that does not exist is told to whoever waits', async (t) => {
  const media = startMedia(t);
  const { session } = await connectPhone(t, media);
  await assert.rejects(media.record([session], { path: '/nowhere/at/all.wav' }).ended, { code: 'ENOENT' });
});
