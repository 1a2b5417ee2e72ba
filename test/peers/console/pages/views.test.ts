import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const count = 230;

describe('Views of a list in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    const contacts = Array.from({ length: count }, (_, index) => ({
      phone_number: `+44${7_700_100_000 + index}`,
      name: `${index % 2 === 0 ? 'Even' : 'Odd'} ${index}`,
    }));
    await stage.post('/v3/jobs/', { type: 'contacts.import', input: { contacts } });
    await until('all contacts', async () => (await stage.get('/v2/contacts/?page_size=1')).count === count);
  });
  after(() => stage?.close());

  const headingsOf = (page: Page) => page.getByRole('grid', { name: 'Contacts' }).getByRole('columnheader');
  const view = (page: Page) => page.getByRole('button', { name: 'View', exact: true });

  it('hides columns, also after a reload, and keeps one at least', async () => {
    const page = await stage.signedIn('/contacts');
    await view(page).click();
    for (const title of ['Attributes', 'Lists', 'Language'])
      await page.getByRole('checkbox', { name: title }).uncheck();
    await page.keyboard.press('Escape');
    assert.deepEqual(await headingsOf(page).allTextContents(), ['Select', 'Number', 'Name', 'Created']);
    await page.reload();
    await headingsOf(page).first().waitFor();
    assert.deepEqual(await headingsOf(page).allTextContents(), ['Select', 'Number', 'Name', 'Created']);
    await view(page).click();
    for (const title of ['Number', 'Name', 'Created'])
      await page.getByRole('checkbox', { name: title, exact: true }).click();
    assert.deepEqual(await headingsOf(page).allTextContents(), ['Select', 'Created']);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('saves filters under a name, and downloads what they show in the columns that are shown', async () => {
    const page = await stage.signedIn('/contacts?search=even');
    await page.getByText('115 rows', { exact: true }).waitFor();
    await view(page).click();
    await page.getByRole('textbox', { name: 'Name of the filters' }).fill('Even ones');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Even ones' }).waitFor();
    await page.getByRole('checkbox', { name: 'Attributes' }).uncheck();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'contacts.csv');
    const lines = (await readFile(await download.path(), 'utf8')).replace('\ufeff', '').trim().split('\r\n');
    assert.equal(lines[0], 'Number,Name,Lists,Language,Created');
    assert.equal(lines.length, 116);
    assert.ok(lines.slice(1).every((line) => /^'\+44\d+,Even \d+,0,/.test(line)));

    await page.goto(`${stage.url}/console/contacts`);
    await page.getByText('230 rows', { exact: true }).waitFor();
    await view(page).click();
    await page.getByRole('link', { name: 'Even ones' }).click();
    await page.getByText('115 rows', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '?search=even');
    await view(page).click();
    await page.getByRole('button', { name: 'Delete the saved filters Even ones' }).click();
    await page.getByRole('link', { name: 'Even ones' }).waitFor({ state: 'detached' });
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
