import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../test/kit/app.ts';
import { onlyPlain } from '../../test/kit/database.ts';
import { earlier } from '../../test/kit/postgres/earlier.ts';
import {
  findLeft,
  idsAt,
  makeMonths,
  makeOldMonth,
  partitionNames,
  writeEvent,
  writeMessages,
  writeSms,
} from '../../test/kit/postgres/old-rows.ts';
import { until } from '../../test/kit/until.ts';
import { applyReceipts } from '../domains/messages/index.ts';
import { deleteStatement } from '../platform/db/retention.ts';
import { purgeOldAnyAccount, retentionRules, retentionTasks } from './retention.ts';

const nothing = '00000000-0000-0000-0000-000000000000';
const business = '+44 7700 900001';

/** Days ago at which things are old for both accounts, for one of the two, and for none. */
const ages = { both: 430, one: 60, none: 10 } as const;

let app: TestApp;
/** Keeps things for 30 days; the app's own account for 365, the longest of all. */
let other: string;
/** Events of contacts, which go, beside those of opt-outs and numbers, which stay. */
const contacts: string[] = [];

const setRetention = (own: number, others: number) =>
  sql`update accounts set retention_days = case when uuid = ${app.accountId} then ${own}::integer else ${others} end`.execute(
    app.deps.db,
  );

before(async () => {
  app = await startTestApp({}, { madeUpEvents: true });
  const { db } = app.deps;
  const { rows } = await sql<{ uuid: string }>`select uuid from accounts where name = 'Another tenant'`.execute(db);
  other = rows[0]!.uuid;
  await setRetention(365, 30);
  await makeMonths(db);
  const data = { digits: '447700900777', number: '+447700900777', phone_number: '+447700900777', channel: 'ALL' };
  for (const [age, accountId] of [
    [ages.both, app.accountId],
    [ages.both, other],
    [ages.one, other],
  ] as const) {
    await event(accountId, age, 'opt_out', 'opt_out.created', { ...data, source: 'API', text: '' });
    await event(accountId, age, 'number', 'number.bought', data);
    contacts.push(await event(accountId, age, 'contact', 'contact.created', data));
  }
});
after(() => app.close());

const purge = (options: Partial<Parameters<typeof purgeOldAnyAccount>[1]> = {}) =>
  purgeOldAnyAccount(app.deps, { mostMs: 60_000, ...options });

/** The id that follows another. */
const next = (uuid: string) =>
  `${uuid.slice(0, -12)}${(Number.parseInt(uuid.slice(-12), 16) + 1).toString(16).padStart(12, '0')}`;

type Rest<F> = F extends (db: never, ...rest: infer R) => unknown ? R : never;
const messages = (...rest: Rest<typeof writeMessages>) => writeMessages(app.deps.db, ...rest);
const sms = (...rest: Rest<typeof writeSms>) => writeSms(app.deps.db, ...rest);
const event = (...rest: Rest<typeof writeEvent>) => writeEvent(app.deps.db, ...rest);
const left = (...rest: Rest<typeof findLeft>) => findLeft(app.deps.db, ...rest);

const ledger = async (token = app.token) => (await app.call('GET', '/v2/account/ledger/', undefined, { token })).body;

describe('Retention', () => {
  it('lets go of messages and their steps by the time of their account, and of nothing that waits', async () => {
    const kinds = [{ status: 'READ' }, { status: 'FAILED' }, { status: 'QUEUED' }, { status: 'SENT' }];
    // The answer to its hand-over never came.
    const unknown = { status: 'QUEUED', due: 'infinity' };
    const stuck = [...kinds, { status: 'SENT', modified: 5 }, unknown, { ...unknown, modified: 5 }];
    const gone = [false, false, true, false, true, false, true];
    const all = gone.map(() => true);
    const mine = await Promise.all(Object.values(ages).map((age) => messages(app.accountId, age, stuck)));
    const theirs = await Promise.all(Object.values(ages).map((age) => messages(other, age, stuck)));
    await purge();
    for (const table of ['messages', 'message_states']) {
      assert.deepEqual(await Promise.all(mine.map((uuids) => left(table, uuids))), [gone, all, all], table);
      assert.deepEqual(await Promise.all(theirs.map((uuids) => left(table, uuids))), [gone, gone, all], table);
    }
    assert.deepEqual(await left('events', [...mine[0]!, ...theirs[1]!]), Array(14).fill(false));
    assert.deepEqual(await left('events', [...mine[1]!, ...theirs[2]!]), Array(14).fill(true));
    for (const token of [app.token, app.otherToken]) assert.equal((await ledger(token)).unaccounted, 0);
  });

  it('drops a month as soon as nothing in it waits, and leaves every id a home', async () => {
    const before = await partitionNames(app.deps.db, 'messages');
    await sql`update message_states set status = 'CANCELLED', modified = now() - interval '99 days'
      where uuid < uuid_floor(now() - interval '400 days')`.execute(app.deps.db);
    await purge();
    const names = await partitionNames(app.deps.db, 'messages');
    assert.ok(names.length < before.length, names.join());
    assert.equal(names[0], 'messages_000000');
    assert.deepEqual(
      await partitionNames(app.deps.db, 'message_states'),
      names.map((name) => name.replace('messages', 'message_states')),
    );
    assert.equal((await ledger()).unaccounted, 0);
    const [ancient] = await messages(app.accountId, 5000, [{ status: 'QUEUED' }]);
    assert.deepEqual(await left('messages', [ancient!]), [true]);
    await sql`delete from messages where uuid = ${ancient}`.execute(app.deps.db);
    await sql`delete from message_states where uuid = ${ancient}`.execute(app.deps.db);
  });

  it('keeps the history of opt-outs and of numbers for ever, whatever goes around it', async () => {
    const isAsBefore = async () => {
      for (const [token, count] of [
        [app.token, 1],
        [app.otherToken, 2],
      ] as const) {
        for (const url of ['/v2/opt-out-events/', '/v2/logs/raw-numbers/']) {
          const { body } = await app.call('GET', `${url}?number=%2B447700900777`, undefined, { token });
          assert.equal(body.count, count, url);
        }
      }
      assert.deepEqual(await left('events', contacts), [false, false, false]);
    };
    await isAsBefore();
    const months = await partitionNames(app.deps.db, 'events');
    assert.equal(months[0], 'events_000000');
    // Another two months are old from now on.
    await setRetention(300, 30);
    await purge();
    await isAsBefore();
    assert.deepEqual(await partitionNames(app.deps.db, 'events'), ['events_000000', ...months.slice(3)]);
    await setRetention(365, 30);
  });

  it('takes leads, sessions with their links, and conversations, by the age of what happened last', async () => {
    const { db } = app.deps;
    const [old, touched, open, fresh] = [idsAt(ages.one)(), idsAt(ages.one)(), idsAt(ages.one)(), idsAt(ages.none)()];
    const past = sql`now() - interval '60 days'`;
    for (const uuid of [old, touched, open, fresh]) {
      const last = uuid === old || uuid === open ? past : sql`now()`;
      await sql`insert into leads (account_id, uuid, chatapp_account, chatapp_number, phone_number, digits, name, source, data,
        modified) values (${other}, ${uuid}, ${uuid}, '', '', '', '', 'API', '{}', ${last})`.execute(db);
      await sql`insert into intro_sessions (account_id, uuid, chat_intro, chatapp_account, aparty_number, aparty_digits, status,
        open, intro, variables, flow_token, started_at, last_activity_at) values (${other}, ${uuid}, ${uuid}, ${uuid}, '', '',
        'EXPIRED', ${uuid === open}, '{}', '{}', '', ${past}, ${last})`.execute(db);
      await sql`insert into links (shortcode, account_id, kind, chat_intro, session)
        values (${uuid}, ${other}, 'BPARTY', ${uuid}, ${uuid})`.execute(db);
      await sql`insert into chat_people (account_id, chatapp_account, digits, number, last_inbound_at, last_inbound)
        values (${other}, ${uuid}, ${uuid}, '', ${past}, ${uuid})`.execute(db);
    }
    await purge();
    const all = [old, touched, open, fresh];
    assert.deepEqual(await left('leads', all), [false, true, false, true]);
    assert.deepEqual(await left('intro_sessions', all), [false, true, true, true]);
    assert.deepEqual(await left('links', all, 'session'), [false, true, true, true]);
    assert.deepEqual(await left('chat_people', all, 'last_inbound'), [false, false, false, true]);
  });

  it('takes SMS with their parts, calls that are over, results of jobs, deliveries and files that people sent', async () => {
    const { db } = app.deps;
    const delivered = [await sms(other, ages.one, 'DELIVERED'), await sms(other, ages.none, 'DELIVERED')];
    const waiting = await sms(other, ages.one, 'QUEUED');
    const [ended, live, fresh] = [idsAt(ages.one)(), idsAt(ages.one)(), idsAt(ages.none)()];
    for (const call of [ended, live, fresh])
      await sql`insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number,
        from_digits, status) values (${other}, ${call}, 'INBOUND', 'x', '', '', '', '', '', 'ENDED')`.execute(db);
    await sql`insert into calls_under_way (account_id, uuid, direction, claimed_by, touched_at)
      values (${other}, ${live}, 'INBOUND', ${app.deps.listener.workerNumber}, now() + interval '1 day')`.execute(db);
    for (const job of [ended, live, fresh]) {
      await sql`insert into jobs (account_id, uuid, type, status, due_at, finished_at) values (${other}, ${job}, 'x',
        ${job === live ? 'RUNNING' : 'SUCCEEDED'}, now() + interval '1 day',
        ${job === live ? null : sql`uuid_moment(${job})`})`.execute(db);
      await sql`insert into job_results (account_id, job, index, ok, value)
        select ${other}, ${job}, index, true, '{}' from generate_series(1, 20) as index`.execute(db);
      await sql`insert into webhook_deliveries (account_id, uuid, endpoint, event, type, payload, status)
        values (${other}, ${job}, ${job}, ${job}, 'x', '', ${job === live ? 'PENDING' : 'FAILED'})`.execute(db);
      await sql`insert into webhook_attempts (account_id, uuid, delivery, at, duration_ms, response, error)
        values (${other}, ${job}, ${job}, now(), 1, '', '')`.execute(db);
      await sql`insert into media (account_id, uuid, kind, filename, mime_type, message, problem)
        values (${other}, ${job}, 'INBOUND', 'x', 'image/png', ${job}, 'x')`.execute(db);
    }
    await purge({ most: 7 });
    for (const [table, key] of [['sms'], ['sms_states'], ['sms_parts', 'sms']] as const)
      assert.deepEqual(await left(table, [...delivered, waiting], key), [false, true, true], table);
    assert.equal((await ledger(app.otherToken)).sms.unaccounted, 0);
    for (const table of ['calls', 'webhook_deliveries'])
      assert.deepEqual(await left(table, [ended, live, fresh]), [false, true, true], table);
    assert.deepEqual(await left('job_results', [ended, live, fresh], 'job'), [false, true, true]);
    assert.deepEqual(await left('jobs', [ended, live, fresh]), [true, true, true]);
    for (const table of ['webhook_attempts', 'media'])
      assert.deepEqual(await left(table, [ended, live, fresh]), [false, false, true], table);
  });

  it('counts the age of recipients from the end of their launch, whose counts stay', async () => {
    const { db } = app.deps;
    const { body: campaign } = await app.call('GET', '/v2/campaign-logs/', undefined, { token: app.otherToken });
    assert.equal(campaign.count, 0);
    const launches = [
      { uuid: idsAt(ages.one)(), status: 'COMPLETED', finished: ages.one },
      { uuid: idsAt(ages.one)(), status: 'COMPLETED', finished: 3 },
      { uuid: idsAt(ages.one)(), status: 'PAUSED', finished: null },
    ];
    for (const { uuid, status, finished } of launches) {
      await sql`insert into campaign_logs (account_id, uuid, campaign, status, snapshot, start_at, audience, finished_at)
        values (${other}, ${uuid}, ${uuid}, ${status}, '{"channel": "SMS", "name": "x", "sender": "1"}', now(), 40,
          now() - make_interval(days => ${finished}))`.execute(db);
      await sql`insert into campaign_recipients (account_id, campaign_log, digits, contact, state)
        select ${other}, ${uuid}, number::text, gen_random_uuid(), 'QUEUED' from generate_series(1, 40) as number`.execute(
        db,
      );
      await sql`insert into tallies (account_id, subject, name, count) values (${other}, ${uuid}, 'delivered', 40)`.execute(
        db,
      );
    }
    await purge({ most: 7 });
    const uuids = launches.map(({ uuid }) => uuid);
    assert.deepEqual(await left('campaign_recipients', uuids, 'campaign_log'), [false, true, true]);
    const one = `/v2/campaign-logs/${uuids[0]}/`;
    const log = await app.call('GET', one, undefined, { token: app.otherToken });
    assert.equal(log.status, 200, JSON.stringify(log.body));
    assert.equal(log.body.counts?.delivered ?? log.body.delivered, 40, JSON.stringify(log.body));
    const csv = await app.call('GET', `${one}export/`, undefined, { token: app.otherToken });
    assert.equal(csv.body.trim().split('\n').length, 1, 'the file has nobody any more');
  });

  it('changes nothing the second time', onlyPlain, async () => {
    const state = async () => {
      const { rows } = await sql`
        select relname, oid, (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text
        from pg_class where relkind = 'r' and relispartition and relnamespace = 'public'::regnamespace order by 1`.execute(
        app.deps.db,
      );
      return rows;
    };
    // What was asked for before may still be noted in the log.
    await until('a purge that leaves everything as it is', async () => {
      await purge();
      const once = await state();
      await purge();
      return isDeepStrictEqual(await state(), once);
    });
  });

  it('goes on where it was when its time is over', async () => {
    const [one] = await messages(other, ages.one, [{ status: 'READ' }]);
    const atOnce = await purge({ mostMs: -1 });
    assert.deepEqual(atOnce, { rule: 'message_states', account: '' });
    await purge({ from: { rule: 'message_states', account: next(other) } });
    assert.deepEqual(await left('messages', [one!]), [true], 'those before have been seen');
    await purge({ from: { rule: 'sms_states', account: '' } });
    assert.deepEqual(await left('messages', [one!]), [true], 'so have rules before');
    await retentionTasks[0]!.handler(app.deps, [{ rule: 'message_states', account: other }]);
    assert.deepEqual(await left('messages', [one!]), [false]);
    const [another] = await messages(other, ages.one, [{ status: 'READ' }]);
    await retentionTasks[0]!.handler(app.deps, [atOnce!]);
    assert.deepEqual(await left('messages', [another!]), [false]);
  });

  it('adds up at every moment', async () => {
    await messages(
      other,
      ages.one,
      Array.from({ length: 3000 }, (_, index) => ({ status: index % 7 === 0 ? 'QUEUED' : 'READ' })),
    );
    let isOver = false;
    const purged = purge({ most: 50 }).finally(() => {
      isOver = true;
    });
    const accepted = new Set<number>();
    while (!isOver) {
      const { unaccounted, accepted: count } = await ledger(app.otherToken);
      assert.equal(unaccounted, 0);
      accepted.add(count);
    }
    await purged;
    assert.ok(accepted.size > 2, `looked at ${accepted.size} moments`);
  });

  it('waits for nobody who works with the tables, nor keeps anybody waiting', async () => {
    const { db } = app.deps;
    await makeOldMonth(app.deps.db, 'messages');
    await makeOldMonth(app.deps.db, 'message_states');
    const counted = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    // Somebody who counts for a long time.
    const counting = db.transaction().execute(async (db) => {
      await sql`select count(*) from messages`.execute(db);
      counted.resolve();
      await released.promise;
    });
    await Promise.race([counted.promise, counting]);
    const purged = purge();
    const body = { chatapp_number: business, to_chatapp_number: '+447700900555', type: 'TEMPLATE' };
    for (let sent = 0; sent < 10; sent++) {
      const answer = await app.call('POST', '/v2/chatapp/messages/', { ...body, template: { template_name: 'offer' } });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
    }
    assert.ok((await partitionNames(app.deps.db, 'messages')).includes('messages_old'), 'it is still in use');
    released.resolve();
    await Promise.all([counting, purged]);
    assert.ok(!(await partitionNames(app.deps.db, 'messages')).includes('messages_old'));
    assert.ok(!(await partitionNames(app.deps.db, 'message_states')).includes('message_states_old'));
  });

  it('looks nothing up by reading a table', onlyPlain, async () => {
    await sql`analyze`.execute(app.deps.db);
    await app.deps.db.connection().execute(async (db) => {
      // Tables of a test are so small that reading them is cheaper; with this it is done only where there is no index.
      await sql`set enable_seqscan = off`.execute(db);
      for (const rule of retentionRules) {
        const slice = {
          after: { id: nothing, second: rule.second ? nothing : null },
          before: idsAt(30)(),
          most: 5000,
        };
        const { rows } = await sql`explain (format json) ${deleteStatement(other, rule, slice)}`.execute(db);
        const plan = JSON.stringify(rows);
        assert.doesNotMatch(plan, /Seq Scan/, plan);
        assert.match(plan, /Index Cond":"[^"]*account_id/, plan);
      }
      await sql`reset enable_seqscan`.execute(db);
    });
  });

  it('leaves a conversation without its messages, and nothing that tells of them', async () => {
    const { db } = app.deps;
    const person = '+447700900666';
    const written = await app.call('POST', '/v2/sandbox/chatapp/messages/', {
      from: person,
      to: business,
      text: { body: 'Hi' },
    });
    assert.equal(written.status, 201, JSON.stringify(written.body));
    const conversation = async () =>
      (await app.call('GET', `/v2/chatapp/conversations/?number=${encodeURIComponent(person)}`)).body.results[0];
    assert.equal((await conversation()).last_message.message_data.text.body, 'Hi');
    const sent = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: business,
      to_chatapp_number: person,
      type: 'TEXT',
      text: { body: 'Hello' },
    });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    await app.call('POST', '/v2/sandbox/clock/', { advance_seconds: 3600 });
    await until(
      async () => (await app.call('GET', `/v2/chatapp/messages/${sent.body.uuid}/`)).body.status,
      (status) => ['DELIVERED', 'READ'].includes(status),
    );
    const old = (
      column: string,
    ) => sql`${sql.ref(column)} = (left(uuid_floor(${earlier(sql`uuid_moment(${sql.ref(column)})`, '60 days')})::text, 13)
      || substr(${sql.ref(column)}::text, 14))::uuid`;
    for (const [table, ...columns] of [
      ['messages', 'uuid'],
      ['message_states', 'uuid'],
      ['events', 'uuid', 'subject'],
    ] as const)
      await sql`update ${sql.table(table)} set ${sql.join(columns.map(old))} where account_id = ${app.accountId}
        and uuid > uuid_floor(now() - interval '1 hour')`.execute(db);
    const { rows } = await sql<{ uuid: string }>`select uuid from messages where account_id = ${app.accountId}
      and to_digits = '447700900666' order by uuid desc limit 1`.execute(db);
    const uuid = rows[0]!.uuid;
    const one = `/v2/chatapp/messages/${uuid}/`;
    assert.ok((await app.call('GET', `${one}status-logs/`)).body.count > 1);
    await setRetention(30, 365);
    await purge();
    assert.equal((await app.call('GET', one)).status, 404);
    assert.equal((await app.call('GET', `${one}status-logs/`)).status, 404);
    assert.equal((await conversation()).last_message, null);
    // A receipt that comes so late, and an answer that quotes it.
    await applyReceipts(app.deps, [
      { accountId: app.accountId, messageUuid: uuid, carrierMessageId: 'late', status: 'READ', at: new Date() },
    ]);
    assert.equal((await app.call('GET', one)).status, 404);
    const quoting = await app.call('POST', '/v2/chatapp/messages/', {
      chatapp_number: business,
      to_chatapp_number: person,
      type: 'TEMPLATE',
      template: { template_name: 'offer' },
      context: { message_uuid: uuid },
    });
    assert.deepEqual([quoting.status, quoting.body], [400, { context: { message_uuid: ['Not found.'] } }]);
  });
});
