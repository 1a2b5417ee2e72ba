import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../../src/platform/config.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { type Running, start } from '../../../src/start.ts';
import { assertAddsUp, campaigner } from '../../kit/campaigns/campaigner.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';

describe('Several processes on one database', { timeout: 1_800_000 }, () => {
  let database: TestDatabase;
  let directory: string;
  const running: Running[] = [];
  before(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-campaigns-'));
    for (let count = 0; count < 3; count++) running.push(await startProcess());
  });
  after(async () => {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const startProcess = (): Promise<Running> => {
    const config = readConfig({ LOG_LEVEL: 'error', DATA_DIR: directory, BOOTSTRAP_TOKEN: 'campaigns' });
    const log = makeLog({ level: 'error', pretty: false });
    return start({ config, connection: database.connection, secretKeys: ['a key for tests'], log });
  };

  const call = async (method: string, url: string, body?: unknown) => {
    const answer = await running[0]!.app.inject({
      method: method as 'GET',
      url,
      headers: { authorization: 'Token campaigns', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };

  it('feed launches together: everybody gets each once, and the counts add up', async () => {
    const a = campaigner({ call });
    const numbers = Array.from({ length: 1500 }, (_, index) => `+44770${String(1_000_000 + index)}`);
    const lists = await Promise.all([numbers.slice(0, 900), numbers.slice(600)].map((some) => a.list(some)));
    await call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900001', messages_per_second: 5000 });
    const launches = [
      await a.launch(await a.campaign(lists)),
      await a.launch(
        await a.campaign(lists, { channel: 'SMS', sender: 'Parley', text: 'News for {{ phone_number }}' }),
      ),
      await a.launch(await a.campaign([lists[0]!], { rate_per_second: 300 })),
    ];
    const { db } = running[0]!.deps;
    for (const [index, uuid] of launches.entries()) {
      const log = await a.until(uuid, a.ended('COMPLETED'));
      assertAddsUp(log);
      assert.equal(log.audience, index === 2 ? 900 : 1500);
      const { rows } = await sql<{ all: number; people: number }>`
        select count(*) as all, count(distinct to_digits) as people from (
          select to_digits from messages where campaign_log = ${uuid}
          union all select to_digits from sms where campaign_log = ${uuid}) as written`.execute(db);
      assert.deepEqual(rows[0], { all: log.audience, people: log.audience });
    }
    const rated = await a.log(launches[2]!);
    const seconds = (Date.parse(rated.finished) - Date.parse(rated.started)) / 1000;
    assert.ok(seconds >= 2, `900 at 300 a second took ${seconds} s`);
  });
});
