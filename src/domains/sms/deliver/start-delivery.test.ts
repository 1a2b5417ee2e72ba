import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { idOf, receipt, type Stage, startStage } from '../../../../test/kit/sms/sms-stage.ts';
import { until } from '../../../../test/kit/until.ts';
import type { SmsOutcome } from '../../../carriers/ports/sms.ts';
import { startSmsDelivery } from './start-delivery.ts';

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

const tenParts = 'x'.repeat(1530);
const partsOf = (uuid: string) => stage.peer.got.filter((one) => one.uuid === uuid).map(({ part }) => part);
const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('an SMS', () => {
  test('is SENT when the other side took it, DELIVERED when the receipt says so', async () => {
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'SENT');
    assert.equal(stage.peer.got.find((one) => one.uuid === uuid)?.text, 'Hello');
    await stage.receive([receipt(idOf(uuid, 1), 'DELIVERED')]);
    await stage.becomes(uuid, 'DELIVERED');
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.sent', 'sms.delivered']);
  });

  test('whose receipts come late, twice or out of order keeps its last state, and each is on its timeline', async () => {
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'SENT');
    const id = idOf(uuid, 1);
    await stage.receive([receipt(id, 'DELIVERED'), receipt(id, 'DELIVERED')]);
    await stage.receive([receipt(id, 'FAILED', { code: '8' }), receipt(id, 'SENT')]);
    assert.equal((await stage.record(uuid)).status, 'DELIVERED');
    assert.deepEqual(await stage.story(uuid), [
      'sms.queued',
      'sms.sent',
      '(sms.receipt)',
      'sms.delivered',
      '(sms.receipt)',
      '(sms.receipt)',
    ]);
  });

  test('is FAILED with the code and words of its receipt', async () => {
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'SENT');
    await stage.receive([receipt(idOf(uuid, 1), 'FAILED', { code: '69', description: 'The number is not in use.' })]);
    const { status, status_description } = await stage.record(uuid);
    assert.deepEqual([status, status_description], ['FAILED', 'The number is not in use. (code 69)']);
  });

  test('takes up a receipt that came before the answer', async () => {
    const { peer } = stage;
    let early: Promise<unknown> = Promise.resolve();
    peer.answer = async ({ uuid }, take) => {
      early = stage.receive([receipt(idOf(uuid, 1), 'DELIVERED')]);
      await early;
      return take();
    };
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'DELIVERED');
    peer.answer = (_message, take) => take();
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.sent', 'sms.delivered']);
    const kept = await app.deps.db.selectFrom('sms_early_receipts').selectAll().execute();
    assert.deepEqual(kept, []);
  });

  test('finds a receipt that was stored while its answer was', async () => {
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'SENT');
    // As two transactions leave it that did not see each other.
    await sql`insert into sms_early_receipts (account_id, link, carrier_id, status, at)
      values (${app.accountId}, ${stage.link.uuid}, ${idOf(uuid, 1)}, 'DELIVERED', now())`.execute(app.deps.db);
    await stage.becomes(uuid, 'DELIVERED');
  });

  test('nobody knows does not take a receipt, and the receipt is kept', async () => {
    await stage.receive([receipt('nobody', 'DELIVERED')]);
    const kept = await app.deps.db.selectFrom('sms_early_receipts').select('carrier_id').execute();
    assert.deepEqual(kept, [{ carrier_id: 'nobody' }]);
  });

  test('that is refused fails at once, with the code', async () => {
    const { peer } = stage;
    peer.answer = () => ({ kind: 'rejected', parts: [], code: 'ESME_RINVDSTADR', description: 'No such number.' });
    const uuid = await stage.send('Hello');
    const { status_description } = await stage.becomes(uuid, 'FAILED');
    peer.answer = (_message, take) => take();
    assert.equal(status_description, 'No such number. (code ESME_RINVDSTADR)');
  });

  test('to somebody who opted out since it was accepted does not leave; an answer does', async () => {
    await stage.setOpen(false);
    const to = '+447700900555';
    const uuid = await stage.send('Hello', { to });
    await app.call('POST', '/v2/opt-outs/', { phone_number: to, channel: 'SMS' });
    await stage.setOpen(true);
    const { status_description } = await stage.becomes(uuid, 'FAILED');
    assert.equal(status_description, 'The recipient has opted out. (code recipient_opted_out)');
    const message = { kind: 'message', id: null, from: to, to: '+447700900001', encoding: 'GSM7' } as const;
    await stage.receive([{ ...message, text: 'One question', at: new Date() }]);
    await stage.becomes(await stage.send('One answer', { to }), 'SENT');
  });

  test('that expired does not leave, whether a link is up or not', async () => {
    await stage.setOpen(false);
    const [unseen, seen] = [await stage.send('a', { validity_seconds: 60 }), await stage.send('b')];
    await sql`update sms_states set expires_at = now() - interval '1 second' where uuid = ${unseen}`.execute(
      app.deps.db,
    );
    const { status_description } = await stage.becomes(unseen, 'FAILED');
    assert.equal(status_description, 'It expired before it could leave. (code expired)');
    await stage.setOpen(true);
    await stage.becomes(seen, 'SENT');
    assert.deepEqual(partsOf(unseen), []);
  });
});

describe('an SMS of ten parts', () => {
  test('fails when part 7 is refused for good; receipts of the first six change nothing any more', async () => {
    const { peer } = stage;
    peer.answer = (_message, take) => ({
      kind: 'rejected',
      parts: take(numbers(1, 6)).parts,
      code: 'ESME_RSUBMITFAIL',
      description: 'Part 7 was refused.',
    });
    const uuid = await stage.send(tenParts);
    const { status_description, segments } = await stage.becomes(uuid, 'FAILED');
    peer.answer = (_message, take) => take();
    assert.deepEqual([segments, status_description], [10, 'Part 7 was refused. (code ESME_RSUBMITFAIL)']);
    await stage.receive(numbers(1, 6).map((part) => receipt(idOf(uuid, part), 'DELIVERED')));
    assert.equal((await stage.record(uuid)).status, 'FAILED');
    assert.deepEqual(partsOf(uuid), numbers(1, 6));
  });

  test('sends no part again when part 7 was put off; it is DELIVERED with the last of its receipts', async () => {
    const { peer } = stage;
    peer.answer = (message, take) =>
      message.attempt > 1
        ? take()
        : { kind: 'retry', parts: take(numbers(1, 6)).parts, description: 'Busy.', afterMs: 50 };
    const uuid = await stage.send(tenParts);
    await stage.becomes(uuid, 'SENT');
    peer.answer = (_message, take) => take();
    assert.deepEqual(partsOf(uuid), numbers(1, 10));
    // Each in a transaction of its own, at the same time: the last one has to see the others.
    await Promise.all(numbers(1, 10).map((part) => stage.receive([receipt(idOf(uuid, part), 'DELIVERED')])));
    await stage.becomes(uuid, 'DELIVERED');
  });

  test('one of whose parts was not delivered is FAILED', async () => {
    const uuid = await stage.send(tenParts);
    await stage.becomes(uuid, 'SENT');
    await stage.receive([receipt(idOf(uuid, 1), 'DELIVERED'), receipt(idOf(uuid, 2), 'FAILED')]);
    assert.equal((await stage.record(uuid)).status_description, 'It was not delivered.');
  });
});

describe('an answer that never came', () => {
  const unknown: SmsOutcome = { kind: 'unknown', parts: [], description: 'The connection was lost.' };

  test('is not asked for again: the SMS waits, and its receipt tells', async () => {
    const { peer } = stage;
    peer.answer = () => unknown;
    const uuid = await stage.send('Hello');
    const { status_description } = await until(
      () => stage.record(uuid),
      (one) => one.status_description !== '',
    );
    peer.answer = (_message, take) => take();
    assert.equal(status_description, 'The connection was lost. It waits for its receipt.');
    await stage.receive([receipt('17', 'DELIVERED', { about: { uuid, part: 1 } })]);
    assert.equal((await stage.record(uuid)).status, 'DELIVERED');
    assert.deepEqual(partsOf(uuid), []);
  });

  test('is not missed either by a receipt that came before it was given up', async () => {
    const { peer } = stage;
    peer.answer = async ({ uuid }) => {
      await stage.receive([receipt('18', 'DELIVERED', { about: { uuid, part: 1 } })]);
      return unknown;
    };
    const uuid = await stage.send('Hello');
    await stage.becomes(uuid, 'DELIVERED');
    peer.answer = (_message, take) => take();
    assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.unknown', 'sms.delivered']);
  });

  test('and a receipt that names both numbers, but an id nobody knows, belong together', async () => {
    const { peer } = stage;
    peer.answer = () => unknown;
    const to = '+447700900777';
    const uuid = await stage.send('Hello', { to });
    await until(
      () => stage.record(uuid),
      (one) => one.status_description !== '',
    );
    peer.answer = (_message, take) => take();
    await stage.receive([receipt('4711', 'DELIVERED', { about: { from: 'PARLEY', to: '447700900777' } })]);
    assert.equal((await stage.record(uuid)).status, 'QUEUED');
    await sql`update sms_early_receipts set received = now() - interval '1 minute' where carrier_id = '4711'`.execute(
      app.deps.db,
    );
    await stage.becomes(uuid, 'DELIVERED');
  });
});

test('what a dead process was handing over waits for its receipt, and is not sent again', async () => {
  const { peer } = stage;
  peer.answer = async (_message, take) => {
    const { parts } = await take();
    return { kind: 'unknown', parts: parts.slice(0, 6), description: 'The connection was lost.' };
  };
  const uuid = await stage.send(tenParts);
  await until(
    () => stage.record(uuid),
    (one) => one.status_description !== '',
  );
  peer.answer = (_message, take) => take();
  const before = stage.peer.got.length;
  await sql`update sms_states set claimed_by = 424242, claimed_at = now() - interval '1 minute'
    where uuid = ${uuid}`.execute(app.deps.db);
  const { status, status_description } = await until(
    () => stage.record(uuid),
    (one) => one.status_description.includes('interrupted'),
  );
  assert.deepEqual(
    [status, status_description],
    ['QUEUED', 'The hand-over was interrupted. It waits for its receipt.'],
  );
  await stage.receive(numbers(1, 10).map((part) => receipt(idOf(uuid, part), 'DELIVERED', { about: { uuid, part } })));
  assert.equal((await stage.record(uuid)).status, 'DELIVERED');
  assert.equal(stage.peer.got.length, before);
});

test('a part that somebody else has stored meanwhile keeps its id, and the SMS is sent all the same', async () => {
  const { peer } = stage;
  peer.answer = async ({ uuid }, take, link) => {
    await sql`insert into sms_parts (account_id, link, sms, part, carrier_id)
      values (${app.accountId}, ${link.uuid}, ${uuid}, 1, 'known')`.execute(app.deps.db);
    return take();
  };
  const uuid = await stage.send('Hello');
  await stage.becomes(uuid, 'SENT');
  peer.answer = (_message, take) => take();
  const { rows } = await sql<{ carrier_id: string }>`select carrier_id from sms_parts where sms = ${uuid}`.execute(
    app.deps.db,
  );
  assert.deepEqual(rows, [{ carrier_id: 'known' }]);
  assert.deepEqual(await stage.story(uuid), ['sms.queued', 'sms.sent']);
  assert.equal(peer.got.filter((one) => one.uuid === uuid).length, 1);
});

test('a link that is told to slow down sends nothing for that long; the others do', async () => {
  const { peer } = stage;
  const other = await stage.addLink('second');
  let slowed: string | undefined;
  peer.answer = (_message, take, link) => {
    if (slowed !== undefined) return take();
    slowed = link.uuid;
    return { kind: 'retry', parts: [], description: 'Throttled.', afterMs: 60_000, slowsLink: true };
  };
  await stage.send('Hello');
  await until(
    () => slowed,
    (link) => link !== undefined,
  );
  await until(
    () => app.deps.db.selectFrom('sms_links').select('rate_tokens').where('uuid', '=', slowed!).executeTakeFirst(),
    (row) => row!.rate_tokens < 0,
  );
  const uuids = await Promise.all(Array.from({ length: 20 }, () => stage.send('Hello')));
  for (const uuid of uuids) await stage.becomes(uuid, 'SENT');
  peer.answer = (_message, take) => take();
  const used = new Set(peer.got.filter(({ uuid }) => uuids.includes(uuid)).map(({ link }) => link));
  assert.deepEqual([...used], [slowed === other.uuid ? stage.link.uuid : other.uuid]);
  await app.deps.db.deleteFrom('sms_links').where('uuid', '=', other.uuid).execute();
  await sql`update sms_links set rate_tokens = 1000, rate_at = now()`.execute(app.deps.db);
});

test('two links share the traffic by their weights', async () => {
  const other = await stage.addLink('heavy', { weight: 4 });
  await stage.setOpen(false);
  const messages = Array.from({ length: 1000 }, (_, index) => ({
    from: 'Parley',
    to: `+4478${String(index).padStart(8, '0')}`,
    text: 'Hello',
  }));
  const { results } = (await app.call('POST', '/v2/send-sms/multiple/', { messages })).body;
  await stage.setOpen(true);
  await stage.becomes(results.at(-1).uuid, 'SENT');
  const uuids = new Set(results.map(({ uuid }: { uuid: string }) => uuid));
  const mine = await until(
    () => stage.peer.got.filter(({ uuid }) => uuids.has(uuid)),
    (got) => got.length >= 1000,
  );
  const heavy = mine.filter(({ link }) => link === other.uuid).length;
  assert.ok(heavy > 500 && heavy < 1000, `${heavy} of 1000 by the link of weight 4`);
  await app.deps.db.deleteFrom('sms_links').where('uuid', '=', other.uuid).execute();
});

test('two workers send five hundred SMS, and none of them twice', async () => {
  const second = startSmsDelivery(app.deps);
  const uuids = await Promise.all(
    Array.from({ length: 500 }, (_, index) => stage.send('Hello', { to: `+4479${String(index).padStart(8, '0')}` })),
  );
  for (const uuid of uuids) await stage.becomes(uuid, 'SENT');
  await second.stop();
  const got = stage.peer.got.filter(({ uuid }) => uuids.includes(uuid));
  assert.equal(got.length, 500);
  assert.equal(new Set(got.map(({ uuid }) => uuid)).size, 500);
});
