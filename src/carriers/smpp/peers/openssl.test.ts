// A centre on Perl's Net::SMPP behind OpenSSL, which asks for our certificate; and what somebody on the wire sees.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeAuthority } from '../../../../test/kit/certificates.ts';
import { missingPeers } from '../../../../test/kit/peers.ts';
import { type Foreign, freePorts, startForeign } from '../../../../test/kit/program/foreign.ts';
import { until } from '../../../../test/kit/until.ts';
import { planOf, type SmppSettings } from '../links/settings.ts';
import { openSession } from '../session/connect.ts';
import type { Session } from '../session/session.ts';

const skip = missingPeers(
  ['perl', '-MNet::SMPP', '-e', '1'],
  ['openssl', 'version'],
  ['dumpcap', '-q', '-i', 'lo', '-a', 'duration:1', '-w', '/dev/null'],
);
const host = '127.0.0.1';

describe('our session with a centre behind OpenSSL', { skip, timeout: 600_000 }, () => {
  const authority = makeAuthority();
  const ours = authority.issue(['parley.test']);
  let centre: Foreign;
  let server: ChildProcess;
  let inner: net.Socket;
  let capture: Foreign;
  let directory: string;
  let port: number;
  before(async () => {
    centre = startForeign('perl', [path.join(import.meta.dirname, 'smsc.pl')]);
    const inside = Number((await centre.says(/^port (\d+)$/))[1]);
    [port] = (await freePorts(1)) as [number];
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-openssl-'));
    const at = (name: string) => path.join(directory, name);
    const { cert, key } = authority.issue([host]);
    await Promise.all([writeFile(at('cert'), cert), writeFile(at('key'), key), writeFile(at('ca'), authority.cert)]);
    const asking = ['-Verify', '1', '-verify_return_error', '-CAfile', at('ca')];
    const own = ['-cert', at('cert'), '-key', at('key')];
    server = spawn('openssl', ['s_server', '-quiet', '-accept', `${host}:${port}`, ...own, ...asking]);
    inner = net.connect(inside, host);
    server.stdout!.pipe(inner);
    inner.pipe(server.stdin!);
    for (const stream of [inner, server.stdin!]) stream.on('error', () => {});
    capture = startForeign('dumpcap', ['-i', 'lo', '-f', `tcp port ${port}`, '-w', at('wire')]);
    await capture.says(/^File: /);
  });
  after(async () => {
    await capture?.stop();
    server?.kill();
    inner?.destroy();
    await centre?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  const open = (more: Partial<SmppSettings>): Promise<Session> => {
    const settings = {
      host,
      port,
      tls: true,
      tls_ca: authority.cert,
      system_id: 'parley',
      password: 'secret',
      ...more,
    };
    const { peer } = planOf({ settings } as unknown as Parameters<typeof planOf>[0]);
    return openSession({ ...peer, connectTimeoutMs: 20_000, bindTimeoutMs: 20_000 }, 'transceiver', {
      handles: [],
      handle: async () => {},
    });
  };
  const refusal = (more: Partial<SmppSettings>) =>
    until(
      'OpenSSL listens, and we are refused',
      async () => {
        const session = await open(more).catch((error: Error) => error);
        if (session instanceof Error) return session.message;
        session.destroy('It was let in.');
        return assert.fail('It was let in.');
      },
      (message) => !message.includes('ECONNREFUSED'),
    );

  it('a centre with a certificate of somebody else is not spoken to', async () => {
    assert.match(await refusal({ tls_ca: makeAuthority('Somebody else').cert }), /certificate is not trusted/);
    assert.match(await refusal({ tls_ca: null }), /certificate is not trusted/);
  });

  it('one that asks for a certificate refuses us without one, or with one of somebody else', async () => {
    assert.match(await refusal({}), /certificate|closed|alert|ECONNRESET/i);
    const strange = makeAuthority('Somebody else').issue(['parley.test']);
    assert.match(
      await refusal({ tls_cert: strange.cert, tls_key: strange.key }),
      /closed|alert|ECONNRESET|unknown ca/i,
    );
  });

  it('takes messages with ours, and the capture shows neither the password nor the text', async () => {
    const session = await open({ tls_cert: ours.cert, tls_key: ours.key });
    await centre.says(/^bind parley secret 34$/);
    const text = 'canary on the wire';
    const { status } = await session.request('submit_sm', {
      ...{ source_addr: 'Shop', destination_addr: '34600111222', short_message: Buffer.from(text) },
    });
    assert.equal(status, 0);
    await centre.says(new RegExp(`^submit Shop 34600111222 0 0 0 ${Buffer.from(text).toString('hex')}$`));
    session.destroy('The test is over.');
    const wire = path.join(directory, 'wire');
    await until('the capture is written', async () => (await stat(wire)).size > 2_000);
    await capture.stop();
    const octets = await readFile(wire);
    for (const clear of [text, 'secret', '34600111222'])
      assert.ok(!octets.includes(clear), `"${clear}" is on the wire`);
  });
});
