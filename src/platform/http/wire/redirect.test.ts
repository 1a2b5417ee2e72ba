import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { makeRedirectServer } from './redirect.ts';

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
