import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeHead } from '../rtp/rtp.ts';
import { deriveKeys } from './derive.ts';
import { makeOpener, makeSealer } from './srtp.ts';
import { makePacketStream } from './stream.ts';
import { saltOctets, suiteNames, suites } from './suites.ts';

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex');
const newMaster = (suite: keyof typeof suites): string =>
  randomBytes(suites[suite].keyOctets + saltOctets).toString('base64');

function packetOf(sequence: number, text: string, ssrc = 0xcafe): Buffer {
  const packet = Buffer.concat([Buffer.alloc(12), Buffer.from(text)]);
  writeHead(packet, 0, 0, sequence, sequence * 160, ssrc);
  return packet;
}

describe('SRTP', () => {
  it('RFC 3711, B.2: the key stream of AES in counter mode', () => {
    const iv = hex('F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000');
    const stream = createCipheriv('aes-128-ctr', hex('2B7E151628AED2A6ABF7158809CF4F3C'), iv).update(Buffer.alloc(48));
    const expected =
      'E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0';
    assert.deepEqual(stream, hex(expected));
  });

  it('RFC 3711, B.3: session keys of a master key', () => {
    const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');
    const keys = deriveKeys('AES_CM_128_HMAC_SHA1_80', master.toString('base64'));
    assert.deepEqual(keys.cipherKey, hex('C61E7A93744F39EE10734AFE3FF7A087'));
    assert.deepEqual(keys.salt, hex('30CBBC08863D8C85D49DB34A9AE1'));
    assert.deepEqual(keys.authKey, hex('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'));
  });

  it('RFC 6188, 7.2: the same with a key of 256 bits', () => {
    const master = hex(
      'f0f04914b513f2763a1b1fa130f10e29 98f6f6e43e4309d1e622a0e332b9f1b6 3b04803de51ee7c96423ab5b78d2',
    );
    const keys = deriveKeys('AES_256_CM_HMAC_SHA1_80', master.toString('base64'));
    assert.deepEqual(keys.cipherKey, hex('5ba1064e30ec51613cad926c5a28ef73 1ec7fb397f70a960653caf06554cd8c4'));
    assert.deepEqual(keys.salt, hex('fa31791685ca444a9e07c6c64e93'));
    assert.deepEqual(keys.authKey, hex('fd9c32d39ed5fbb5a9dc96b30818454d1313dc05'));
  });

  it("libsrtp's reference packet", () => {
    const master = hex('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6').toString('base64');
    const plain = hex('800f1234decafbadcafebabe abababababababababababababababab');
    const sealed = hex('800f1234decafbadcafebabe 4e55dc4ce79978d88ca4d215949d2402 b78d6acc99ea179b8dbb');
    assert.deepEqual(makeSealer('AES_CM_128_HMAC_SHA1_80', master).seal(plain), sealed);
    assert.deepEqual(makeOpener('AES_CM_128_HMAC_SHA1_80', master).open(sealed), plain);
  });

  for (const suite of suiteNames) {
    it(`${suite}: what is sealed opens once, over two turns of the sequence numbers and with losses`, () => {
      const master = newMaster(suite);
      const [sealer, opener] = [makeSealer(suite, master), makeOpener(suite, master)];
      for (let n = 65_000; n < 65_000 + 2 * 65_536; n += 37) {
        const packet = packetOf(n & 0xffff, `speech ${n}`);
        const sealed = sealer.seal(packet)!;
        assert.equal(sealed.length, packet.length + suites[suite].tagOctets);
        assert.ok(!sealed.includes('speech'));
        const again = Buffer.from(sealed);
        assert.deepEqual(opener.open(sealed), packet);
        assert.equal(opener.open(again), undefined);
      }
    });
  }

  it('packets that overtake each other open, also over the turn of the sequence numbers', () => {
    const suite = 'AES_CM_128_HMAC_SHA1_80';
    const master = newMaster(suite);
    const [sealer, opener] = [makeSealer(suite, master), makeOpener(suite, master)];
    const numbers = [65_533, 65_534, 65_535, 0, 1, 2];
    const sealed = numbers.map((number) => sealer.seal(packetOf(number, `${number}`))!);
    for (const at of [0, 3, 1, 5, 2, 4])
      assert.deepEqual(opener.open(sealed[at]!), packetOf(numbers[at]!, `${numbers[at]}`));
    // One number never stands for two packets: their key stream would be the same.
    assert.equal(sealer.seal(packetOf(1, 'something else')), undefined);
  });

  it('what is too old to be told apart is dropped', () => {
    const stream = makePacketStream();
    for (let index = 0; index < 1_000; index++) stream.note(index);
    assert.deepEqual([stream.isKnown(871), stream.isKnown(999), stream.isKnown(1_000)], [true, true, false]);
  });

  it('another key, a changed octet, and noise: never opened, never thrown, and the next genuine packet opens', () => {
    const suite = 'AES_CM_128_HMAC_SHA1_80';
    const master = newMaster(suite);
    const [sealer, opener] = [makeSealer(suite, master), makeOpener(suite, master)];
    const stranger = makeSealer(suite, newMaster(suite));
    let number = 0;
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (noise, at, change) => {
          assert.equal(opener.open(Buffer.from(noise)), undefined);
          const packet = packetOf(++number & 0xffff, 'hello');
          assert.equal(opener.open(stranger.seal(packet)!), undefined);
          const sealed = sealer.seal(packet)!;
          const broken = Buffer.from(sealed);
          broken[at % broken.length]! ^= change;
          assert.equal(opener.open(broken), undefined);
          assert.deepEqual(opener.open(sealed), packet);
        },
      ),
      { numRuns: 500 },
    );
  });
});
