import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { purgeOldAnyAccount } from '../../src/upkeep/retention.ts';
import { startTestApp, type TestApp } from '../kit/app.ts';
import { findLeft, makeMonths, writeMessages, writeSms } from '../kit/postgres/old-rows.ts';

describe('Retention by kind of data', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ ROLES: 'api' }, { madeUpEvents: true });
  });
  after(() => app.close());

  it('is a number of days for each kind; others and nonsense are refused or ignored', async () => {
    const set = (retention: unknown) => app.call('PATCH', '/v2/account/', { retention });
    assert.deepEqual((await set({ messages: 30, recordings: 7 })).body.retention, { messages: 30, recordings: 7 });
    for (const wrong of [{ messages: 0 }, { sms: 5000 }, { calls: 'soon' }]) {
      const { status, body } = await set(wrong);
      assert.deepEqual([status, Object.keys(body)], [400, ['retention']], JSON.stringify(body));
    }
    assert.deepEqual((await set({ messages: 30 })).body.retention, { messages: 30 }, 'it replaces what was there');
  });

  it('removes each kind after its own time, and everything else after retention_days', async () => {
    const { db } = app.deps;
    await makeMonths(db);
    const messages = await writeMessages(db, app.accountId, 60, [{ status: 'DELIVERED' }]);
    const sms = await writeSms(db, app.accountId, 60, 'DELIVERED');
    await purgeOldAnyAccount(app.deps, { mostMs: 60_000 });
    assert.deepEqual(await findLeft(db, 'messages', messages), [false]);
    assert.deepEqual(await findLeft(db, 'sms', [sms]), [true]);
  });
});
