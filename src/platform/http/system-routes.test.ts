import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import { createTestDatabase } from '../../../test/kit/database.ts';
import { makeDb, makePool } from '../db/connect/pool.ts';
import { makeMetrics } from './metrics.ts';
import { type SystemOptions, serveSystem } from './system-routes.ts';

const log = pino({ level: 'silent' });
const database = await createTestDatabase();
const db = makeDb(makePool(database.connection, log));
// Port 1 is nobody's: the connection is refused at once.
const awayDb = makeDb(makePool({ ...database.connection, host: '127.0.0.1', port: 1 }, log));
after(async () => {
  await db.destroy();
  await awayDb.destroy();
  await database.drop();
});

function makeApp(options: Partial<SystemOptions>) {
  const app = Fastify();
  serveSystem(app, {
    db,
    readMetrics: () => makeMetrics().metrics(),
    problems: async () => ({ queue: null }),
    ...options,
  });
  return app;
}

test('/healthz › 200 although the database is away', async () => {
  const answer = await makeApp({ db: awayDb }).inject('/healthz');
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { status: 'ok' });
});

test('/readyz › 200 with every part ok', async () => {
  const answer = await makeApp({}).inject('/readyz');
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { status: 'ready', checks: { database: 'ok', queue: 'ok' } });
});

test('/readyz › 503 with the sentence of the part that does not work', async () => {
  const problems = async () => ({ queue: null, smpp: 'The message centre refused the password.' });
  const answer = await makeApp({ problems }).inject('/readyz');
  assert.equal(answer.statusCode, 503);
  assert.deepEqual(answer.json(), {
    status: 'not_ready',
    checks: { database: 'ok', queue: 'ok', smpp: 'The message centre refused the password.' },
  });
});

test('/readyz › 503 when the database is away, without its address', async () => {
  const answer = await makeApp({ db: awayDb }).inject('/readyz');
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.json().checks.database, 'The database cannot be reached.');
  assert.doesNotMatch(answer.body, /127\.0\.0\.1/);
});

test('/readyz › 503 although a check never ends', async () => {
  const answer = await makeApp({ problems: () => new Promise(() => {}) }).inject('/readyz');
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.json().checks.database, 'ok');
});

test("/metrics › the registry in Prometheus' text format", async () => {
  const answer = await makeApp({}).inject('/metrics');
  assert.match(String(answer.headers['content-type']), /^text\/plain/);
  assert.match(answer.body, /^# TYPE process_cpu_seconds_total counter$/m);
});
