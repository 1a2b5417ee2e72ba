import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientAddress, clientKey, makeIsProxy, type TrustProxy } from './client-address.ts';

describe('clientAddress', () => {
  const forwarded = '198.51.100.66, 203.0.113.9, 10.0.0.2';
  const cases: [TrustProxy, connected: string, forwardedFor: string | undefined, expected: string][] = [
    [false, '10.0.0.1', forwarded, '10.0.0.1'],
    [0, '10.0.0.1', forwarded, '10.0.0.1'],
    [true, '10.0.0.1', forwarded, '198.51.100.66'],
    [1, '10.0.0.1', forwarded, '10.0.0.2'],
    [2, '10.0.0.1', forwarded, '203.0.113.9'],
    [9, '10.0.0.1', forwarded, '198.51.100.66'],
    [['10.0.0.0/8'], '10.0.0.1', forwarded, '203.0.113.9'],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', forwarded, '203.0.113.9'],
    [['10.0.0.0/8'], '192.0.2.1', forwarded, '192.0.2.1'],
    [['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [['10.0.0.0/8', 'fd00::/8'], 'fd00::1', 'nonsense, 2001:db8::5', '2001:db8::5'],
    [1, '10.0.0.1', undefined, '10.0.0.1'],
    [1, '10.0.0.1', '', '10.0.0.1'],
  ];
  for (const [trust, connected, forwardedFor, expected] of cases) {
    it(`TRUST_PROXY ${JSON.stringify(trust)}: ${connected} with "${forwardedFor}" is ${expected}`, () => {
      assert.equal(clientAddress(connected, forwardedFor, makeIsProxy(trust)), expected);
    });
  }
});

describe('clientKey', () => {
  it('is the address in IPv4 and the /64 in IPv6, however it is written', () => {
    for (const [address, key] of [
      ['203.0.113.9', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['2001:db8::1', '2001:db8:0:0::/64'],
      ['2001:0DB8:0000:0000:ffff::2', '2001:db8:0:0::/64'],
      ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
      ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
      ['fe80::1%eth0', 'fe80:0:0:0::/64'],
      ['::1', '0:0:0:0::/64'],
      ['', ''],
    ]) {
      assert.equal(clientKey(address!), key);
    }
    assert.equal(clientKey('x'.repeat(10_000)).length, 64);
  });
});
