import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

describe('One person, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  const number = '+447700900123';
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/contacts/', { phone_number: number, name: 'Ana' });
    await stage.post('/v2/send-sms/', { from: 'Parley', to: number, text: 'Your table is ready' });
  });
  after(() => stage?.close());

  it('is found in any notation, shown, exported, and erased by somebody who writes the number', async () => {
    const page = await stage.signedIn('/people');
    await page.getByLabel('Phone number').fill('07700 900123');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('heading', { name: 'Ana' }).waitFor();
    await page.getByText('Your table is ready').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'person-447700900123.jsonl');

    await page.getByRole('button', { name: 'Erase' }).click();
    const dialog = page.getByRole('dialog');
    const button = dialog.getByRole('button', { name: 'Erase permanently' });
    await dialog.getByLabel('Number of the person').fill('+447700900124');
    assert.ok(await button.isDisabled());
    await dialog.getByLabel('Number of the person').fill('+44 7700 900123');
    await button.click();
    await page.getByText('Erasure of a person').first().waitFor();
    await until('nothing is known any more', async () => {
      const { counts } = await stage.get(`/v2/people/${number}/`);
      return Object.values(counts).every((count) => count === 0);
    });
    assert.deepEqual(stage.problems, []);
  });
});
