import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { hasHostBits, makeNetworkIndex, makeNetworks, parseNetwork } from './networks.ts';

it('finds what belongs to every network with an address, as written in whatever way', () => {
  const index = makeNetworkIndex<string>();
  for (const network of ['192.0.2.0/24', '192.0.0.0/16', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.0/120'])
    index.add(network, network);
  const find = (address: string) => [...index.find(address)].sort();
  assert.deepEqual(find('192.0.2.7'), ['192.0.0.0/16', '192.0.2.0/24', '192.0.2.7']);
  assert.deepEqual(find('::ffff:192.0.2.8'), ['192.0.0.0/16', '192.0.2.0/24']);
  assert.deepEqual(find('2001:DB8:0::1%eth0'), ['2001:db8::/32']);
  assert.deepEqual(find('198.51.100.9'), ['::ffff:198.51.100.0/120']);
  for (const address of ['193.0.2.7', '2001:db9::1', 'example.com', '']) assert.deepEqual(find(address), []);
  index.remove('192.0.2.0/24', '192.0.2.0/24');
  index.remove('10.0.0.0/8', 'of nobody');
  assert.deepEqual(find('192.0.2.7'), ['192.0.0.0/16', '192.0.2.7']);
});

it('refuses what is no network', () => {
  assert.throws(() => makeNetworkIndex().add('192.0.2.0/33', 1), /192\.0\.2\.0\/33 is not a network\./);
});

// Near each other, so that many are inside one another.
const byte = fc.constantFrom(0, 1, 127, 128, 255);
const address4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const address6 = fc
  .array(fc.constantFrom('0', '1', 'ff', '8000', 'ffff'), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.join(':'));
const address = fc.oneof(address4, address6);
const network = fc.oneof(
  fc.tuple(address4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(address6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
);

it('finds the same as a look at each network by itself, whatever was added and removed', () => {
  fc.assert(
    fc.property(fc.uniqueArray(network), fc.uniqueArray(network), fc.array(address), (kept, removed, addresses) => {
      const index = makeNetworkIndex<string>();
      for (const one of [...kept, ...removed]) index.add(one, one);
      for (const one of removed) if (!kept.includes(one)) index.remove(one, one);
      for (const one of addresses) {
        const expected = kept.filter((network) => makeNetworks([network]).has(one));
        assert.deepEqual([...index.find(one)].sort(), expected.sort());
      }
    }),
  );
});

it('tells bits beyond the mask', () => {
  const has = (text: string) => hasHostBits(parseNetwork(text)!);
  assert.deepEqual(['192.0.2.0/24', '0.0.0.0/0', '192.0.2.1', '2001:db8::/32', '::/0'].map(has), Array(5).fill(false));
  assert.deepEqual(['192.0.2.1/24', '128.0.0.0/0', '2001:db8::1/127', '::1/64'].map(has), Array(4).fill(true));
});
