import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connectPhone,
  frame,
  isContinuous,
  makeSound,
  openPhone,
  remoteOf,
  startMedia,
} from '../../../../../test/kit/sip/phone.ts';
import { until } from '../../../../../test/kit/until.ts';
import { alawToUlaw, ulawToAlaw } from '../../../../platform/audio/g711.ts';
import { writeHead } from './rtp.ts';

test('relay › both hear each other, in one stream each, with the types of their own SDP', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media, { payloadType: 96 });
  await media.bridge(one.session, other.session);
  for (let n = 0; n < 10; n++) {
    one.phone.say(one.session, frame(n));
    other.phone.say(other.session, frame(100 + n));
    await until(() => other.phone.speech().length > n && one.phone.speech().length > n);
  }
  assert.deepEqual(
    other.phone.speech().map(({ payload }) => payload),
    Array.from({ length: 10 }, (_, n) => frame(n)),
  );
  assert.deepEqual(
    one.phone.speech().map(({ payload }) => payload),
    Array.from({ length: 10 }, (_, n) => frame(100 + n)),
  );
  assert.ok(other.phone.speech().every(({ type }) => type === 96));
  assert.ok(isContinuous(one.phone.heard) && isContinuous(other.phone.heard));
  assert.notEqual(one.phone.heard[0]!.source, 7);
  const stats = (await one.session.stats())!;
  assert.deepEqual([stats.received, stats.lost, stats.strangers], [10, 0, 0]);
});

test('relay › a peer behind a NAT is answered where its packets come from, and a third party is dropped', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  // The SDP names a port at which nobody is; the packets come from another.
  const nowhere = await openPhone(t);
  const [behindNat, session] = [await openPhone(t), await media.open({ near: 'one call' })];
  await session.setRemote(remoteOf(nowhere));
  await media.bridge(one.session, session);
  behindNat.say(session, frame(0));
  await until(() => one.phone.speech().length === 1);

  const stranger = await openPhone(t, '127.0.0.3');
  stranger.say(session, frame(66));
  await until(async () => (await session.stats())!.strangers === 1);
  for (let n = 1; n < 10; n++) behindNat.say(session, frame(n));
  await until(() => one.phone.speech().length === 10);
  for (let n = 0; n < 5; n++) stranger.say(session, frame(66));
  behindNat.say(session, frame(10));
  await until(() => one.phone.speech().length === 11);
  assert.ok(one.phone.speech().every(({ payload }) => !payload.equals(frame(66))));
  assert.deepEqual((await session.stats())!.heardFrom, { address: '127.0.0.1', port: behindNat.port });

  one.phone.say(one.session, frame(1));
  await until(() => behindNat.speech().length === 1);
  assert.equal(stranger.heard.length, 0);
});

test('relay › another port of the peer’s address is given up when the port of the SDP is heard', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  const stranger = await openPhone(t);
  for (let n = 0; n < 3; n++) stranger.say(other.session, frame(66), { source: 9 });
  await until(() => one.phone.speech().length === 3);
  other.phone.say(other.session, frame(1));
  await until(() => one.phone.speech().length === 4);
  one.phone.say(one.session, frame(2));
  await until(() => other.phone.speech().length === 1);
  const before = stranger.heard.length;
  stranger.say(other.session, frame(66), { source: 9 });
  other.phone.say(other.session, frame(3));
  await until(() => one.phone.speech().length === 5);
  assert.deepEqual(one.phone.speech()[4]!.payload, frame(3));
  assert.equal(stranger.heard.length, before);
});

test('relay › a peer that may only be answered hears nothing until it speaks from an address of the signalling', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  // What a phone behind a NAT writes into its SDP, and where its packets come from.
  const inside = await openPhone(t, '127.0.0.2');
  const outside = await openPhone(t, '127.0.0.3');
  const session = await media.open({ near: 'one call' });
  await session.setRemote(remoteOf(inside, { sources: [outside.address], isHeardFirst: true }));
  await media.bridge(one.session, session);
  one.phone.say(one.session, frame(0));
  await session.play(await makeSound(t, frame(1)));
  inside.say(session, frame(66));
  await until(async () => (await session.stats())!.strangers === 1);
  assert.equal((await session.stats())!.sent, 0);

  outside.say(session, frame(2));
  await until(() => one.phone.speech().length === 1);
  one.phone.say(one.session, frame(3));
  await until(() => outside.speech().length === 1);
  assert.deepEqual([inside.heard.length, outside.speech()[0]!.payload], [0, frame(3)]);
});

test('relay › A-law and µ-law are translated into each other', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media, { codec: 'PCMA' });
  await media.bridge(one.session, other.session);
  one.phone.say(one.session, frame(1));
  other.phone.say(other.session, frame(2), { type: 8 });
  await until(() => one.phone.speech().length === 1 && other.phone.speech().length === 1);
  assert.deepEqual(
    [...other.phone.speech()[0]!.payload],
    [...frame(1)].map((octet) => ulawToAlaw[octet]),
  );
  assert.deepEqual(
    [...one.phone.speech()[0]!.payload],
    [...frame(2)].map((octet) => alawToUlaw[octet]),
  );
  assert.deepEqual([one.phone.speech()[0]!.type, other.phone.speech()[0]!.type], [0, 8]);
});

test('relay › loss and order stay visible; extensions, contributing sources and padding are left off', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  for (const n of [0, 1, 3, 2, 6]) {
    one.phone.say(one.session, frame(n), { sequence: (65_534 + n) & 0xffff, timestamp: 1_000 + n * 160 });
  }
  const packet = Buffer.alloc(12 + 4 + 8 + 160 + 4, 0);
  writeHead(packet, 0, 0, (65_534 + 7) & 0xffff, 1_000 + 7 * 160, 7);
  packet[0] = 0x80 | 0x20 | 0x10 | 1;
  packet.writeUInt16BE(1, 12 + 4 + 2);
  frame(7).copy(packet, 24);
  packet[packet.length - 1] = 4;
  one.phone.send(packet, one.session);
  await until(() => other.phone.speech().length === 6);
  const [first] = other.phone.speech();
  assert.deepEqual(
    other.phone.speech().map(({ sequence, timestamp, payload }) => ({
      sequence: (sequence - first!.sequence) & 0xffff,
      timestamp: (timestamp - first!.timestamp) >>> 0,
      payload,
    })),
    [0, 1, 3, 2, 6, 7].map((n) => ({ sequence: n, timestamp: n * 160, payload: frame(n) })),
  );
  assert.equal((await one.session.stats())!.lost, 2);
});

test('relay › prompt, relay, another speaker and prompt again are one stream to the listener', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  const sound = await makeSound(t, Buffer.concat([frame(1), frame(2), frame(3)]));
  await other.session.play(sound);
  await media.bridge(one.session, other.session);
  for (let n = 0; n < 3; n++) one.phone.say(one.session, frame(10 + n));
  await until(() => other.phone.speech().length === 6);
  for (let n = 0; n < 3; n++)
    one.phone.say(one.session, frame(20 + n), { source: 99, sequence: 5 + n, timestamp: n * 160 });
  await until(() => other.phone.speech().length === 9);
  await other.session.play(sound);
  await until(() => other.phone.speech().length === 12);
  one.phone.say(one.session, frame(30));
  await until(() => other.phone.speech().length === 13);
  assert.deepEqual(
    other.phone.speech().map(({ payload }) => payload),
    [1, 2, 3, 10, 11, 12, 20, 21, 22, 1, 2, 3, 30].map(frame),
  );
  assert.ok(isContinuous(other.phone.heard));
  // Each change of speaker begins a spurt of talk.
  const marked = other.phone.speech().flatMap((packet, n) => (packet.marked ? [n] : []));
  assert.deepEqual(marked, [0, 3, 6, 9, 12]);
});

test('relay › keys go through under the type of the other side, and none to a peer without', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media, { dtmfType: 101 });
  const other = await connectPhone(t, media, { dtmfType: 97 });
  await media.bridge(one.session, other.session);
  const digits: string[] = [];
  one.session.onDigit((digit) => digits.push(digit));
  one.phone.say(one.session, frame(0));
  one.phone.say(one.session, Buffer.from([5, 0x8a, 3, 192]), { type: 101, marked: true });
  await until(() => digits.length === 1 && other.phone.speech().length === 2);
  const [, event] = other.phone.speech();
  assert.deepEqual([event!.type, event!.marked, [...event!.payload]], [97, true, [5, 0x8a, 3, 192]]);

  await other.session.setRemote(remoteOf(other.phone, { dtmfType: null }));
  one.phone.say(one.session, frame(1));
  one.phone.say(one.session, Buffer.from([6, 0x8a, 3, 192]), { type: 101, marked: true });
  one.phone.say(one.session, frame(2));
  await until(() => digits.length === 2 && other.phone.speech().length === 4);
  assert.deepEqual(digits, ['5', '6']);
  const last = other.phone.heard.slice(-2);
  assert.ok(isContinuous(last), 'what is kept back leaves no gap');
});

test('relay › on hold nothing is sent to the peer, and after it the stream goes on without a gap', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  one.phone.say(one.session, frame(0));
  await until(() => other.phone.speech().length === 1);
  await other.session.hold(true);
  for (let n = 1; n < 5; n++) one.phone.say(one.session, frame(n));
  // Music on hold still comes through.
  other.phone.say(other.session, frame(50));
  await until(async () => (await one.session.stats())!.received === 5 && one.phone.speech().length === 1);
  await other.session.hold(false);
  one.phone.say(one.session, frame(5));
  await until(() => other.phone.speech().length === 2);
  assert.deepEqual(
    other.phone.speech().map(({ payload }) => payload),
    [frame(0), frame(5)],
  );
  assert.ok(isContinuous(other.phone.heard));
});

test('relay › an SDP with the address 0.0.0.0 leaves the peer where it was', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  other.phone.say(other.session, frame(0));
  await until(() => one.phone.speech().length === 1);
  await other.session.setRemote(remoteOf({ address: '0.0.0.0', port: 9 }));
  one.phone.say(one.session, frame(1));
  other.phone.say(other.session, frame(2));
  await until(() => other.phone.speech().length === 1 && one.phone.speech().length === 2);

  const early = await media.open();
  await early.setRemote(remoteOf({ address: '0.0.0.0', port: one.phone.port }));
  await early.sendDigits('1');
  assert.equal((await early.stats())!.sent, 0);
});

test('relay › one who hears somebody else no longer hears the first; a closed peer harms nobody', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  const third = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  await media.bridge(one.session, third.session);
  await third.session.close();
  one.phone.say(one.session, frame(0));
  other.phone.say(other.session, frame(0));
  await until(async () => (await one.session.stats())!.received + (await other.session.stats())!.received === 2);
  assert.equal(one.phone.speech().length + other.phone.speech().length, 0);
  await media.bridge(one.session, other.session);
  await other.session.close();
  one.phone.say(one.session, frame(1));
  await until(async () => (await one.session.stats())!.received === 2);
  await media.bridge(one.session, other.session);
  assert.equal(await other.session.stats(), undefined);
});

test('relay › another SDP in the call moves the stream there, and what is no RTP is counted and dropped', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  other.phone.say(other.session, frame(0));
  await until(() => one.phone.speech().length === 1);
  const moved = await openPhone(t, '127.0.0.2');
  await other.session.setRemote(remoteOf(moved));
  one.phone.say(one.session, frame(1));
  await until(() => moved.speech().length === 1);
  moved.say(other.session, frame(2));
  await until(() => one.phone.speech().length === 2);

  const garbage = [
    Buffer.alloc(0),
    Buffer.from([0x80]),
    Buffer.alloc(200, 0x41),
    Buffer.from([0x9f, 0, ...Buffer.alloc(14, 255)]),
  ];
  for (const packet of garbage) moved.send(packet, other.session);
  moved.say(other.session, frame(3), { type: 13 });
  await until(async () => (await other.session.stats())!.invalid === 5);
  moved.say(other.session, frame(4));
  await until(() => one.phone.speech().length === 3);
});
