// The certificate of an SMS centre is checked before the password is sent, unless the link says otherwise.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { testTls } from '../kit/smpp/session-stage.ts';
import { until } from '../kit/until.ts';

/** SMPP 3.4: bind_transceiver, and a password as a C string. */
const bindTransceiver = 9;
const bindAnswer = (pdu: Buffer): Buffer => {
  const answer = Buffer.from(`${'\0'.repeat(16)}centre\0`);
  answer.writeUInt32BE(answer.length, 0);
  answer.writeUInt32BE((bindTransceiver | 0x80000000) >>> 0, 4);
  answer.writeUInt32BE(pdu.readUInt32BE(12), 12);
  return answer;
};

describe('tls_verify', { timeout: 1_800_000 }, () => {
  let app: TestApp;
  let centre: Server;
  let port: number;
  /** The names that it was asked for, and the first bytes that came over each connection. */
  const names: string[] = [];
  const received: Buffer[] = [];
  const open = new Set<TLSSocket>();

  before(async () => {
    const SNICallback = (name: string, done: (error: Error | null) => void): void => {
      names.push(name);
      done(null);
    };
    centre = createServer({ ...testTls, SNICallback }, (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => {});
      socket.once('data', (pdu) => {
        received.push(pdu);
        socket.write(bindAnswer(pdu));
      });
    });
    centre.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => centre.listen(0, '127.0.0.1', resolve));
    port = (centre.address() as AddressInfo).port;
    app = await startTestApp({ SMPP_ALLOW: '127.0.0.1,::1' });
  });
  after(async () => {
    await app.close();
    for (const socket of open) socket.destroy();
    centre.close();
  });

  const status = async () =>
    (await app.call('GET', '/v2/network-status/sms/')).body.results.find((one: { name: string }) => one.name === 'TLS');

  it('a certificate that nobody signed is refused with a sentence, before anything is said; with false it will do', async () => {
    const link = { name: 'TLS', host: 'localhost', port, system_id: 'parley', password: 'secret', tls: true };
    const { status: created, body } = await app.call('POST', '/v2/sms-links/', link);
    assert.deepEqual([created, body.tls_verify], [201, true]);
    const refused = await until(status, (one) => /certificate/.test(one?.last_error));
    assert.equal(refused.last_error, 'The certificate is not trusted: self-signed certificate.');
    assert.notEqual(refused.state, 'UP');
    assert.equal(received.length, 0);
    assert.ok(names.length > 0 && names.every((name) => name === 'localhost'), 'it is asked for by its name');

    assert.equal((await app.call('PATCH', `/v2/sms-links/${body.uuid}/`, { tls_verify: false })).status, 200);
    await until(
      () => received.length,
      (count) => count > 0,
    );
    assert.match(received[0]!.toString('latin1'), /parley\0secret\0/);

    // With the check again, what was bound without it is closed.
    assert.equal((await app.call('PATCH', `/v2/sms-links/${body.uuid}/`, { tls_verify: true })).status, 200);
    await until(
      () => open.size,
      (count) => count === 0,
    );
  });
});
