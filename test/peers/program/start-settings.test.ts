import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { tasks } from '../../../src/app.ts';
import { startTestApp } from '../../kit/app.ts';
import { createTestDatabase } from '../../kit/database.ts';
import { type Parley, startParley } from '../../kit/program/parley-process.ts';

// What a server asks of its settings, and what it gives away by itself.

let parent: string;
let databaseUrl: string;
let drop: () => Promise<void>;
const running: Parley[] = [];
before(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), 'parley-settings-'));
  const database = await createTestDatabase();
  databaseUrl = database.url;
  drop = database.drop;
});
after(async () => {
  for (const parley of running) parley.signal('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  await drop();
  await rm(parent, { recursive: true, force: true });
});

function start(env: Record<string, string>): Parley {
  const parley = startParley(path.join(parent, 'data'), { DATABASE_URL: databaseUrl, ROLES: 'api', ...env });
  running.push(parley);
  return parley;
}

for (const [HOST, name] of [
  ['0.0.0.0', 'BOOTSTRAP_TOKEN'],
  ['::', 'BOOTSTRAP_TOKEN'],
  ['0.0.0.0', 'METRICS_TOKEN'],
] as const) {
  test(`a short ${name} ends the start where HOST=${HOST} opens the server to others, and is not shown`, async () => {
    const parley = start({ HOST, [name]: 'hunter2' });
    assert.equal(await parley.ended, 1, parley.output());
    assert.match(parley.output().trim(), new RegExp(`^${name} has 7 characters, and needs at least 16 .*\\.$`));
    assert.doesNotMatch(parley.output(), /hunter2/);
  });
}

test('on loopback a short one will do; it is shown at the start that makes it, and at no other; /metrics may be closed', async () => {
  const token = 'my-first-token';
  const first = start({ BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'debug' });
  const url = await first.ready();
  const asked = await fetch(`${url}/v2/account/`, { headers: { authorization: `Token ${token}` } });
  assert.equal(asked.status, 200);
  assert.equal((await fetch(`${url}/metrics`)).status, 200);
  assert.match(first.output(), /^ {2}Token {3}my-first-token$/m);
  first.signal('SIGTERM');
  assert.equal(await first.ended, 0, first.output());

  const metrics = 'a token for the scraper alone';
  const second = start({ BOOTSTRAP_TOKEN: token, METRICS_TOKEN: metrics.replaceAll(' ', '-'), LOG_LEVEL: 'debug' });
  const again = await second.ready();
  const statusOf = async (where: string, secret?: string): Promise<number> =>
    (await fetch(again + where, { ...(secret && { headers: { authorization: `Bearer ${secret}` } }) })).status;
  assert.deepEqual(
    [await statusOf('/metrics'), await statusOf('/metrics', token), await statusOf('/healthz')],
    [401, 401, 200],
  );
  assert.equal(await statusOf('/metrics', metrics.replaceAll(' ', '-')), 200);
  assert.equal(await statusOf('/v2/account/', token), 200);
  assert.match(second.output(), /^ {2}Token {3}as set in BOOTSTRAP_TOKEN$/m);
  assert.ok(!second.output().includes(token) && !second.output().includes('scraper'), second.output());
});

test('an account that keeps things for a day keeps its audit log none the less', async () => {
  const app = await startTestApp({ ROLES: 'api' });
  try {
    const { db } = app.deps;
    assert.equal((await app.call('PATCH', '/v2/account/', { retention_days: 1 })).status, 200);
    // Its age is in its id.
    await sql`update audit_log set uuid = uuid_floor(now() - interval '300 days')`.execute(db);
    const maintain = tasks.find(({ name }) => name === 'platform.maintain')!;
    await maintain.handler(app.deps, []);
    const { results } = (await app.call('GET', '/v2/audit-log/')).body;
    assert.deepEqual(
      results.map(({ operation }: { operation: string }) => operation),
      ['updateAccount'],
    );
    await sql`update audit_log set uuid = uuid_floor(now() - interval '401 days')`.execute(db);
    await maintain.handler(app.deps, []);
    assert.deepEqual((await app.call('GET', '/v2/audit-log/')).body.results, []);
  } finally {
    await app.close();
  }
});
