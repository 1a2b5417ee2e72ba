// A leg with SRTP and one without, bridged: speech, keys, and what somebody on the wire could add.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { connectPhone, frame, isContinuous, startMedia } from '../../../../../test/kit/sip/phone.ts';
import { until } from '../../../../../test/kit/until.ts';
import { fromUlaw, rms, toUlaw } from '../../../../platform/audio/g711.ts';
import { frameSamples } from '../rtp/rtp.ts';
import { type SrtpKeys, type Suite, saltOctets, suiteNames, suites } from './suites.ts';

const keysOf = (suite: Suite): SrtpKeys => {
  const master = () => randomBytes(suites[suite].keyOctets + saltOctets).toString('base64');
  return { suite, send: master(), receive: master() };
};
/** A frame of a sine at 0.3 of what is possible; no two frames in a row are the same. */
const tone = (n: number, hertz: number): Buffer =>
  Buffer.from(
    toUlaw(
      Int16Array.from(
        { length: frameSamples },
        (_, at) => 0.3 * 32_767 * Math.sin((2 * Math.PI * hertz * (n * frameSamples + at)) / 8_000),
      ),
    ),
  );
const frames = 50;

for (const suite of suiteNames) {
  test(`bridge › ${suite} and plain RTP: both are heard as loud as they speak, and one of them is not on the wire`, async (t) => {
    const media = startMedia(t);
    const secret = await connectPhone(t, media, { srtp: keysOf(suite) });
    const plain = await connectPhone(t, media);
    await media.bridge(secret.session, plain.session);
    const [said, answered] = [437, 1_013].map((hertz) => Array.from({ length: frames }, (_, n) => tone(n, hertz)));
    for (let n = 0; n < frames; n++) {
      secret.phone.say(secret.session, said![n]!);
      plain.phone.say(plain.session, answered![n]!);
      await until(() => plain.phone.speech().length > n && secret.phone.speech().length > n);
    }
    for (const [{ phone }, expected] of [
      [plain, said!],
      [secret, answered!],
    ] as const) {
      const heard = Buffer.concat(phone.speech().map(({ payload }) => payload));
      assert.ok(heard.equals(Buffer.concat(expected)));
      const loudness = rms(fromUlaw(heard));
      assert.ok(Math.abs(loudness - 0.3 / Math.SQRT2) < 0.005, `${loudness}`);
      assert.ok(isContinuous(phone.heard));
    }
    const wire = Buffer.concat(secret.phone.wire);
    assert.ok(secret.phone.wire.length >= frames && answered!.every((one) => !wire.includes(one)));
    const stats = (await secret.session.stats())!;
    assert.deepEqual([stats.received, stats.lost, stats.unauthentic], [frames, 0, 0]);
  });
}

test('bridge › keys pressed on either side go through SRTP as telephone events (RFC 4733), under the type of each', async (t) => {
  const media = startMedia(t);
  const secret = await connectPhone(t, media, { srtp: keysOf('AES_CM_128_HMAC_SHA1_80'), dtmfType: 101 });
  const plain = await connectPhone(t, media, { dtmfType: 97 });
  await media.bridge(secret.session, plain.session);
  const pressed = { secret: [] as string[], plain: [] as string[] };
  secret.session.onDigit((digit) => pressed.secret.push(digit));
  plain.session.onDigit((digit) => pressed.plain.push(digit));
  const event = (key: number): Buffer => Buffer.from([key, 0x8a, 3, 192]);
  secret.phone.say(secret.session, frame(0));
  secret.phone.say(secret.session, event(5), { type: 101, marked: true });
  await until(() => pressed.secret.length === 1 && plain.phone.speech().length === 2);
  plain.phone.say(plain.session, frame(1));
  plain.phone.say(plain.session, event(11), { type: 97, marked: true });
  await until(() => pressed.plain.length === 1 && secret.phone.speech().length === 2);
  assert.deepEqual(pressed, { secret: ['5'], plain: ['#'] });
  for (const [{ phone }, type, key] of [
    [plain, 97, 5],
    [secret, 101, 11],
  ] as const) {
    const last = phone.speech()[1]!;
    assert.deepEqual([last.type, last.marked, [...last.payload]], [type, true, [...event(key)]]);
  }
  assert.ok(!Buffer.concat(secret.phone.wire).includes(event(11)), 'nobody on the wire reads the key');
});

test('keys › those we press are heard over SRTP', async (t) => {
  const { phone, session } = await connectPhone(t, startMedia(t), { srtp: keysOf('AES_256_CM_HMAC_SHA1_80') });
  await session.sendDigits('19');
  await until(() => phone.heard.filter(({ type }) => type === 101).length === 16);
  const ends = phone.heard.filter(({ type, payload }) => type === 101 && (payload[1]! & 0x80) !== 0);
  assert.deepEqual([...new Set(ends.map(({ payload }) => payload[0]))], [1, 9]);
});

test('keys › in clear, or sealed with another key, are not heard on a leg with SRTP', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media, { srtp: keysOf('AES_CM_128_HMAC_SHA1_80') });
  const digits: string[] = [];
  session.onDigit((digit) => digits.push(digit));
  // The same telephone, as somebody who has not the keys would speak for it.
  const packet = (key: number, sequence: number): Buffer => {
    const head = Buffer.from([0x80, 0x80 | 101, sequence >> 8, sequence & 255, 0, 0, sequence >> 8, 0, 0, 0, 0, 7]);
    return Buffer.concat([head, Buffer.from([key, 0x8a, 3, 192])]);
  };
  for (let n = 0; n < 5; n++) phone.send(packet(n, 2_000 + n), session);
  phone.send(Buffer.concat([packet(6, 2_006), randomBytes(10)]), session);
  phone.say(session, Buffer.from([9, 0x8a, 3, 192]), { type: 101, marked: true });
  await until(() => digits.length > 0);
  assert.deepEqual(digits, ['9']);
  await until(async () => (await session.stats())!.unauthentic === 6);
});
