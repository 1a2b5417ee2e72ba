import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { makeIsProxy, type TrustProxy } from './client-address.ts';
import { makeHsts, makeRedirectServer } from './https.ts';

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

it('a plain port › leads to HTTPS by the name that was called, or by PUBLIC_URL, and nowhere else', async (t) => {
  const locate = async (options: { publicUrl: string; port: number }, lines: string): Promise<string> => {
    const server = makeRedirectServer(options).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${lines}\r\n\r\n`);
    const answer = await text(socket);
    return /location: (\S+)/i.exec(answer)?.[1] ?? answer.split('\r\n')[0]!;
  };
  const own = { publicUrl: '', port: 8443 };
  const host = 'Host: calls.example:8080';
  assert.equal(await locate(own, `GET /a?b=c HTTP/1.1\r\n${host}`), 'https://calls.example:8443/a?b=c');
  assert.equal(await locate({ publicUrl: '', port: 443 }, `GET / HTTP/1.1\r\n${host}`), 'https://calls.example/');
  assert.equal(await locate(own, 'GET / HTTP/1.1\r\nHost: [::1]:80'), 'https://[::1]:8443/');
  const named = { publicUrl: 'https://parley.example/base', port: 8443 };
  assert.equal(await locate(named, `GET /base/x HTTP/1.1\r\n${host}`), 'https://parley.example/base/x');
  assert.equal(await locate(own, 'GET / HTTP/1.1\r\nHost: a@b.example'), 'HTTP/1.1 400 Bad Request');
  assert.equal(await locate(own, `GET http://other.example/ HTTP/1.1\r\n${host}`), 'https://calls.example:8443/');
  assert.equal(
    await locate(own, `GET //other.example/ HTTP/1.1\r\n${host}`),
    'https://calls.example:8443//other.example/',
  );
});
