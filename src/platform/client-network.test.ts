import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from './client-network.ts';

test('an IPv4 address is itself, also when it is mapped into IPv6; of an IPv6 address the first half counts', () => {
  const cases = {
    '192.0.2.7': '192.0.2.7',
    '::ffff:192.0.2.7': '192.0.2.7',
    '::ffff:c000:207': '192.0.2.7',
    '::1': '0:0:0:0::/64',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::9': '2001:db8:1:2::/64',
    '2001:DB8::9': '2001:db8:0:0::/64',
    '2001:db8::': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    unknown: 'unknown',
  };
  for (const [address, network] of Object.entries(cases)) assert.equal(clientNetwork(address), network, address);
});
