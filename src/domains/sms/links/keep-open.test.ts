import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import type { SmsLink } from '../../../carriers/ports/sms.ts';
import { readyLink, startLinks } from './keep-open.ts';
import { findLinkRow } from './queries.ts';

let app: TestApp;
let stage: Stage;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  stage = await startStage(app);
});
after(async () => {
  await stage.stop();
  await app.close();
});

const owner = async () =>
  (await app.deps.db.selectFrom('sms_links').select('owner').where('uuid', '=', stage.link.uuid).executeTakeFirst())!
    .owner;
const open = () => stage.peer.open.map(({ uuid }) => uuid);
const status = async () => (await app.call('GET', '/v2/network-status/sms/')).body.results;

test('a link is open in one process, reported, closed when disabled, opened when enabled, and let go of at the end', async () => {
  const [before] = await status();
  assert.deepEqual([before.state, before.last_error, before.reported], ['DOWN', 'No process has this link.', null]);
  const links = startLinks(app.deps);
  await until(open, (uuids) => uuids.includes(stage.link.uuid));
  assert.equal(await owner(), app.deps.listener.workerNumber);
  const [shown] = await until(status, ([one]) => one.state === 'UP');
  const { reported, ...rest } = shown;
  assert.deepEqual(rest, {
    link: stage.link.uuid,
    name: 'first',
    carrier: 'peer',
    state: 'UP',
    since: '2026-01-01T00:00:00.000000Z',
    sent: 0,
    failed: 0,
    latency_ms: { p50: 1, p99: 2 },
    queue_depth: 0,
    oldest_queued: null,
    last_error: null,
  });
  const path = `/v2/sms-links/${stage.link.uuid}/`;
  assert.equal((await app.call('PATCH', path, { enabled: false })).status, 200);
  await until(owner, (who) => who === null);
  assert.deepEqual(open(), []);
  assert.equal((await status())[0].state, 'DISABLED');
  await app.call('PATCH', path, { enabled: true });
  await until(open, (uuids) => uuids.length === 1);
  await links.stop();
  assert.deepEqual(open(), []);
  assert.equal(await owner(), null);
});

test('a link stays with a process that lives, and is taken from one that is gone', async () => {
  const { db } = app.deps;
  const other = 31_337;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Another process, as far as anybody can see: the lock that says it lives is held.
  const living = db.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(7265002, ${other})`.execute(session);
    await sql`update sms_links set owner = ${other} where uuid = ${stage.link.uuid}`.execute(session);
    await ended;
    await sql`select pg_advisory_unlock(7265002, ${other})`.execute(session);
  });
  await until(owner, (who) => who === other);
  const second = await stage.addLink('second');
  const links = startLinks(app.deps);
  await until(open, (uuids) => uuids.length > 0);
  assert.deepEqual(open(), [second.uuid]);
  assert.equal(await owner(), other);
  end();
  await living;
  await until(open, (uuids) => uuids.length === 2);
  assert.equal(await owner(), app.deps.listener.workerNumber);
  await links.stop();
});

test('a link to a private address is not opened, and its status says why', async () => {
  const link = await stage.addLink('inside', { settings: JSON.stringify({ host: '127.0.0.1', port: 2775 }) });
  const links = startLinks(app.deps);
  const of = async () => (await status()).find((one: { link: string }) => one.link === link.uuid);
  const { state, last_error } = await until(of, (one) => one.reported !== null);
  assert.deepEqual([state, last_error], ['DOWN', '127.0.0.1 is not a public address.']);
  assert.ok(!open().includes(link.uuid));
  await links.stop();
});

test('a link gets an address that was checked, and keeps it while its name has it', async () => {
  const { uuid } = await stage.addLink('by name', { settings: JSON.stringify({ host: 'smsc.example.com' }) });
  const row = (await findLinkRow(app.deps.db, app.accountId, uuid))!;
  const ready = (addresses: string[], before?: SmsLink, problem = '') =>
    readyLink(app.deps, async () => ({ addresses, problem }), row, before);
  const { link } = await ready(['93.184.215.14', '93.184.215.15']);
  assert.equal(link.settings['address'], '93.184.215.14');
  assert.equal((await ready(['93.184.215.15', '93.184.215.14'], link)).link.settings['address'], '93.184.215.14');
  assert.equal((await ready(['93.184.215.16'], link)).link.settings['address'], '93.184.215.16');
  const elsewhere = { ...link, settings: { ...link.settings, host: 'other.example.com' } };
  assert.equal((await ready(['93.184.215.15', '93.184.215.14'], elsewhere)).link.settings['address'], '93.184.215.15');
  const lost = await ready([], link, '10.0.0.1 is not a public address.');
  assert.deepEqual([lost.link.settings['address'], lost.problem], [undefined, '10.0.0.1 is not a public address.']);
});
