// The certificate of a server in several processes, renewed by SIGHUP.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import tls from 'node:tls';
import { makeAuthority } from '../../kit/certificates.ts';
import { createTestDatabase, databaseUrl } from '../../kit/database.ts';
import { killTree, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

it('SIGHUP › every process of a server takes up the new certificate, and none ends', linuxOnly, async (t) => {
  const database = await createTestDatabase();
  const home = await mkdtemp(path.join(os.tmpdir(), 'parley-https-'));
  const authority = makeAuthority();
  const [certFile, keyFile] = [path.join(home, 'cert.pem'), path.join(home, 'key.pem')];
  const put = async (name: string): Promise<void> => {
    const { cert, key } = authority.issue(['127.0.0.1', name]);
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
  };
  await put('old.example');
  const dataDir = path.join(home, 'data');
  const parley = startParley(dataDir, {
    PROCESSES: '2',
    SIP_PORT: '0',
    DATABASE_URL: databaseUrl(database.connection),
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
  });
  t.after(async () => {
    await killTree(parley.pid, dataDir);
    await database.drop();
    await rm(home, { recursive: true, force: true });
  });
  const url = new URL(await parley.ready());
  assert.equal(url.protocol, 'https:');
  /** The names that one connection is shown; which process it reaches is chance. */
  const names = async (): Promise<string> => {
    const socket = tls.connect({ port: Number(url.port), host: '127.0.0.1', ca: authority.cert });
    await once(socket, 'secureConnect');
    const { subjectaltname = '' } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  };
  assert.match(await names(), /old\.example/);
  await put('new.example');
  parley.signal('SIGHUP');
  await until(
    () => Promise.all(Array.from({ length: 20 }, names)),
    (all) => all.every((one) => one.includes('new.example')),
  );
  parley.signal('SIGTERM');
  assert.equal(await parley.ended, 0);
});
