// Slow requests hold no connection for ever: headers and bodies have their time, and what moves may take as long as it needs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../../kit/app.ts';
import { formWith, padded, png } from '../../kit/media/sample-files.ts';
import { until } from '../../kit/until.ts';
import { type Answered, parseRaw, sendRaw } from './raw.ts';

const spanSeconds = 3;

describe('slow requests', { concurrency: true }, () => {
  let app: TestApp;
  let port: number;
  before(async () => {
    app = await startTestApp({ HEADERS_TIMEOUT_SECONDS: '1', BODY_TIMEOUT_SECONDS: String(spanSeconds) });
    port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => app.close());

  const assertTimeout = (answer: Answered): void => {
    assert.equal(answer.status, 408, answer.text);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers.connection, 'close');
    assert.deepEqual(answer.body, { detail: 'The request did not arrive in time.', code: 'request_timeout' });
  };
  const head = (path: string, length: number, type = 'application/json'): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${app.token}\r\nContent-Type: ${type}\r\n` +
    `Content-Length: ${length}\r\n\r\n`;

  it('fifty bodies that stop half-way: 408, and their connections are closed', async () => {
    const raw = `${head('/v2/lists/', 100)}{"name":`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendRaw(port, raw)));
    for (const answer of answers) assertTimeout(parseRaw(answer));
  });

  it('a body that trickles: 408 though a byte comes now and then', async () => {
    const answer = await trickle(port, head('/v2/lists/', 1_000_000));
    assertTimeout(parseRaw(answer));
  });

  it('a form that trickles: 408', async () => {
    const type = 'multipart/form-data; boundary=b';
    const begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    assertTimeout(parseRaw(await trickle(port, head('/v2/chatapp/template-media/', 1_000_000, type) + begin)));
  });

  it('a body that trickles after it was refused is not read for ever', async () => {
    const raw = await trickle(port, 'POST /v2/lists/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n');
    assert.match(raw, /^HTTP\/1\.1 401 /);
  });

  it('headers that do not end: 408', async () => {
    assertTimeout(parseRaw(await sendRaw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Header: ')));
  });

  it('a connection on which nothing is said is closed', async () => {
    assertTimeout(parseRaw(await sendRaw(port, '')));
  });

  it('a slow upload that moves arrives, though it takes several such spans', async () => {
    const { payload, contentType } = await formWith(padded(png, 200_000));
    let longestPauseMs = 0;
    const upload = () =>
      new Promise<number>((resolve, reject) => {
        longestPauseMs = 0;
        const headers = {
          authorization: `Token ${app.token}`,
          'content-type': contentType,
          'content-length': payload.length,
        };
        const path = '/v2/chatapp/template-media/';
        const request = http.request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
        request.on('response', (response) => resolve(response.resume().statusCode!)).on('error', () => resolve(0));
        const send = async (): Promise<void> => {
          const pieces = 100;
          const size = Math.ceil(payload.length / pieces);
          for (let n = 0; n < pieces; n++) {
            const writtenMs = performance.now();
            request.write(payload.subarray(n * size, (n + 1) * size));
            await sleep((2.5 * spanSeconds * 1000) / pieces);
            longestPauseMs = Math.max(longestPauseMs, performance.now() - writtenMs);
          }
          request.end();
        };
        send().catch(reject);
      });
    // One during which the machine stood still did not move.
    const status = await until('an upload that moves', upload, () => longestPauseMs < (spanSeconds * 1000) / 2);
    assert.equal(status, 201);
  });

  it('the event stream stays open for longer than any request may take to arrive', async () => {
    const request = http.get({
      port,
      host: '127.0.0.1',
      path: '/v2/events/stream/',
      headers: { authorization: `Token ${app.token}` },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    assert.equal(response.statusCode, 200);
    let heard = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    assertTimeout(parseRaw(await sendRaw(port, `${head('/v2/lists/', 100)}{"name":`)));
    const { body } = await app.call('POST', '/v2/contacts/', { phone_number: '+447700900777' });
    await until(() => heard.includes(body.uuid));
    request.destroy();
  });
});

describe('a client that does not read', () => {
  it('is let go of when nothing has moved for as long as a connection may be idle', async () => {
    const app = await startTestApp({ IDLE_TIMEOUT_SECONDS: '2' });
    try {
      const port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
      const socket = net.connect(port, '127.0.0.1').on('error', () => {});
      socket.pause();
      // More answers than the buffers between us hold.
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60));
      const count = (): Promise<number> =>
        new Promise((resolve) => app.app.server.getConnections((_error, number) => resolve(number)));
      await until(count);
      await until(count, (open) => open === 0);
      socket.destroy();
    } finally {
      await app.close();
    }
  });
});

/** Sends a byte ten times a second until the other side has had enough; gives what it said. */
function trickle(port: number, begin: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let heard = '';
    const timer = setInterval(() => socket.writable && socket.write('x'), 100);
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(heard);
    });
    socket.write(begin);
  });
}
