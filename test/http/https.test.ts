// HTTPS by the server itself: what holds over plain HTTP holds here, and the certificate changes while connections stay open.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';
import { listen } from '../../src/prepare.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { makeAuthority, type TestCertificate } from '../kit/certificates.ts';
import { makeIntro } from '../kit/intros/make-intro.ts';
import { until } from '../kit/until.ts';

const authority = makeAuthority();

/** A server with a certificate in files of its own. */
async function startSecure(env: Record<string, string> = {}) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-https-'));
  const [certFile, keyFile] = [path.join(directory, 'cert.pem'), path.join(directory, 'key.pem')];
  const put = async ({ cert, key }: TestCertificate): Promise<void> => {
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
  };
  await put(authority.issue(['localhost', '127.0.0.1']));
  const app = await startTestApp({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, PORT: '0', ...env });
  await listen(app, app.deps.config);
  const { port } = app.app.server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { app, port, put, certFile, keyFile, close };
}

type Secure = Awaited<ReturnType<typeof startSecure>>;

async function connect(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = tls.connect({ port, host: '127.0.0.1', ca: authority.cert, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

const serialOf = (socket: TLSSocket): string => socket.getPeerCertificate().serialNumber;

async function readHead(socket: TLSSocket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [data] = await once(socket, 'data');
  return String(data).split('\r\n')[0]!;
}

const get = (port: number, target: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: target, ca: authority.cert, agent: false, headers };
    https
      .get(options, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, body }), reject);
      })
      .once('error', reject);
  });

describe('HTTPS by the server itself', () => {
  let secure: Secure;
  let app: TestApp;
  let port: number;
  before(async () => {
    secure = await startSecure({ HEADERS_TIMEOUT_SECONDS: '1', BODY_TIMEOUT_SECONDS: '1' });
    ({ app, port } = secure);
  });
  after(() => secure.close());

  it('answers with Strict-Transport-Security, with and without the router, and links name https', async () => {
    const { status, headers } = await get(port, '/healthz');
    assert.deepEqual([status, headers['strict-transport-security']], [200, 'max-age=31536000']);
    const { uuid, code } = await makeIntro(app);
    const authorization = `Token ${app.token}`;
    const shown = await get(port, `/v2/chatapp/chat-intros/${uuid}/`, { authorization });
    const opened = await get(port, `/l/${code}`);
    assert.deepEqual([opened.status, opened.headers['strict-transport-security']], [302, 'max-age=31536000']);
    assert.match(shown.body, new RegExp(`https://127\\.0\\.0\\.1:${port}/l/`));
  });

  it('speaks nothing older than TLS 1.2, and no plain HTTP', async () => {
    await assert.rejects(connect(port, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }));
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
    assert.equal((await connect(port, { maxVersion: 'TLSv1.2' })).destroy().destroyed, true);
  });

  it('a request that stops half-way gets 408, and a handshake that never comes is closed', async () => {
    const head = `POST /v2/lists/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${app.token}\r\nContent-Type: application/json\r\n`;
    for (const raw of ['GET /healthz HTTP/1.1\r\nHost: x\r\nX-', `${head}Content-Length: 100\r\n\r\n{"name":`]) {
      const socket = await connect(port);
      socket.write(raw);
      assert.match(await text(socket), /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    }
    const silent = net.connect(port, '127.0.0.1');
    silent.on('error', () => {}).resume();
    await once(silent, 'close');
  });
});

it('HTTPS › a new pair is taken up while connections stay open; one that does not fit is not', async () => {
  const secure = await startSecure({ LOG_LEVEL: 'silent' });
  const { app, port } = secure;
  try {
    const old = await connect(port);
    const before = serialOf(old);
    await secure.put(authority.issue(['localhost', '127.0.0.1']));
    await app.reloadCertificates();
    const fresh = await connect(port);
    const after = serialOf(fresh);
    assert.notEqual(after, before);
    assert.equal(await readHead(old), 'HTTP/1.1 200 OK');

    const other = authority.issue(['localhost']);
    await secure.put({ cert: other.cert, key: authority.issue(['localhost']).key });
    await app.reloadCertificates();
    const still = await connect(port);
    assert.equal(serialOf(still), after);
    await rm(secure.keyFile);
    await app.reloadCertificates();
    const again = await connect(port);
    assert.equal(serialOf(again), after);
    for (const socket of [old, fresh, still, again]) socket.destroy();
  } finally {
    await secure.close();
  }
});

it('HTTPS › caps on connections hold, and connections that went make room', async () => {
  const { port, close } = await startSecure({ MAX_CONNECTIONS_PER_ADDRESS: '2', HEADERS_TIMEOUT_SECONDS: '600' });
  try {
    const held = [await connect(port), await connect(port)];
    await assert.rejects(connect(port));
    held[0]!.destroy();
    const socket = await until(() => connect(port).catch(() => undefined));
    assert.equal(await readHead(socket), 'HTTP/1.1 200 OK');
    for (const one of [...held, socket]) one.destroy();
  } finally {
    await close();
  }
});

it('HTTPS › HSTS_SECONDS=0 sends none; a plain port redirects', async () => {
  const probe = tls.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const { port, close } = await startSecure({ HSTS_SECONDS: '0', HTTP_REDIRECT_PORT: String(free) });
  try {
    assert.equal((await get(port, '/healthz')).headers['strict-transport-security'], undefined);
    const answer = await fetch(`http://127.0.0.1:${free}/v2/lists/?a=b`, {
      method: 'POST',
      body: '{}',
      redirect: 'manual',
    });
    assert.deepEqual([answer.status, answer.headers.get('location')], [308, `https://127.0.0.1:${port}/v2/lists/?a=b`]);
  } finally {
    await close();
  }
});

it('HTTPS › a certificate that cannot be used stops the start with a sentence that names it', async () => {
  await assert.rejects(startTestApp({ TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: '/nowhere/key.pem' }), {
    message: 'TLS_CERT_FILE=/nowhere/cert.pem cannot be read (ENOENT).',
  });
});
