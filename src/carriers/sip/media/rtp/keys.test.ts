import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectPhone, frame, startMedia } from '../../../../../test/kit/sip/phone.ts';
import { until } from '../../../../../test/kit/until.ts';
import { keyTone } from '../../../../platform/audio/tones.ts';
import { makeKeysIn } from './keys-in.ts';
import { writeHead } from './rtp.ts';

const end = 0x80;

function event(key: number, flags: number, duration: number, timestamp: number): Buffer {
  const packet = Buffer.alloc(16);
  writeHead(packet, 0, 101, 0, timestamp, 7);
  packet.set([key, flags | 10, duration >> 8, duration & 255], 12);
  return packet;
}

/** What is told of these events, which come 20 ms apart. */
function keysOf(...events: Buffer[]): string {
  let told = '';
  const keys = makeKeysIn((key) => {
    told += key;
  });
  for (const [n, packet] of events.entries()) keys.take(packet, 12, packet.length, n * 20);
  keys.review(events.length * 20 + 1_000);
  return told;
}

test('keys › a press is told once, however many of its packets come', () => {
  const press = [event(1, 0, 160, 100), event(1, 0, 320, 100), ...Array(3).fill(event(1, end, 480, 100))];
  assert.equal(keysOf(...press), '1');
  assert.equal(keysOf(press[0]!), '1', 'its ends are lost, and nothing comes after');
  assert.equal(keysOf(press[4]!), '1', 'only an end has come');
  assert.equal(keysOf(press[4]!, press[0]!, press[1]!), '1', 'overtaken by its end');
});

test('keys › the same key twice is two presses, also when the ends of the first are lost', () => {
  assert.equal(keysOf(event(7, 0, 160, 100), event(7, 0, 160, 2_000), event(7, end, 320, 2_000)), '77');
  const late = event(1, end, 480, 100);
  assert.equal(keysOf(event(1, end, 480, 100), event(2, end, 480, 2_000), late), '12');
  assert.equal(keysOf(event(3, end, 480, 2 ** 32 - 100), event(4, end, 480, 900)), '34', 'past the end of 32 bits');
});

test('keys › all sixteen have their sign; a hook flash and a packet that is too short have none', () => {
  const all = Array.from({ length: 18 }, (_, key) => event(key, end, 480, key * 1_000 + 1));
  assert.equal(keysOf(...all), '0123456789*#ABCD');
  assert.equal(keysOf(event(1, end, 480, 1).subarray(0, 14)), '');
});

test('keys › a press without its end is told while speech goes on', async (t) => {
  const { phone, session } = await connectPhone(t, startMedia(t));
  const digits: string[] = [];
  const stop = session.onDigit((digit) => digits.push(digit));
  phone.say(session, Buffer.from([11, 10, 0, 160]), { type: 101, marked: true });
  phone.say(session, frame(0));
  await until(() => digits.length === 1);
  assert.deepEqual(digits, ['#']);
  stop();
});

test('keys › those we press are heard as such by the same rules, in a stream without gaps', async (t) => {
  const { phone, session } = await connectPhone(t, startMedia(t), { dtmfType: 96 });
  await session.sendDigits('1#x2');
  await until(() => phone.heard.filter(({ type }) => type === 96).length === 24);
  let told = '';
  const keys = makeKeysIn((key) => {
    told += key;
  });
  for (const { payload, timestamp } of phone.heard.filter(({ type }) => type === 96)) {
    const packet = Buffer.alloc(12 + payload.length);
    writeHead(packet, 0, 96, 0, timestamp, 7);
    packet.set(payload, 12);
    keys.take(packet, 12, packet.length, 0);
  }
  assert.equal(told, '1#2');
  const events = phone.heard.filter(({ type }) => type === 96);
  assert.deepEqual(
    events.slice(0, 8).map(({ payload, marked }) => [payload[1]! & end, payload.readUInt16BE(2), marked]),
    [160, 320, 480, 640, 800].map((duration, n) => [0, duration, n === 0]).concat(Array(3).fill([end, 960, false])),
  );
  assert.ok(phone.heard.every(({ sequence }, n) => sequence === ((phone.heard[0]!.sequence + n) & 0xffff)));
});

test('keys › are pressed as tones where the peer knows no events', async (t) => {
  const { phone, session } = await connectPhone(t, startMedia(t), { dtmfType: null });
  await session.sendDigits('5');
  await until(() => phone.speech().length === 6);
  assert.deepEqual(Buffer.concat(phone.speech().map(({ payload }) => payload)), keyTone('5', 0.12));
});
