// An import whose refused rows come back as a file.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('An import with bad rows, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('counts repeated rows, and gives refused ones back whole with the reason', async () => {
    const page = await stage.signedIn('/contacts/upload');
    const text = 'phone,name,city\n+447700900401,Ana,London\nnobody,Bob,Leeds\n+447700900401,Ana S.,Bath\n';
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('Repeated in the file').waitFor();
    await page.getByRole('button', { name: 'Import 1 contacts' }).click();
    await page.getByText('Repeated', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download rejected rows' }).click(),
    ]);
    assert.equal(
      await readFile(await download.path(), 'utf8'),
      'phone,name,city,refusal_reason\r\nnobody,Bob,Leeds,phone_number: Enter a valid phone number.\r\n',
    );
    const [contact] = (await stage.get('/v2/contacts/?phone_number=447700900401')).results;
    assert.deepEqual([contact.name, contact.attributes], ['Ana S.', { city: 'Bath' }]);
  });

  it('nothing went wrong on any page', () => assert.deepEqual(stage.problems, []));
});
