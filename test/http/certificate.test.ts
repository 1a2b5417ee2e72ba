import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import tls from 'node:tls';
import { checkCertificate } from '../../src/cli/doctor/machine.ts';
import { readConfig } from '../../src/platform/config.ts';
import { testTls } from '../kit/smpp/session-stage.ts';

it('parley doctor › looks at the certificate of PUBLIC_URL', async () => {
  const server = tls.createServer(testTls).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const config = readConfig({ PUBLIC_URL: `https://127.0.0.1:${port}` });
  const [untrusted] = await checkCertificate(config);
  assert.deepEqual([untrusted!.level, /is not trusted/.test(untrusted!.text)], ['problem', true]);
  await new Promise((resolve) => server.close(resolve));
  const [away] = await checkCertificate(config);
  assert.deepEqual([away!.level, /cannot be reached from here/.test(away!.text)], ['warning', true]);
});
