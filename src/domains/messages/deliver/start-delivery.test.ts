import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { until } from '../../../../test/kit/until.ts';
import { senderTopic } from '../../chatapp-accounts/index.ts';
import { applyReceipts } from '../receive/receive.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

const send = async (to: string): Promise<string> => {
  const body = {
    chatapp_number: '+447700900001',
    to_chatapp_number: to,
    type: 'TEMPLATE',
    template: { template_name: 'hello' },
  };
  return (await app.call('POST', '/v2/chatapp/messages/', body)).body.uuid;
};
const message = async (uuid: string) => (await app.call('GET', `/v2/chatapp/messages/${uuid}/`)).body;
const story = async (uuid: string): Promise<string[]> => {
  const { body } = await app.call('GET', `/v2/chatapp/messages/${uuid}/status-logs/`);
  return body.results.map((log: { status: string; applied: boolean }) =>
    log.applied ? log.status : `(${log.status})`,
  );
};
const pass = (seconds: number) => app.call('POST', '/v2/sandbox/clock/', { advance_seconds: seconds });
/** Lets hours pass once the message has left, until its story has so many steps. */
const storyOf = (uuid: string, steps: number): Promise<string[]> =>
  until(
    async () => {
      const seen = await story(uuid);
      if (seen.length < steps && seen.includes('SENT')) await pass(3600);
      return seen;
    },
    (seen) => seen.length >= steps,
  );
/** It was handed over, or tried to be, and did not leave. */
const wasTried = (uuid: string) =>
  until(
    () => message(uuid),
    ({ status_description }) => status_description !== '',
  );

describe('a message to a sandbox number', () => {
  const table: [string, string, string[], string][] = [
    ['any number', '+447700912345', ['QUEUED', 'SENT', 'DELIVERED', 'READ'], ''],
    ['9000', '+447700909000', ['QUEUED', 'SENT', 'DELIVERED', 'READ'], ''],
    ['9001', '+447700909001', ['QUEUED', 'SENT', 'DELIVERED'], ''],
    ['9002', '+447700909002', ['QUEUED', 'SENT'], ''],
    ['9010', '+447700909010', ['QUEUED', 'FAILED'], 'The number does not use the chat app. (code 131026)'],
    [
      '9011',
      '+447700909011',
      ['QUEUED', 'SENT', 'FAILED'],
      'More than 24 hours have passed since the person last wrote; send a template. (code 131047)',
    ],
    ['9020', '+447700909020', ['QUEUED', 'SENT', 'DELIVERED', 'READ'], ''],
    ['9021', '+447700909021', ['QUEUED', 'SENT', 'DELIVERED', '(DELIVERED)', 'READ', '(READ)'], ''],
    ['9022', '+447700909022', ['QUEUED', 'SENT', 'READ', '(DELIVERED)', '(SENT)'], ''],
    ['9041', '+447700909041', ['QUEUED', 'SENT', 'DELIVERED', 'READ'], ''],
    ['9042', '+447700909042', ['QUEUED', 'SENT', 'DELIVERED', 'READ'], ''],
  ];
  for (const [ending, number, steps, description] of table) {
    test(`${ending}: ${steps.join(' → ')}`, async () => {
      const uuid = await send(number);
      assert.deepEqual(await storyOf(uuid, steps.length), steps);
      const final = steps.filter((step) => !step.startsWith('(')).at(-1);
      const shown = await message(uuid);
      assert.deepEqual([shown.status, shown.status_description], [final, description]);
    });
  }

  test('9040: a receipt that overtakes the answer to the hand-over says that the message left, once', async () => {
    const uuid = await send('+447700909040');
    const isHandedOver = () =>
      app.deps.db.selectFrom('sandbox_messages').where('message', '=', uuid).select('id').execute();
    await until(isHandedOver, (rows) => rows.length > 0);
    await applyReceipts(app.deps, [{ accountId: app.accountId, messageUuid: uuid, status: 'READ', at: new Date() }]);
    assert.deepEqual(await story(uuid), ['QUEUED', 'SENT', 'READ']);
    const isClaimed = () =>
      app.deps.db
        .selectFrom('message_states')
        .where('uuid', '=', uuid)
        .where('claimed_by', 'is not', null)
        .select('uuid')
        .execute();
    await until(isClaimed, (rows) => rows.length === 0);
    await pass(60);
    assert.deepEqual(await storyOf(uuid, 5), ['QUEUED', 'SENT', 'READ', '(DELIVERED)', '(READ)']);
  });

  test('9043: an answer that never came is not sent again, and the ledger counts it as pending', async () => {
    const uuid = await send('+447700909043');
    await wasTried(uuid);
    await pass(86_400);
    await storyOf(await send('+447700912346'), 4);
    const shown = await message(uuid);
    assert.deepEqual(
      [shown.status, shown.status_description],
      ['QUEUED', 'The answer never came. It waits for its receipt.'],
    );
    assert.equal((await app.call('GET', '/v2/account/ledger/')).body.unaccounted, 0);
  });

  test('9044: a carrier that stays down is given up after four hours', async () => {
    const uuid = await send('+447700909044');
    await wasTried(uuid);
    await pass(5 * 3600);
    const shown = await until(
      () => message(uuid),
      ({ status }) => status !== 'QUEUED',
    );
    assert.deepEqual(
      [shown.status, shown.status_description],
      ['FAILED', 'The carrier is down. Given up after four hours.'],
    );
  });
});

test('the phone shows what it was sent, oldest first', async () => {
  const uuids = [await send('+15550190'), await send('+1 (555) 0190')];
  for (const uuid of uuids) await storyOf(uuid, 4);
  const phone = await app.call('GET', '/v2/sandbox/phones/+15550190/');
  assert.deepEqual(
    phone.body.results.map((shown: { uuid: string }) => shown.uuid),
    uuids,
  );
  assert.equal(phone.body.results[0].text, 'hello');
  assert.equal(
    (await app.call('GET', '/v2/sandbox/phones/+15550190/', undefined, { token: app.otherToken })).body.count,
    0,
  );
});

test('a receipt for another account’s message changes nothing', async () => {
  const uuid = await send('+447700909002');
  await storyOf(uuid, 2);
  const stranger = '01890000-0000-7000-8000-000000000000';
  await applyReceipts(app.deps, [{ accountId: stranger, messageUuid: uuid, status: 'READ', at: new Date() }]);
  assert.equal((await message(uuid)).status, 'SENT');
});

test('hand-overs that a dead worker left are finished: what the carrier took is not sent again, the rest goes out', async () => {
  const { db } = app.deps;
  const dead = 424_242;
  const taken = await send('+447700955501');
  await storyOf(taken, 4);
  const lost = await send('+447700955502');
  await storyOf(lost, 4);
  // As a SIGKILL during the hand-over leaves them: claimed by a worker that is gone; the carrier has one and not the other.
  await sql`delete from sandbox_messages where message = ${lost}`.execute(db);
  await sql`update message_states set status = 'QUEUED', claimed_by = ${dead}, claimed_at = now() - interval '1 minute'
    where uuid in (${taken}, ${lost})`.execute(db);
  await until(
    () => message(lost),
    ({ status }) => status === 'READ',
  );
  assert.equal((await message(taken)).status, 'SENT');
  const { rows } = await sql<{ message: string; copies: number }>`
    select message, count(*) as copies from sandbox_messages where message in (${taken}, ${lost}) group by message`.execute(
    db,
  );
  assert.deepEqual(
    rows.map((row) => row.copies),
    [1, 1],
  );
});

test('a paused sender sends nothing, and everything once it is resumed', async () => {
  const { uuid: sender } = (await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900777' })).body;
  await app.call('POST', `/v2/chatapp/accounts/${sender}/pause/`);
  const body = {
    chatapp_number: '+447700900777',
    to_chatapp_number: '+15550177',
    type: 'TEMPLATE',
    template: { template_name: 'x' },
  };
  const { uuid } = (await app.call('POST', '/v2/chatapp/messages/', body)).body;
  const other = await send('+15550178');
  await storyOf(other, 2);
  assert.deepEqual(await story(uuid), ['QUEUED']);
  const noticed: string[] = [];
  app.deps.listener.on(senderTopic, (detail) => noticed.push(detail));
  await app.call('POST', `/v2/chatapp/accounts/${sender}/resume/`);
  await until(() => noticed.some((detail) => detail.endsWith(sender)));
  assert.deepEqual(await storyOf(uuid, 4), ['QUEUED', 'SENT', 'DELIVERED', 'READ']);
});

test('a sender keeps to its rate, however much it has waiting', async () => {
  const rate = 20;
  const { uuid: sender } = (
    await app.call('POST', '/v2/chatapp/accounts/', { chatapp_number: '+447700900778', messages_per_second: rate })
  ).body;
  const body = {
    chatapp_number: '+447700900778',
    to_chatapp_number: '+15550179',
    type: 'TEMPLATE',
    template: { template_name: 'x' },
  };
  const messages = await Promise.all(Array.from({ length: 60 }, () => app.call('POST', '/v2/chatapp/messages/', body)));
  assert.ok(messages.every((message) => message.status === 201));
  const queue = async () => (await app.call('GET', `/v2/chatapp/accounts/${sender}/queue/`)).body;
  await until(queue, ({ depth }) => depth === 0);
  // A second's worth may have been saved up; the other forty cannot have left within the same second.
  const { rows } = await sql<{ handed: number; seconds: number }>`
    select count(*) as handed, extract(epoch from max(created) - min(created))::float8 as seconds
    from sandbox_messages where chatapp_number = '+447700900778'`.execute(app.deps.db);
  assert.equal(rows[0]?.handed, 60);
  assert.ok(rows[0].seconds > 1, `60 messages in ${rows[0].seconds} s`);
});

test('five hundred messages at once all arrive once, and the ledger adds up', async () => {
  const uuids = await Promise.all(
    Array.from({ length: 500 }, (_, index) => send(`+4478${String(index).padStart(8, '0')}`)),
  );
  await storyOf(uuids.at(-1)!, 4);
  for (const uuid of uuids) assert.deepEqual(await storyOf(uuid, 4), ['QUEUED', 'SENT', 'DELIVERED', 'READ']);
  const { rows } = await sql<{ copies: number }>`
    select count(*) as copies from sandbox_messages where phone_digits like '4478%' group by message having count(*) > 1`.execute(
    app.deps.db,
  );
  assert.deepEqual(rows, []);
  assert.equal((await app.call('GET', '/v2/account/ledger/')).body.unaccounted, 0);
});
