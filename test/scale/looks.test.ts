// What looks for due work reads: what waits, and nothing of those for whom nothing does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { readClocksAnyAccount } from '../../src/carriers/sandbox/clock.ts';
import { lockDueAnyAccount } from '../../src/carriers/sandbox/queries.ts';
import { purgeLegsAnyAccount } from '../../src/carriers/sandbox/voice/queries.ts';
import { purgeAuditLogAnyAccount } from '../../src/domains/accounts/audit/queries.ts';
import { findRetentionsAnyAccount } from '../../src/domains/accounts/queries.ts';
import { findOpenAnyAccount } from '../../src/domains/campaigns/logs/queries.ts';
import {
  lockDueDigestsAnyAccount,
  takeDueCallbacksAnyAccount,
  takeDueWatchesAnyAccount,
} from '../../src/domains/insights/queries.ts';
import {
  findDueAnyAccount as findDueSessionsAt,
  findMovedAnyAccount,
  isDueNowText,
} from '../../src/domains/intros/sessions/timers/due.ts';
import { followMoved } from '../../src/domains/intros/sessions/timers/moved.ts';
import { findWaitingAnyAccount as findWaitingMessages } from '../../src/domains/messages/deliver/queue.ts';
import { purgeInboundIdsAnyAccount } from '../../src/domains/messages/receive/inbound-queries.ts';
import { findWaitingAnyAccount as findWaitingSms } from '../../src/domains/sms/deliver/queue.ts';
import { linkLeases } from '../../src/domains/sms/links/keep-open.ts';
import { findOwnedAnyAccount } from '../../src/domains/sms/links/queries.ts';
import { takeMissedAnyAccount } from '../../src/domains/voice/calls/missed-queries.ts';
import { findWaitingAnyAccount as findWaitingCalls } from '../../src/domains/voice/calls/under-way-queries.ts';
import { purgeRecordingsAnyAccount } from '../../src/domains/voice/retention.ts';
import { findWaitingAnyAccount as findWaitingWebhooks } from '../../src/domains/webhooks/deliver/queue.ts';
import { DatabaseClient } from '../../src/platform/db/connect/client.ts';
import type { Db } from '../../src/platform/db/connect/pool.ts';
import { queueLooks } from '../../src/upkeep/queues.ts';
import { purgeOldAnyAccount } from '../../src/upkeep/retention.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { onlyPlain } from '../kit/database.ts';
import { addIdleAccountsText, scheduleForLaterText } from '../kit/postgres/idle-accounts.ts';
import { countPages } from '../kit/postgres/pages.ts';
import { until } from '../kit/until.ts';

const idleAccounts = 5_000;
/** Less than any table with a row for each idle account has; more than what a look reads for one that waits. */
const mostPages = 100;
const dayMs = 86_400_000;

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  const { db } = app.deps;
  await db.executeQuery(CompiledQuery.raw(addIdleAccountsText, [idleAccounts]));
  await sql`
    insert into sandbox_clocks (account_id, real_base, virtual_base, speed)
    select account_id, now(), now() + interval '1 hour', 1 from sms_links`.execute(db);
  await sql`analyze`.execute(db);
});
after(() => app.close());

const pagesOf = (look: (db: Db) => Promise<unknown>): Promise<number> => countPages(app, look);

/** What a process with all loops asks once a second, when it has asked it several times. */
async function readQuestion(): Promise<string> {
  const asked: string[] = [];
  const { query } = DatabaseClient.prototype;
  // biome-ignore lint/suspicious/noExplicitAny: in whatever form the driver is asked
  DatabaseClient.prototype.query = function (this: DatabaseClient, ...given: any[]): any {
    const [text] = given;
    // The one with the fewer loops is that of this test's own server.
    if (typeof text === 'string' && text.endsWith('as answers') && text.includes('message_states')) asked.push(text);
    return Reflect.apply(query, this, given);
  };
  const other = await startTestApp();
  try {
    return await until('the question is always the same', () => asked.at(-1) === asked.at(-3) && asked.at(-1));
  } finally {
    DatabaseClient.prototype.query = query;
    await other.close();
  }
}

const leasesIn = (db: Db) =>
  linkLeases(db, { carriers: app.deps.carriers, workerNumber: app.deps.listener.workerNumber });
const takeLinks = async (db: Db) => [...(await leasesIn(db).take())];
const giveLinksBack = async (db: Db) => {
  await leasesIn(db).giveBack('unwanted');
  return findOwnedAnyAccount(db, app.deps.listener.workerNumber);
};

const readMovedClock = async (db: Db) => [...(await readClocksAnyAccount(db, [app.accountId])).keys()];
const takeMissedCalls = (db: Db) => takeMissedAnyAccount(db, 500);
const takeDueReplies = (db: Db) => takeDueWatchesAnyAccount(db, new Date(), 500);
const takeDueCallbacks = (db: Db) => takeDueCallbacksAnyAccount(db, new Date(), 500);
const lockDueDigests = (db: Db) => lockDueDigestsAnyAccount(db, new Date(), 1);
const findOpenLaunches = (db: Db) => findOpenAnyAccount(db, new Date(), undefined);
const findDueReceipts = (db: Db) => lockDueAnyAccount(db, new Date(), 3_600_000, 1000);

const findDueSessions = (db: Db) => findDueSessionsAt(db, new Date());
/** What the loop of the timers is woken by. */
const watchSessions = async (db: Db) => (await sql`select 1 where ${sql.raw(isDueNowText)}`.execute(db)).rows;

const looks = {
  findWaitingMessages,
  findWaitingSms,
  findDueSessions,
  watchSessions,
  findWaitingWebhooks,
  findOpenLaunches,
  findWaitingCalls,
  takeLinks,
  giveLinksBack,
  readMovedClock,
  findDueReceipts,
  takeMissedCalls,
  takeDueReplies,
  takeDueCallbacks,
  lockDueDigests,
};

const purges = {
  purgeInboundIdsAnyAccount,
  purgeLegsAnyAccount,
  purgeAuditLog: (db: Db) => purgeAuditLogAnyAccount({ db, vault: app.deps.vault }, 400),
};

describe(`beside ${idleAccounts} accounts for which nothing waits`, onlyPlain, () => {
  for (const [name, look] of Object.entries(looks)) {
    it(`${name} reads nothing of theirs, and names none`, async () => {
      assert.deepEqual(await look(app.deps.db), []);
      const pages = await pagesOf(look);
      assert.ok(pages < mostPages, `${pages} pages`);
    });
  }

  it('the question of all loops reads nothing of theirs, and only their links may be of interest', async () => {
    const question = await readQuestion();
    const ask = async (db: Db) => (await sql.raw<{ answers: boolean[] }>(question).execute(db)).rows[0]!.answers;
    const conditions = question.slice(question.indexOf('array[') + 7).split(',\n  (exists');
    const answers = await ask(app.deps.db);
    assert.equal(answers.length, conditions.length);
    assert.ok(answers.length > 15, `${answers.length} loops`);
    assert.deepEqual(
      conditions.filter((_, index) => answers[index]).map((condition) => /from (\w+)/.exec(condition)![1]),
      ['sms_links'],
    );
    const pages = await pagesOf(ask);
    assert.ok(pages < mostPages, `${pages} pages`);
  });

  it('those that moved their clocks are asked for sessions once, and then when something is due', async () => {
    const moved = followMoved(app.deps, () => {});
    const first = await moved.find();
    assert.ok(
      first.isMore && first.senders.length > 0 && first.senders.length < idleAccounts,
      `${first.senders.length}`,
    );
    await until('nobody is asked', async () => (await moved.find()).senders.length === 0);
    moved.stop();
    const pages = await pagesOf((db) => findMovedAnyAccount(db, [first.senders[0]!.account_id]));
    assert.ok(pages < mostPages, `${pages} pages for one of them`);
  });

  for (const [queue, look] of Object.entries(queueLooks)) {
    it(`the metrics of the queue ${queue} read nothing of theirs`, async () => {
      const { depths, oldestSeconds } = await look(app.deps.db);
      assert.deepEqual(
        [...Object.values(depths).map(Number), oldestSeconds],
        Object.keys(depths)
          .map(() => 0)
          .concat(0),
      );
      const pages = await pagesOf(look);
      assert.ok(pages < mostPages, `${pages} pages`);
    });
  }

  it('each finds what waits, and whose it is', async () => {
    const message = { chatapp_number: '+447700900001', to_chatapp_number: '+447700900123', type: 'TEMPLATE' };
    const sent = [
      await app.call('POST', '/v2/chatapp/messages/', { ...message, template: { template_name: 'welcome' } }),
      await app.call('POST', '/v2/send-sms/', { from: '+447700900001', to: '+447700900123', text: 'Hello' }),
    ];
    assert.deepEqual(
      sent.map(({ status }) => status),
      [201, 201],
    );
    for (const look of [findWaitingMessages, findWaitingSms]) {
      const found = await look(app.deps.db);
      assert.deepEqual(
        found.map(({ account_id }) => account_id),
        [app.accountId],
      );
      const pages = await pagesOf(look);
      assert.ok(pages < mostPages, `${pages} pages`);
    }
    for (const queue of ['messages', 'sms']) {
      const { depths, oldestSeconds } = await queueLooks[queue]!(app.deps.db);
      assert.equal(depths['due'], 1, queue);
      assert.ok(oldestSeconds > 0, queue);
      const pages = await pagesOf(queueLooks[queue]!);
      assert.ok(pages < mostPages, `${pages} pages`);
    }
  });
});

describe(`beside ${idleAccounts} accounts that have a message, an SMS and a reminder for later`, onlyPlain, () => {
  before(async () => {
    const { db } = app.deps;
    await db.executeQuery(CompiledQuery.raw(scheduleForLaterText));
    await sql`analyze`.execute(db);
  });

  for (const [name, look] of Object.entries({ findWaitingMessages, findWaitingSms })) {
    it(`${name} reads nothing of theirs but when the first is due`, async () => {
      const found = await look(app.deps.db);
      assert.deepEqual(
        found.map(({ account_id }) => account_id),
        [app.accountId, null],
      );
      const inMs = Date.parse(found.at(-1)!.due_at) - Date.now();
      assert.ok(inMs > 29 * dayMs && inMs < 30 * dayMs, `${inMs} ms`);
      const pages = await pagesOf(look);
      assert.ok(pages < mostPages, `${pages} pages`);
    });
  }

  for (const [name, look] of Object.entries({ findDueSessions, watchSessions })) {
    it(`${name} reads nothing of theirs`, async () => {
      assert.deepEqual(await look(app.deps.db), []);
      const pages = await pagesOf(look);
      assert.ok(pages < mostPages, `${pages} pages`);
    });
  }
});

describe(`beside ${idleAccounts} accounts that have something of today, which nobody removes yet`, onlyPlain, () => {
  /** Fewer than any of these tables has; more than the index has that tells their rows by account and age. */
  const mostPassed = 50;
  before(async () => {
    const { db } = app.deps;
    const idle = sql`from accounts where name like 'Idle %'`;
    await sql`
      insert into audit_log (account_id, uuid, actor_type, actor_uuid, actor_name, operation, summary, method, path, status, address, request_id)
      select uuid, uuidv7(), 'USER', uuid, '', '', '', 'POST', '/', 200, '', '' ${idle}`.execute(db);
    await sql`
      insert into sandbox_legs (account_id, uuid, direction, phone, phone_digits, other, outcome, heard, pressed, started_at, state)
      select uuid, uuidv7(), 'INBOUND', '', '', '', '', '[]', '', now(), 'ENDED' ${idle}`.execute(db);
    await sql`
      insert into calls (account_id, uuid, direction, carrier, number, number_digits, from_number, to_number, from_digits, status,
        recording_seconds)
      select uuid, uuidv7(), 'INBOUND', 'sandbox', '', '', '', '', '', 'ENDED', 1 ${idle}`.execute(db);
    await sql`update accounts set retention_days = 3650 where uuid = ${app.accountId}`.execute(db);
    await sql`analyze`.execute(db);
  });

  for (const [name, purge] of Object.entries(purges)) {
    it(`${name} passes over them in an index`, async () => {
      await purge(app.deps.db);
      const pages = await pagesOf(purge);
      assert.ok(pages < mostPassed, `${pages} pages`);
    });
  }

  it('what goes by the time of its account reads the accounts once, and passes over what they have', async () => {
    const { db } = app.deps;
    const readAccounts = (db: Db) => findRetentionsAnyAccount(db);
    const once = await pagesOf(readAccounts);
    for (const [name, purge] of Object.entries({
      purgeOld: (db: Db) => purgeOldAnyAccount({ ...app.deps, db }, { mostMs: 300_000 }),
      purgeRecordings: (db: Db) => purgeRecordingsAnyAccount({ ...app.deps, db }),
    })) {
      await purge(db);
      const pages = await pagesOf(purge);
      // Which partitions there are stands in the catalog.
      assert.ok(pages < once + 20 * mostPages, `${name}: ${pages} pages, ${once} of them accounts`);
    }
  });
});
