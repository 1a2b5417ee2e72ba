import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { readConfig } from '../../src/platform/config.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newToken } from '../../src/platform/secrets.ts';
import { start } from '../../src/start.ts';
import { createTestDatabase } from '../kit/database.ts';
import { until } from '../kit/until.ts';

it('a phone is held, answered and hung up through a process that does not carry the call', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-test-'));
  const token = newToken();
  const log = makeLog({ level: 'error', pretty: false });
  const running = (roles: string) => {
    const config = readConfig({ BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'error', DATA_DIR: dataDir, ROLES: roles });
    return start({ config, connection: database.connection, secretKeys: ['a key for tests'], log });
  };
  const api = await running('api');
  const carrying = await running('worker,connector');
  const call = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const headers = { authorization: `Token ${token}` };
    const answer = await api.app.inject({ method, url, headers, ...(payload && { payload }) });
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.json();
  };
  try {
    const phone = '447700909051';
    const { number } = await call('POST', '/v2/number/', { number: '442079460101' });
    await call('POST', `/v2/sandbox/phones/${phone}/hold/`, {});
    await call('POST', '/v2/voice/calls/', { from: number, to: phone, bridge_to: '447700909052' });
    const ringing = async () => (await call('GET', `/v2/sandbox/calls/?number=${phone}&state=RINGING`)).results[0];
    const leg: { uuid: string } = await until('the phone rings', ringing);
    assert.equal((await call('POST', `/v2/sandbox/calls/${leg.uuid}/answer/`)).state, 'TALKING');
    assert.equal((await call('POST', `/v2/sandbox/calls/${leg.uuid}/keys/`, { keys: '5' })).pressed, '5');
    assert.equal((await call('POST', `/v2/sandbox/calls/${leg.uuid}/hangup/`)).state, 'ENDED');
  } finally {
    await api.stop();
    await carrying.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
