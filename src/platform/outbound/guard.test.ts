import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyNetwork } from '../networks.ts';
import { isPublicAddress, makeAddresses, makeGuard, namesRefusedAddress, RefusedAddress } from './guard.ts';

describe('The address guard', () => {
  const inside = {
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
    multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
    reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.8', '198.18.0.1', '100::1'],
    documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1'],
    NAT64: ['64:ff9b::7f00:1', '64:ff9b:1::1', '64:ff9b::808:808'],
    '6to4 and Teredo': ['2002:7f00:1::1', '2002:a9fe:a9fe::1', '2001:0:7f00:1::1', '192.88.99.1'],
    'no address': ['', 'localhost', '127.1', '1.2.3.4.5'],
  };
  for (const [name, addresses] of Object.entries(inside)) {
    it(`refuses ${name}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
    });
  }

  it('lets public addresses pass, up to the edges of what is refused', () => {
    const outside = [
      ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
      ...['128.0.0.1', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255'],
      ...['223.255.255.255', '2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '3ffe:ffff::1'],
    ];
    for (const address of outside) assert.equal(isPublicAddress(address), true, address);
  });

  it('knows a private address in a URL, however it is written', () => {
    const guard = makeGuard([]);
    const hosts = [
      '127.0.0.1',
      '169.254.169.254',
      '[::1]',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '127.1',
      '127.0.0.1.',
    ];
    hosts.push('[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '0', '0xa9fea9fe', '１２７.0.0.1', '[64:ff9b::a00:1]');
    for (const host of hosts) assert.equal(namesRefusedAddress(guard, `http://${host}:8080/hook`), true, host);
    assert.equal(namesRefusedAddress(guard, 'http://user:word@10.0.0.1/'), true);
    for (const host of ['example.com', '8.8.8.8', '[2606:4700::1111]', 'localhost']) {
      assert.equal(namesRefusedAddress(guard, `https://${host}/`), false, host);
    }
  });

  it('refuses a name as soon as one of its addresses is private', async () => {
    const answer = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    const both = makeGuard([], async () => answer);
    await assert.rejects(both.addressesOf('both.example'), new RefusedAddress('10.0.0.1'));
    const good = makeGuard([], async () => answer.slice(0, 1));
    assert.deepEqual(await good.addressesOf('good.example'), answer.slice(0, 1));
    assert.deepEqual(await makeGuard(['10.0.0.0/8'], async () => answer).addressesOf('both.example'), answer);
  });

  it('allows the networks it was given, and no other that is not public', () => {
    const guard = makeGuard(['10.1.0.0/16', '127.0.0.1', 'fd00:1::/32', '::1']);
    const inside = ['10.1.0.1', '10.1.255.255', '127.0.0.1', 'fd00:1::5', '::1', '8.8.8.8', '2606:4700::1111'];
    for (const address of inside) assert.equal(guard.isAllowed(address), true, address);
    const outside = ['10.2.0.1', '127.0.0.2', '192.168.1.1', 'fd00:2::5', '::2', '169.254.169.254', 'localhost', ''];
    for (const address of outside) assert.equal(guard.isAllowed(address), false, address);
    for (const address of [...inside, ...outside.slice(0, 6)]) {
      assert.equal(makeGuard(everyNetwork).isAllowed(address), true, address);
    }
  });

  it('judges an IPv4-mapped address by the IPv4 address inside, in a network and as an address', () => {
    const guard = makeGuard(['10.1.0.0/16']);
    for (const address of ['::ffff:10.1.2.3', '::ffff:a01:203', '0:0:0:0:0:FFFF:10.1.2.3', '::ffff:8.8.8.8']) {
      assert.equal(guard.isAllowed(address), true, address);
    }
    for (const address of ['::ffff:10.2.0.1', '::ffff:127.0.0.1', '::10.1.2.3', '64:ff9b::a01:203']) {
      assert.equal(guard.isAllowed(address), false, address);
    }
    const mapped = makeGuard(['::ffff:10.1.0.0/112']);
    assert.deepEqual(['10.1.2.3', '::ffff:10.1.2.3', '10.2.0.1'].map(mapped.isAllowed), [true, true, false]);
    // All of IPv6 is not all of IPv4.
    assert.equal(makeGuard(['::/0']).isAllowed('::ffff:127.0.0.1'), false);
  });
});

const host = 'smsc.example.com';
const refused = { addresses: [], problem: '10.0.0.1 is not a public address.' };

/** A name whose addresses a test decides about, and how often it was asked for. */
function stage(networks: string[] = []) {
  const name = { addresses: ['93.184.215.14', '93.184.215.15'], asked: 0, nowMs: 0, isAway: false };
  const resolve = async () => {
    name.asked++;
    if (name.isAway) throw new Error(`${host} could not be looked up in time.`);
    return name.addresses.map((address) => ({ address, family: 4 }));
  };
  return { name, find: makeAddresses({ guard: makeGuard(networks, resolve), now: () => name.nowMs }) };
}

describe('The addresses of a host', () => {
  it('are looked up once a minute, also when many ask at once', async () => {
    const { name, find } = stage();
    const [one, other] = await Promise.all([find(host), find(host)]);
    assert.deepEqual(one, { addresses: ['93.184.215.14', '93.184.215.15'], problem: '' });
    assert.equal(one, other);
    name.nowMs = 59_999;
    await find(host);
    assert.equal(name.asked, 1);
    name.nowMs = 60_000;
    name.addresses = ['93.184.215.16'];
    assert.deepEqual((await find(host)).addresses, ['93.184.215.16']);
  });

  it('stay while nobody can tell, and are asked for again soon', async () => {
    const { name, find } = stage();
    const before = await find(host);
    name.isAway = true;
    name.nowMs = 60_000;
    assert.deepEqual(await find(host), before);
    name.nowMs += 5_000;
    assert.deepEqual(await find(host), before);
    assert.equal(name.asked, 3);
  });

  it('go when the name leads inside; one inside address is enough', async () => {
    const { name, find } = stage();
    await find(host);
    name.addresses = ['93.184.215.14', '10.0.0.1'];
    name.nowMs = 60_000;
    assert.deepEqual(await find(host), refused);
    assert.deepEqual((await stage(['10.0.0.0/8']).find('10.0.0.1')).addresses, ['10.0.0.1']);
    assert.deepEqual(await find('10.0.0.1'), refused);
  });

  it('are none, with the reason, where there never were any', async () => {
    const { name, find } = stage();
    name.addresses = [];
    assert.deepEqual(await find(host), { addresses: [], problem: `${host} has no address.` });
    name.isAway = true;
    name.nowMs = 5_000;
    assert.deepEqual(await find(host), { addresses: [], problem: `${host} could not be looked up in time.` });
  });
});
