import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { phone } from '../../../../test/kit/intros/make-intro.ts';
import { makeVault } from '../../../platform/secrets.ts';
import { makeVisitors } from './visitor.ts';

const today = Date.UTC(2030, 0, 1, 12);
const tomorrow = Date.UTC(2030, 0, 2);
const visit = (ip: string, userAgent = phone) =>
  ({ method: 'GET', ip, headers: { 'user-agent': userAgent } }) as unknown as FastifyRequest;

describe('The name of a visitor', () => {
  it('is the same in every process and after a restart, on one day', () => {
    const [one, other] = [makeVisitors(makeVault('key')), makeVisitors(makeVault('key'))];
    const name = one.nameOf(visit('192.0.2.1'), today);
    assert.match(name!, /^[0-9a-f]{16}$/);
    assert.equal(one.nameOf(visit('192.0.2.1'), today), name);
    assert.equal(other.nameOf(visit('192.0.2.1'), today), name);
  });

  it('differs by address, browser, day and key', () => {
    const visitors = makeVisitors(makeVault('key'));
    const names = [
      visitors.nameOf(visit('192.0.2.1'), today),
      visitors.nameOf(visit('192.0.2.2'), today),
      visitors.nameOf(visit('192.0.2.1', `${phone} Edg/1`), today),
      visitors.nameOf(visit('192.0.2.1'), tomorrow),
      makeVisitors(makeVault('another')).nameOf(visit('192.0.2.1'), today),
    ];
    assert.equal(new Set(names).size, names.length);
  });

  it('stays right when more come than are remembered', () => {
    const visitors = makeVisitors(makeVault('key'));
    const first = visitors.nameOf(visit('192.0.2.1'), today);
    const addresses = Array.from({ length: 30_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    const names = new Set(addresses.map((ip) => visitors.nameOf(visit(ip), today)));
    assert.equal(names.size, addresses.length);
    assert.equal(visitors.nameOf(visit('192.0.2.1'), today), first);
  });

  it('programs have none', () => {
    assert.equal(makeVisitors(makeVault('key')).nameOf(visit('192.0.2.1', 'curl/8.5.0'), today), null);
  });
});
