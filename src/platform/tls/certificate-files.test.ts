import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { makeAuthority } from '../../../test/kit/certificates.ts';
import { until } from '../../../test/kit/until.ts';
import { makeLog } from '../log.ts';
import { openCertificateFiles } from './certificate-files.ts';

const log = makeLog({ level: 'silent', pretty: false });
const authority = makeAuthority();

async function open(t: TestContext) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-certificates-'));
  const place = (name: string): string => path.join(directory, name);
  const put = async (name: string): Promise<string> => {
    const { cert, key } = authority.issue([name]);
    await writeFile(place(`${name}.cert`), cert);
    await writeFile(place(`${name}.key`), key);
    return cert;
  };
  const first = await put('first');
  // As certbot and Kubernetes do it: the name stays, and what it leads to changes.
  for (const kind of ['cert', 'key']) await symlink(place(`first.${kind}`), place(`now.${kind}`));
  const point = async (kind: string, name: string): Promise<void> => {
    await symlink(place(`${name}.${kind}`), place('next'));
    await rename(place('next'), place(`now.${kind}`));
  };
  const paths = { names: ['CERT', 'KEY'] as const, certFile: place('now.cert'), keyFile: place('now.key') };
  const files = await openCertificateFiles(paths, { log, everyMs: 5 });
  t.after(async () => {
    files.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { files, first, put, point };
}

describe('files of a certificate', () => {
  it('are read again when they change, once both of them fit', async (t) => {
    const { files, first, put, point } = await open(t);
    const seen: string[] = [];
    files.onChange(({ cert }) => seen.push(cert.toString()));
    assert.equal(files.current().cert.toString(), first);
    const second = await put('second');
    await point('cert', 'second');
    await files.reload();
    assert.deepEqual([seen, files.current().cert.toString()], [[], first]);
    await point('key', 'second');
    await until(
      () => seen,
      ({ length }) => length > 0,
    );
    assert.deepEqual([seen, files.current().cert.toString()], [[second], second]);
  });

  it('are told to nobody who no longer listens, and not when nothing changed', async (t) => {
    const { files, put, point } = await open(t);
    const seen: string[] = [];
    const stop = files.onChange(({ cert }) => seen.push(cert.toString()));
    await files.reload();
    assert.deepEqual(seen, []);
    stop();
    const second = await put('second');
    await point('cert', 'second');
    await point('key', 'second');
    await until(
      () => files.current().cert.toString(),
      (cert) => cert === second,
    );
    assert.deepEqual(seen, []);
  });
});
