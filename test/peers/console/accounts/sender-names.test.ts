import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { newId } from '../../../../src/platform/ids.ts';
import { newToken, tokenHash } from '../../../../src/platform/secrets.ts';
import { until } from '../../../kit/until.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

describe('Names that accounts want to send SMS from, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  /** Of an account that does not run the server. */
  const tenant = newToken();
  before(async () => {
    stage = await openOwnStage();
    const client = new pg.Client(stage.database.connection);
    await client.connect();
    const account = newId();
    await client.query(`insert into accounts (uuid, name) values ($1, 'Orchard Homes')`, [account]);
    await client.query(
      `insert into tokens (account_id, uuid, name, hash, scopes) values ($1, $2, 'test', $3, '{read,write}')`,
      [account, newId(), tokenHash(tenant)],
    );
    await client.end();
    // With a real link, names are looked at.
    await asTenant('POST', '/v2/sms-links/', {
      name: 'Link',
      host: '127.0.0.1',
      port: 2775,
      system_id: 'a',
      password: 'b',
      enabled: false,
    });
    for (const sender of ['Orchard', 'MyBank']) await asTenant('POST', '/v2/sms-senders/', { sender });
  });
  after(() => stage?.close());

  async function asTenant(method: string, place: string, body?: object) {
    const answer = await fetch(stage.url + place, {
      method,
      headers: { authorization: `Token ${tenant}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${place}: ${answer.status}`);
    return answer.json();
  }
  const states = async (): Promise<Record<string, [string, string | null]>> => {
    const page = (await asTenant('GET', '/v2/sms-senders/')) as {
      results: { sender: string; status: string; reason: string | null }[];
    };
    return Object.fromEntries(page.results.map(({ sender, status, reason }) => [sender, [status, reason]]));
  };

  it('are approved, or rejected with a reason that the account reads, and can be decided anew', async () => {
    const page = await stage.signedIn('/settings/account');
    await page.getByRole('link', { name: 'Sender names' }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('Orchard Homes').first().waitFor();
    await page.getByRole('button', { name: 'Approve Orchard' }).click();
    await page.getByRole('button', { name: 'Approve Orchard' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Reject MyBank' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('It is the name of a bank.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No name waits for approval.').waitFor();
    assert.deepEqual(await states(), {
      Orchard: ['APPROVED', null],
      MyBank: ['REJECTED', 'It is the name of a bank.'],
    });

    await page.goto(`${stage.url}/console/settings/sender-names?status=REJECTED`);
    await page.getByRole('button', { name: 'Approve MyBank' }).click();
    await until('it is approved after all', async () => (await states())['MyBank']?.[0] === 'APPROVED');
    assert.deepEqual(stage.problems, []);
  });

  it('are not offered to those who do not run the server; who goes there is told why it is empty', async () => {
    const page = await stage.open();
    const headers = { 'x-requested-with': 'parley-console' };
    const signed = await page.request.post(`${stage.url}/v2/auth/session/`, { data: { token: tenant }, headers });
    assert.ok(signed.ok(), await signed.text());
    await page.goto(`${stage.url}/console/settings/sms-senders`);
    await page.getByRole('link', { name: 'SMS senders' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Sender names' }).count(), 0);
    await page.goto(`${stage.url}/console/settings/sender-names`);
    await page
      .getByText(/^You may not /)
      .first()
      .waitFor();
  });
});
