// What looks for due work reads: what waits, and nothing of those for whom nothing does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { findWaitingAnyAccount as findWaitingSessions } from '../../src/domains/intros/sessions/queries.ts';
import { findWaitingAnyAccount as findWaitingMessages } from '../../src/domains/messages/deliver/queue.ts';
import { findWaitingAnyAccount as findWaitingSms } from '../../src/domains/sms/deliver/queue.ts';
import { linkLeases } from '../../src/domains/sms/links/hold.ts';
import { findOwnedAnyAccount } from '../../src/domains/sms/links/queries.ts';
import { type Db, makeDb, makePool } from '../../src/platform/db/connect/pool.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

const idleAccounts = 5_000;
/** Less than any table with a row for each idle account has; more than what a look reads for one that waits. */
const mostPages = 100;

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
  await sql`
    with tenant as (
      insert into accounts (uuid, name) select uuidv7(), 'Idle ' || n from generate_series(1, ${idleAccounts}::int) as n
      returning uuid
    ), sender as (
      insert into chatapp_accounts (account_id, uuid, chatapp_number, digits, carrier)
      select uuid, uuidv7(), '+447700900001', '447700900001', 'sandbox' from tenant
    )
    insert into sms_links (account_id, uuid, name, carrier, settings) select uuid, uuidv7(), 'Link', 'sandbox', '{}' from tenant`.execute(
    app.deps.db,
  );
  await sql`analyze accounts, chatapp_accounts, sms_links, message_states, sms_states, intro_sessions`.execute(
    app.deps.db,
  );
});
after(() => app.close());

/** The pages that the statements of a look read. Nothing waits, so that they can be run twice. */
async function pagesOf(look: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0;
  const pool = makePool(app.connection, app.deps.log, { size: 1 });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (statement: string, values?: unknown[]) => Promise<pg.QueryResult>;
    const counted = async (statement: string, values?: unknown[]): Promise<pg.QueryResult> => {
      if (!/^(begin|commit|rollback)/.test(statement)) {
        const { rows } = await query(`explain (analyze, buffers, format json) ${statement}`, values);
        const { Plan: plan } = rows[0]['QUERY PLAN'][0];
        pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      }
      return query(statement, values);
    };
    Object.assign(client, { query: counted });
  });
  const db = makeDb(pool);
  await look(db).finally(() => db.destroy());
  return pages;
}

const leasesIn = (db: Db) =>
  linkLeases(db, { carriers: app.deps.carriers, workerNumber: app.deps.listener.workerNumber });
const takeLinks = async (db: Db) => [...(await leasesIn(db).take())];
const giveLinksBack = async (db: Db) => {
  await leasesIn(db).giveBack('unwanted');
  return findOwnedAnyAccount(db, app.deps.listener.workerNumber);
};

const looks = { findWaitingMessages, findWaitingSms, findWaitingSessions, takeLinks, giveLinksBack };

describe(`beside ${idleAccounts} accounts for which nothing waits`, () => {
  for (const [name, look] of Object.entries(looks)) {
    it(`${name} reads nothing of theirs, and names none`, async () => {
      assert.deepEqual(await look(app.deps.db), []);
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
  });
});
