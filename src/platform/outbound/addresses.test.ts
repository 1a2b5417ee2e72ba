import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeAddresses } from './addresses.ts';
import { makeGuard } from './guard.ts';

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
