import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress, namesPrivateAddress, publicAddresses, RefusedAddress } from './guard.ts';

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
    for (const host of hosts) assert.equal(namesPrivateAddress(`http://${host}:8080/hook`), true, host);
    assert.equal(namesPrivateAddress('http://user:word@10.0.0.1/'), true);
    for (const host of ['example.com', '8.8.8.8', '[2606:4700::1111]', 'localhost']) {
      assert.equal(namesPrivateAddress(`https://${host}/`), false, host);
    }
  });

  it('refuses a name as soon as one of its addresses is private', async () => {
    const answer = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await assert.rejects(
      publicAddresses('both.example', async () => answer),
      new RefusedAddress('10.0.0.1'),
    );
    assert.deepEqual(await publicAddresses('good.example', async () => answer.slice(0, 1)), answer.slice(0, 1));
  });
});
