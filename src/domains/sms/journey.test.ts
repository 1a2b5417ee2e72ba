import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../test/kit/app.ts';
import { until } from '../../../test/kit/until.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const record = async (uuid: string) => (await app.call('GET', `/v2/send-sms/${uuid}/`)).body;
const becomes = (uuid: string, status: string) =>
  until(
    () => record(uuid),
    (one) => one.status === status,
  );
const send = async (to: string, text = 'Hello', more: object = {}): Promise<string> => {
  const answer = await app.call('POST', '/v2/send-sms/', { from: '+447700900001', to, text, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.uuid;
};
const copies = async (uuid: string) =>
  (await app.deps.db.selectFrom('sandbox_messages').select('message').where('message', '=', uuid).execute()).length;

test('on a fresh server an SMS is delivered, long or short, with nothing set up', async () => {
  await becomes(await send('+447700900123'), 'DELIVERED');
  const long = await becomes(await send('+447700900123', 'Grüße 😀 '.repeat(60)), 'DELIVERED');
  assert.equal(long.encoding, 'UCS2');
  const [link] = await until(
    async () => (await app.call('GET', '/v2/network-status/sms/')).body.results,
    ([one]) => one?.sent === 2,
  );
  assert.deepEqual([link.carrier, link.state, link.last_error], ['sandbox', 'UP', null]);
  const [row] = await app.deps.db.selectFrom('sms_links').select('owner').execute();
  assert.equal(row!.owner, null, 'it needs no connection, and so nobody who holds it');
});

test('one with send_at waits for its moment, and can be taken back until then', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const [kept, cancelled] = [
    await send('+447700900123', 'a', { send_at: inAnHour }),
    await send('+447700900123', 'b', { send_at: inAnHour, validity_seconds: 60 }),
  ];
  await becomes(await send('+447700900123'), 'DELIVERED');
  assert.equal((await record(kept)).status, 'QUEUED');
  assert.equal((await app.call('DELETE', `/v2/send-sms/${cancelled}/`)).status, 204);
  await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3700 });
  await becomes(kept, 'DELIVERED');
  assert.equal((await record(cancelled)).status, 'CANCELLED');
});

test('what a dead worker was handing over is finished: what the sandbox took is not sent again, the rest goes out', async () => {
  const [taken, lost] = [await send('+447700955501'), await send('+447700955502')];
  await becomes(taken, 'DELIVERED');
  await becomes(lost, 'DELIVERED');
  // As a SIGKILL during the hand-over leaves them: claimed by a worker that is gone; the carrier has one and not the other.
  await sql`delete from sandbox_messages where message = ${lost}`.execute(app.deps.db);
  await sql`delete from sms_parts where sms in (${taken}, ${lost})`.execute(app.deps.db);
  await sql`update sms_states set status = 'QUEUED', claimed_by = 424242, claimed_at = now() - interval '1 minute'
    where uuid in (${taken}, ${lost})`.execute(app.deps.db);
  await becomes(lost, 'DELIVERED');
  await becomes(taken, 'SENT');
  assert.deepEqual([await copies(taken), await copies(lost)], [1, 1]);
});

test('a thousand SMS at once all arrive, once', async () => {
  const messages = Array.from({ length: 1000 }, (_, index) => ({
    from: 'Parley',
    to: `+4478${String(index).padStart(8, '0')}`,
    text: 'Hello',
  }));
  await sql`update sms_links set messages_per_second = 100000`.execute(app.deps.db);
  const { results } = (await app.call('POST', '/v2/send-sms/multiple/', { messages })).body;
  assert.equal(results.length, 1000);
  await until(
    async () => (await app.call('GET', '/v2/sms-records/?from=parley&status=DELIVERED')).body.count,
    (count) => count === 1000,
  );
  const { rows } = await sql`
    select message from sandbox_messages where phone_digits like '4478%' group by message having count(*) > 1`.execute(
    app.deps.db,
  );
  assert.deepEqual(rows, []);
});
