import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('Privacy settings in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('encrypt, redact, log reads, and keep kinds of data for days of their own', async () => {
    const page = await stage.signedIn('/settings/account');
    for (const label of ['Encrypt content', 'Redact webhooks and events', 'Log who reads content'])
      await page.getByRole('switch', { name: label }).click();
    await page.getByLabel('Recordings and voicemail').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const account = await stage.get('/v2/account/');
    assert.deepEqual(
      [account.encrypt_content, account.redact_content, account.audit_reads, account.retention],
      [true, true, true, { recordings: 30 }],
    );
    await page.getByText(/Encrypting existing content|Existing content is encrypted\./).waitFor();
    // The pass begins when every process knows of it; the page follows by itself.
    await page.getByText('Existing content is encrypted.').waitFor({ timeout: 240_000 });
    const { status, remaining } = (await stage.get('/v2/account/')).content_encryption;
    assert.deepEqual([status, remaining], ['ENCRYPTED', 0]);
    await page.reload();
    await page.getByLabel('Recordings and voicemail').fill('');
    await page.getByRole('switch', { name: 'Redact webhooks and events' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const again = await stage.get('/v2/account/');
    assert.deepEqual([again.encrypt_content, again.redact_content, again.retention], [true, false, {}]);
    assert.deepEqual(stage.problems, []);
  });
});
