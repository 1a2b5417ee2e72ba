import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Smsc, startSmsc } from '../../../../simulators/smsc/index.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

describe('From the sandbox to real carriers in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  let smsc: Smsc;
  before(async () => {
    smsc = await startSmsc({ settings: { receiptAfterMs: 20 } });
    stage = await openOwnStage();
  });
  after(async () => {
    await stage?.close();
    await smsc?.close();
  });

  it('shows what to connect, follows what was done, and is gone when the account is live', async () => {
    const page = await stage.signedIn('/');
    const card = page.getByRole('region', { name: 'Going live' });
    const now = card.locator('[aria-current=step]');
    await now.getByRole('heading', { name: 'Connect' }).waitFor();
    await card.getByRole('link', { name: 'SMS link' }).click();
    await page.getByRole('heading', { level: 1, name: 'New SMS link' }).waitFor();

    await stage.post('/v2/sms-senders/', { sender: 'Parley' });
    const { host, port } = smsc;
    await stage.post('/v2/sms-links/', { name: 'Centre', host, port, system_id: 'parley', password: 'parley' });
    await page.goto(`${stage.url}/console/`);
    await card.getByRole('heading', { name: 'Connect, done' }).waitFor();
    await card.getByRole('link', { name: 'Leave the sandbox, done' }).waitFor();
    await card.getByRole('link', { name: 'A number of your own' }).waitFor();
    await card.getByRole('link', { name: 'SMS', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'SMS' }).waitFor();

    await stage.post('/v2/send-sms/', { from: 'Parley', to: '+447700900123', text: 'Hello, me' });
    await page.getByRole('grid', { name: 'SMS' }).getByText('Delivered').waitFor();
    const answered = page.waitForResponse('**/v2/account/go-live/');
    await page.goto(`${stage.url}/console/`);
    assert.equal((await (await answered).json()).live, true);
    await page.getByRole('region', { name: 'SMS by status' }).waitFor();
    await card.waitFor({ state: 'detached' });
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('can be hidden and shown again, and sends nobody where they may not go', async () => {
    const { uuid } = (await stage.get('/v2/sms-links/')).results.find(
      ({ name }: { name: string }) => name === 'Centre',
    );
    const gone = await fetch(`${stage.url}/v2/sms-links/${uuid}/`, {
      method: 'DELETE',
      headers: { authorization: `Token ${stage.token}` },
    });
    assert.equal(gone.status, 204);
    const { token } = await stage.post('/v2/auth/tokens/', {
      name: 'SMS',
      scopes: ['account:read', 'sms:write', 'sms:read'],
    });
    const page = await stage.signedIn('/', {}, token);
    const card = page.getByRole('region', { name: 'Going live' });
    await card.getByRole('link', { name: 'SMS link' }).waitFor();
    assert.equal(await card.getByRole('link', { name: 'WhatsApp sender' }).count(), 0);
    await card.getByRole('button', { name: 'Hide Going live' }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    // By its key: what stands above is still being loaded, and moves it away below a pointer.
    await page.getByRole('button', { name: 'Show Going live' }).press('Enter');
    await card.waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
