import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const count = 250;

describe('A list in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    const contacts = Array.from({ length: count }, (_, index) => ({
      phone_number: `+44${7_700_100_000 + index}`,
      name: `Person ${index}`,
    }));
    await stage.post('/v3/jobs/', { type: 'contacts.import', input: { contacts } });
    await until('all contacts', async () => (await stage.get('/v2/contacts/?page_size=1')).count === count);
  });
  after(() => stage?.close());

  const gridOf = (page: Page) => page.getByRole('grid', { name: 'Contacts' });
  const rowAt = (page: Page, index: number) => gridOf(page).locator(`[role=row][aria-rowindex="${index + 2}"]`);
  /** Without the last cell, which says how long ago it was. */
  const textAt = async (page: Page, index: number) =>
    (await rowAt(page, index).getByRole('gridcell').allTextContents()).slice(0, -1).join(' ');

  it('opens a row in a tab by ctrl and click, and in its own by a click', async () => {
    const page = await stage.signedIn('/contacts');
    const row = rowAt(page, 0);
    const link = row.getByRole('link').first();
    const address = await link.getAttribute('href');
    assert.match(address ?? '', /^\/console\/contacts\/[0-9a-f-]{36}$/);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), row.click({ modifiers: ['ControlOrMeta'] })]);
    await tab.waitForURL(`${stage.url}${address}`);
    assert.equal(new URL(page.url()).pathname, '/console/contacts');
    await tab.close();
    await row.click();
    await page.waitForURL(`${stage.url}${address}`);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('holds still under the pointer, and shows what is new when it is asked to', async () => {
    const page = await stage.signedIn('/contacts');
    await rowAt(page, 2).hover();
    const before = await textAt(page, 2);
    for (const [phone_number, name] of [
      ['+447700200001', 'Newcomer One'],
      ['+447700200002', 'Newcomer Two'],
    ]) {
      await stage.post('/v2/contacts/', { phone_number, name });
    }
    const button = page.getByRole('button', { name: '2 new' });
    await button.waitFor();
    assert.equal(await textAt(page, 2), before);
    await button.click();
    await gridOf(page).getByText('Newcomer Two').waitFor();
    assert.match(await textAt(page, 0), /Newcomer Two/);
    assert.equal(await textAt(page, 4), before);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
