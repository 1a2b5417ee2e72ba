import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { rowsInSight, scrollTop, windowTop } from '../in-page.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const count = 450;
const deep = 320;
const phone = { viewport: { width: 390, height: 700 } };
const sender = '+447700900001';

describe('Back in the console', { skip, timeout: 1_800_000 }, () => {
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
  /** Empty while its page is on its way, or when it is not in sight. */
  const nameAt = async (page: Page, index: number): Promise<string> =>
    (await rowAt(page, index).getByRole('gridcell').nth(2).allTextContents())[0] ?? '';
  const scrollerOf = (page: Page) => gridOf(page).locator('xpath=..');
  const topOf = (scroller: Locator): Promise<number> => scroller.evaluate(scrollTop);

  /** Turns the wheel over the list until this row can be pressed, however many pages that takes. */
  async function wheelTo(page: Page, index: number): Promise<void> {
    await scrollerOf(page).hover();
    await until(`row ${index}`, async () => {
      if ((await nameAt(page, index)) !== '') return true;
      const [first, last] = await gridOf(page).evaluate(rowsInSight);
      // A busy browser may turn past it at once.
      if (index + 2 > last) await page.mouse.wheel(0, 900);
      if (index + 2 < first) await page.mouse.wheel(0, -900);
      return false;
    });
    await rowAt(page, index).scrollIntoViewIfNeeded();
  }

  /** Opens a row far down and gives its name and where it stood. */
  async function leaveFrom(page: Page): Promise<{ name: string; y: number }> {
    await wheelTo(page, deep);
    const name = await nameAt(page, deep);
    await rowAt(page, deep).hover();
    const y = await placeOf(gridOf(page).getByText(name, { exact: true }));
    await rowAt(page, deep).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    return { name, y };
  }

  const placeOf = async (row: Locator): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1);

  async function isThere(page: Page, { name, y }: { name: string; y: number }): Promise<void> {
    const row = gridOf(page).getByText(name, { exact: true });
    await row.waitFor();
    await until(
      `${name} at ${y}`,
      () => placeOf(row),
      (now) => now === y,
    );
  }

  for (const place of ['/contacts', '/contacts?search=person']) {
    it(`finds ${place} where it was left`, async () => {
      const page = await stage.signedIn(place);
      const left = await leaveFrom(page);
      await page.goBack();
      await isThere(page, left);
      // Forward and back once more, and after a reload.
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: left.name, exact: true }).waitFor();
      await page.goBack();
      await isThere(page, left);
      await page.reload();
      await isThere(page, left);
      await page.context().close();
      assert.deepEqual(stage.problems, []);
    });
  }

  it('finds the row in its place when others have come above it meanwhile', async () => {
    const page = await stage.signedIn('/contacts');
    const left = await leaveFrom(page);
    for (const last of [1, 2, 3])
      await stage.post('/v2/contacts/', { phone_number: `+44770020000${last}`, name: `Newcomer ${last}` });
    await page.goBack();
    await isThere(page, left);
    // Who comes by a link begins at the top.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click();
    await rowAt(page, 0).waitFor();
    assert.equal(await topOf(scrollerOf(page)), 0);
    // And finds the list as it is now, however short ago it was read.
    await gridOf(page).getByText('Newcomer 3', { exact: true }).waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('finds the page where it was on a phone, where it scrolls as well as the list', async () => {
    const page = await stage.signedIn('/contacts', phone);
    await gridOf(page).waitFor();
    await page.mouse.move(195, 90);
    await page.mouse.wheel(0, 2_000);
    await until('the page to scroll', async () => (await page.evaluate(windowTop)) > 0);
    const left = await leaveFrom(page);
    assert.equal(await page.evaluate(windowTop), 0);
    await page.goBack();
    await isThere(page, left);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('finds the conversations where they were on a phone', async () => {
    await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: sender });
    for (let index = 0; index < 25; index++) {
      const from = `+44${7_700_100_000 + index}`;
      await stage.post('/v2/sandbox/chatapp/messages/', {
        from,
        to: sender,
        type: 'TEXT',
        text: { body: `No ${index}` },
      });
    }
    await until('all of them', async () => (await stage.get('/v2/chatapp/conversations/')).count === 25);
    const page = await stage.signedIn('/conversations', phone);
    const rows = page.getByRole('region', { name: 'List of conversations' }).getByRole('list').locator('xpath=..');
    const last = rows.getByRole('link', { name: 'Person 0' });
    await rows.getByRole('link', { name: 'Person 24' }).hover();
    await until('the last', async () => {
      if ((await last.count()) > 0) return true;
      await page.mouse.wheel(0, 300);
      return false;
    });
    await last.scrollIntoViewIfNeeded();
    const top = await topOf(rows);
    assert.ok(top > 0);
    await last.click();
    await page.getByRole('region', { name: 'Conversation with Person 0' }).waitFor();
    await page.goBack();
    await last.waitFor();
    await until(
      'the place of before',
      () => topOf(rows),
      (now) => now === top,
    );
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
