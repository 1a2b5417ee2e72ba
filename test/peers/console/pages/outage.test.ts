import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

const sender = '+447700900001';

describe('An outage, seen from the console', { skip, timeout: 1_800_000 }, () => {
  let stage: OwnStage;
  before(async () => {
    stage = await openOwnStage();
    await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: sender });
    await stage.post('/v2/contacts/', { phone_number: '+447700100001', name: 'Early Bird' });
    await stage.post('/v2/lists/', { name: 'Early list' });
  });
  after(() => stage?.close());

  it('ends by itself on every page: what came since is shown without a reload', async () => {
    const contacts = await stage.signedIn('/contacts');
    const lists = await stage.signedIn('/lists');
    const calls = await stage.signedIn('/calls');
    await contacts.getByText('Early Bird', { exact: true }).waitFor();
    await lists.getByText('Early list', { exact: true }).waitFor();
    await calls.getByText('No calls yet.').waitFor();
    for (const page of [contacts, lists, calls]) await page.getByRole('status', { name: /^Live/ }).waitFor();

    await stage.stop();
    for (const page of [contacts, lists, calls]) await page.getByRole('status', { name: /^Offline/ }).waitFor();
    // Who goes to a page meanwhile is told that the server is away.
    await calls.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Opt-outs' }).click();
    await calls.getByText('Cannot reach the server.').waitFor();

    await stage.restart();
    await stage.post('/v2/contacts/', { phone_number: '+447700100002', name: 'Late Riser' });
    await stage.post('/v2/lists/', { name: 'Late list' });
    await contacts.getByText('Late Riser', { exact: true }).waitFor();
    await lists.getByText('Late list', { exact: true }).waitFor();
    await calls.getByText('No opt-outs yet.').waitFor();
    for (const page of [contacts, lists, calls]) {
      await page.getByRole('status', { name: /^Live/ }).waitFor();
      await page.context().close();
    }
    assert.deepEqual(
      stage.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED')),
      [],
    );
  });
});
