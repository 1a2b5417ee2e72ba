import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../kit/until.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

describe('The accounts of the server, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  before(async () => {
    stage = await openOwnStage();
  });
  after(() => stage?.close());
  let token: string;
  const as = (secret: string) =>
    fetch(`${stage.url}/v2/account/`, { headers: { authorization: `Token ${secret}` } }).then(({ status }) => status);

  it('are made, limited, given a token that is shown once, suspended and resumed', async () => {
    const page = await stage.signedIn('/settings/account');
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('link', { name: 'New account' }).first().click();
    await page.getByLabel('Name').fill('Orchard Homes');
    await page.getByLabel('Requests per minute').fill('600');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Orchard Homes' }).waitFor();
    await page.getByRole('button', { name: 'Make a token' }).click();
    token = await page.locator('[data-secret]').innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    assert.equal(await as(token), 200);

    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.equal(await as(token), 403);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    assert.equal(await as(token), 200);
    const { results } = await stage.get('/v2/accounts/?name=Orchard+Homes');
    assert.deepEqual(results[0].limits, { requests_per_minute: 600 });
    assert.deepEqual(stage.problems, []);
  });

  it('are not offered to others', async () => {
    const page = await stage.open();
    const headers = { 'x-requested-with': 'parley-console' };
    const signed = await page.request.post(`${stage.url}/v2/auth/session/`, { data: { token }, headers });
    assert.ok(signed.ok(), await signed.text());
    await page.goto(`${stage.url}/console/settings/sms-senders`);
    await page.getByRole('link', { name: 'SMS senders' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Accounts', exact: true }).count(), 0);
  });

  it('are deleted when somebody writes their name', async () => {
    const page = await stage.signedIn('/settings/tenants');
    // The link of the row lies over its cells.
    await page.getByText('Orchard Homes').click({ force: true });
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Delete for good' });
    await dialog.getByLabel('Name of the account').fill('Orchard');
    assert.ok(await button.isDisabled());
    await dialog.getByLabel('Name of the account').fill('Orchard Homes');
    await button.click();
    await page.getByText('Deletion of an account').first().waitFor();
    await until('the account is gone', async () => (await as(token)) === 401);
  });
});
