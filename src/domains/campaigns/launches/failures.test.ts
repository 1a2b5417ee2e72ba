import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/kit/app.ts';
import { newId } from '../../../platform/ids.ts';
import type { LogRow } from '../logs/queries.ts';
import { findTrouble } from './failures.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp({ ROLES: 'api' });
});
after(() => app.close());

/** What is said of a launch whose last 25 messages failed for a reason. */
async function troubleOf(channel: 'CHATAPP' | 'SMS', failure_code: string, status_description: string) {
  const campaign_log = newId();
  const rows = Array.from({ length: 25 }, () => ({
    account_id: app.accountId,
    uuid: newId(),
    campaign_log,
    status: 'FAILED',
    status_description,
    failure_code,
  }));
  if (channel === 'SMS') await app.deps.db.insertInto('sms_states').values(rows).execute();
  else {
    const chatapp_account = newId();
    const messages = rows.map((row) => ({ ...row, chatapp_account }));
    await app.deps.db.insertInto('message_states').values(messages).execute();
  }
  const log = { account_id: app.accountId, uuid: campaign_log, snapshot: { channel }, resumed_after: null };
  return findTrouble(app.deps.db, log as unknown as LogRow, new Map([['failed', 25]]));
}

for (const channel of ['CHATAPP', 'SMS'] as const) {
  describe(`A launch by ${channel}`, () => {
    it('is in trouble when the last messages failed, whatever words the carrier has for it', async () => {
      const words = 'Refused: the list recipient_opted_out is closed. (code 131)';
      assert.match((await troubleOf(channel, '131', words)) ?? '', /^The last 25 messages failed, .*131/);
    });

    it('is in no trouble when people opted out, whatever words we have for it', async () => {
      assert.equal(await troubleOf(channel, 'recipient_opted_out', 'They do not want it.'), undefined);
    });
  });
}
