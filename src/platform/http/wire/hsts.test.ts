import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { it } from 'node:test';
import { makeIsProxy, type TrustProxy } from './client-address.ts';
import { makeHsts } from './hsts.ts';

const asked = (encrypted: boolean, forwarded?: string) =>
  ({
    socket: { encrypted, remoteAddress: '10.0.0.2' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded },
  }) as unknown as IncomingMessage;

it('Strict-Transport-Security › is said over HTTPS alone, of which behind a proxy only a trusted one tells', () => {
  const cases: [behindProxy: boolean, trust: TrustProxy, request: IncomingMessage, is: boolean][] = [
    [false, false, asked(true), true],
    [false, false, asked(false), false],
    [false, 1, asked(false, 'https'), false],
    [true, 1, asked(false, 'https'), true],
    [true, 1, asked(false, 'https, http'), false],
    [true, 1, asked(false, 'http, https'), true],
    [true, 1, asked(false), false],
    [true, false, asked(false, 'https'), false],
    [true, ['192.168.0.0/16'], asked(false, 'https'), false],
  ];
  for (const [behindProxy, trust, request, is] of cases) {
    const hsts = makeHsts({ seconds: 60, behindProxy }, makeIsProxy(trust));
    assert.equal(hsts(request), is ? 'max-age=60' : undefined, JSON.stringify([behindProxy, trust, request]));
    assert.equal(makeHsts({ seconds: 0, behindProxy }, makeIsProxy(trust))(request), undefined);
  }
});
