// A job whose server dies in the middle of it, more than once: every item is done, and none twice.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../kit/database.ts';
import { stageOf } from '../../kit/jobs/job-stage.ts';
import { killTree, type Parley, startParley } from '../../kit/program/parley-process.ts';
import { until } from '../../kit/until.ts';

const token = 'killed-job-token';
const count = 3000;
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('a job on a server that is killed while it runs', linuxOnly, () => {
  let parent = '';
  let database: TestDatabase | undefined;
  let parley: Parley | undefined;
  let url = '';
  const dataDir = () => path.join(parent, 'data');
  after(async () => {
    if (parley) await killTree(parley.pid, dataDir());
    await database?.drop();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (): Promise<void> => {
    database ??= await createTestDatabase();
    parley = startParley(dataDir(), { DATABASE_URL: database.url, BOOTSTRAP_TOKEN: token });
    url = await parley.ready();
  };
  const stage = stageOf({
    async call(method, place, body) {
      const answer = await fetch(new URL(place, url), {
        method,
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, headers: {}, body: await answer.json() };
    },
  });

  it('does each item exactly once', async () => {
    parent = await mkdtemp(path.join(os.tmpdir(), 'parley-job-'));
    await start();
    const to = Array.from({ length: count }, (_, index) => `+4479${String(index).padStart(8, '0')}`);
    const id = await stage.submit('sms.send', { from: 'Parley', to, text: 'Hello' });
    let deaths = 0;
    for (let seen = 0; deaths < 2; deaths++) {
      const { progress, finished } = await until(
        () => stage.job(id),
        (job) => job.progress.done > seen || job.finished !== null,
      );
      if (finished !== null) break;
      seen = progress.done;
      // In the middle of the next step.
      await sleep(randomInt(0, 60));
      parley!.signal('SIGKILL');
      await parley!.ended;
      await start();
    }
    assert.ok(deaths > 0, 'it was killed while it ran');
    const job = await stage.ended(id);
    assert.deepEqual([job.status, job.result], ['SUCCEEDED', { succeeded: count, failed: 0 }]);
    const results = await stage.results(id);
    assert.deepEqual(
      results.map(({ index }) => index),
      to.map((_, index) => index),
    );
    assert.equal(new Set(results.map(({ value }) => value.uuid)).size, count);
    const headers = { authorization: `Token ${token}` };
    const records = (await (await fetch(`${url}/v2/sms-records/`, { headers })).json()) as { count: number };
    assert.equal(records.count, count);
  });
});
