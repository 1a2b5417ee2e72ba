// Whoever covers tracks may shorten how long an account keeps things: the audit log stays for as long as the operator says.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { maintenanceTasks } from '../../src/upkeep/retention.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api', AUDIT_RETENTION_DAYS: '30' });
});
after(() => app.close());

it('an account that keeps things for a day keeps its audit log for AUDIT_RETENTION_DAYS', async () => {
  const { db } = app.deps;
  for (const name of ['First', 'Second', 'Third']) await app.call('PATCH', '/v2/account/', { name });
  const { rows } = await sql<{ uuid: string }>`
    select uuid from audit_log where account_id = ${app.accountId} and operation = 'updateAccount' order by uuid`.execute(
    db,
  );
  assert.equal(rows.length, 3);
  for (const [index, days] of [40, 20].entries()) {
    const at = new Date(Date.now() - days * 86_400_000).toISOString();
    await sql`update audit_log set uuid = uuid_floor(${at}::timestamptz), created = ${at}
      where account_id = ${app.accountId} and uuid = ${rows[index]!.uuid}`.execute(db);
  }
  assert.equal((await app.call('PATCH', '/v2/account/', { retention_days: 1 })).status, 200);
  const maintain = maintenanceTasks.find(({ name }) => name === 'platform.maintain')!;
  await maintain.handler(app.deps, []);
  const left = (await app.call('GET', '/v2/audit-log/?operation=updateAccount')).body.results as { created: string }[];
  const ages = left.map(({ created }) => Math.round((Date.now() - Date.parse(created)) / 86_400_000));
  assert.deepEqual(
    ages.toSorted((a, b) => a - b),
    [0, 0, 20],
  );
});
