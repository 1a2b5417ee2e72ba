// What looks for due work reads: what waits, and nothing of those for whom nothing does.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { findWaitingAnyAccount as findWaitingSessions } from '../../src/domains/intros/sessions/queries.ts';
import { findWaitingAnyAccount as findWaitingMessages } from '../../src/domains/messages/deliver/queue.ts';
import { findWaitingAnyAccount as findWaitingSms } from '../../src/domains/sms/deliver/queue.ts';
import type { Db } from '../../src/platform/db/connect/pool.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

const idleAccounts = 5_000;
/** A page for each idle account would be more; what a look reads for one that waits is less. */
const mostPages = 500;

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

/** The pages that a look reads; the statement is taken from what it sends. */
async function pagesOf(look: (db: Db) => Promise<unknown>): Promise<number> {
  let statement: string | undefined;
  const spy = {
    executeQuery: async (query: CompiledQuery) => {
      statement = query.sql;
      return { rows: [] };
    },
  };
  await look(spy as unknown as Db);
  const { rows } = await app.deps.db.executeQuery<Record<string, [{ Plan: Record<string, number> }]>>(
    CompiledQuery.raw(`explain (analyze, buffers, format json) ${statement}`),
  );
  const { Plan: plan } = rows[0]!['QUERY PLAN']![0];
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

const looks = { findWaitingMessages, findWaitingSms, findWaitingSessions };

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
