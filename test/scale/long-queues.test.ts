// What looks for due work reads where queues are long, or full of what comes later: as much as it takes, and not the rest.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { moveClock } from '../../src/carriers/sandbox/clock.ts';
import { hasPendingAnyAccount, keepTaken, lockDueAnyAccount } from '../../src/carriers/sandbox/queries.ts';
import { findHeldDue } from '../../src/domains/campaigns/audience/queries.ts';
import { findOpenAnyAccount, somethingText } from '../../src/domains/campaigns/logs/queries.ts';
import {
  claimDue as claimMessages,
  findWaitingAnyAccount as findWaitingMessages,
  type Sender,
} from '../../src/domains/messages/deliver/queue.ts';
import { claimDue as claimSms, findWaitingAnyAccount as findWaitingSms } from '../../src/domains/sms/deliver/queue.ts';
import { readTurnedAnyAccount } from '../../src/platform/content/follow.ts';
import type { Db } from '../../src/platform/db/connect/pool.ts';
import { newId } from '../../src/platform/ids.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { onlyPlain } from '../kit/database.ts';
import { addIdleAccountsText } from '../kit/postgres/idle-accounts.ts';
import { countPages } from '../kit/postgres/pages.ts';

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
const findOpenLaunches = (db: Db) => findOpenAnyAccount(db, new Date(), undefined);

describe('of one account with 30,000 messages in a queue, beside many that sent one or two', onlyPlain, () => {
  const long = 30_000;
  const most = 50;
  /** For those that are claimed: their rows, and their places in several indexes. To read the whole queue takes a thousand or more. */
  const mostClaimed = 800;
  const ofIdle = sql`join accounts on accounts.uuid = account_id where accounts.name like 'Idle %'`;
  let sender: Sender;
  let link: { account_id: string; uuid: string };
  const launch = newId();
  before(async () => {
    const { db } = app.deps;
    const { accountId } = app;
    const senders = await sql<Sender>`
      insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier, messages_per_second, rate_tokens)
      values (${accountId}, uuidv7(), '+447700900009', '447700900009', 'sandbox', 100000, 100000)
      returning account_id, uuid, carrier`.execute(db);
    sender = senders.rows[0]!;
    const links = await sql<{ account_id: string; uuid: string }>`
      insert into sms_links (account_id, uuid, name, carrier, messages_per_second, rate_tokens)
      values (${accountId}, uuidv7(), 'Long', 'sandbox', 100000, 100000) returning account_id, uuid`.execute(db);
    link = links.rows[0]!;
    await sql`
      insert into message_states (account_id, uuid, chatapp_account, status)
      select account_id, uuidv7(), sender.uuid, 'READ' from chatapp_accounts as sender ${ofIdle}`.execute(db);
    await sql`
      insert into sms_states (account_id, uuid, status)
      select account_id, uuidv7(), 'DELIVERED' from sms_links ${ofIdle}`.execute(db);
    await sql`
      insert into campaign_recipients (account_id, campaign_log, digits, contact, state, due_at)
      select account_id, uuidv7(), '447700900001', uuidv7(), 'HELD', now() + interval '1 hour' from sms_links ${ofIdle}`.execute(
      db,
    );
    const numbers = sql`generate_series(1, ${sql.lit(long)}) as n`;
    await sql`
      insert into message_states (account_id, uuid, chatapp_account, status, ready)
      select ${accountId}, uuidv7(), ${sender.uuid}, 'QUEUED', true from ${numbers}`.execute(db);
    await sql`
      insert into sms_states (account_id, uuid, status, ready)
      select ${accountId}, uuidv7(), 'QUEUED', true from ${numbers}`.execute(db);
    await sql`
      insert into campaign_recipients (account_id, campaign_log, digits, contact, state, due_at)
      select ${accountId}, ${launch}, '4477' || n, uuidv7(), 'HELD', now() from ${numbers}`.execute(db);
    await sql`analyze`.execute(db);
  });

  const looks = {
    findWaitingMessages,
    findWaitingSms,
    claimMessages: (db: Db) => claimMessages(db, sender, { workerNumber: 1, claim: 999_999, now: new Date(), most }),
    claimSms: (db: Db) => claimSms(db, link, { workerNumber: 1, claim: 999_999, now: new Date(), most }),
    findHeldDue: (db: Db) => findHeldDue(db, { account_id: app.accountId, uuid: launch }, new Date(), most),
  };
  for (const [name, look] of Object.entries(looks)) {
    it(`${name} reads the first of them, as many as it takes`, async () => {
      const pages = await pagesOf(look);
      assert.ok(pages < (name.startsWith('claim') ? mostClaimed : 2 * mostPages), `${pages} pages`);
    });
  }

  it('all of them find some', async () => {
    for (const look of [findWaitingMessages, findWaitingSms]) {
      assert.ok((await look(app.deps.db)).some(({ account_id }) => account_id === app.accountId));
    }
    assert.equal((await looks.claimMessages(app.deps.db)).length, 0, 'of messages only their states are there');
    assert.equal((await looks.findHeldDue(app.deps.db)).length, most);
    const { rows } = await sql<{ claimed: number }>`
      select count(*)::int as claimed from message_states where claim = 999999`.execute(app.deps.db);
    assert.ok(rows[0]!.claimed >= most, `${rows[0]!.claimed} claimed`);
  });
});

describe(
  `beside ${idleAccounts} accounts with launches that sleep, receipts that come in an hour, and encrypted content`,
  onlyPlain,
  () => {
    const hourMs = 3_600_000;
    const reply = {
      accountId: '',
      uuid: newId(),
      senderNumber: '+447700900001',
      toNumber: '+447700909020',
      type: 'TEXT',
    };
    before(async () => {
      const { db, log } = app.deps;
      const { accountId } = app;
      const idle = await sql<{ uuid: string }>`select uuid from accounts where name like 'Idle %'`.execute(db);
      await sql`
      insert into campaign_logs (account_id, uuid, campaign, status, snapshot, start_at, wakes_at)
      select accounts.uuid, uuidv7(), uuidv7(), launch.status, '{}', now() + interval '1 day', now() + interval '1 day'
      from accounts cross join (values ('SCHEDULED'), ('RUNNING')) as launch (status) where name like 'Idle %'`.execute(
        db,
      );
      // Their clocks are an hour ahead.
      const taken = idle.rows.map(({ uuid }) => ({
        message: { ...reply, accountId: uuid, uuid: newId(), content: {} },
        id: newId(),
        dueAt: new Date(Date.now() + 2 * hourMs),
      }));
      assert.ok(await keepTaken(db, log, taken));
      await moveClock(db, accountId, { speed: 2 });
      const fast = { message: { ...reply, accountId, content: {} }, id: newId(), dueAt: new Date(Date.now() + hourMs) };
      assert.ok(await keepTaken(db, log, [fast]));
      await sql`
      insert into content_passes (account_id, encrypt, turned, finished)
      select uuid, true, now() - interval '1 month', now() from accounts where name like 'Idle %'`.execute(db);
      await sql`analyze`.execute(db);
    });

    const isAnythingUp = async (db: Db) =>
      (await sql<{ is: boolean }>`select ${sql.raw(somethingText)} as is`.execute(db)).rows.filter(({ is }) => is);
    for (const [name, look] of Object.entries({ findOpenLaunches, isAnythingUp, readTurnedAnyAccount })) {
      it(`${name} reads nothing of theirs`, async () => {
        assert.deepEqual(await look(app.deps.db), []);
        const pages = await pagesOf(look);
        assert.ok(pages < mostPages, `${pages} pages`);
      });
    }

    it('receipts are found as soon as a fast clock is there, without those of others', async () => {
      const then = new Date(Date.now() + (hourMs * 31) / 60);
      const look = (db: Db) => lockDueAnyAccount(db, then, 10 * 366 * dayMs, 1000);
      const found = await look(app.deps.db);
      assert.deepEqual(
        found.map(({ account_id, message }) => [account_id, message]),
        [[app.accountId, reply.uuid]],
      );
      for (const one of [look, hasPendingAnyAccount]) {
        const pages = await pagesOf(one);
        assert.ok(pages < mostPages, `${one.name}: ${pages} pages`);
      }
      assert.equal(await hasPendingAnyAccount(app.deps.db), false);
      await moveClock(app.deps.db, app.accountId, { speed: 0 });
      assert.deepEqual(await look(app.deps.db), []);
    });
  },
);
