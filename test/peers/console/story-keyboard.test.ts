// Without a mouse: only keys are pressed here.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../kit/until.ts';
import { hasFocus, isFocused } from './in-page.ts';
import { openStage, type Stage, skip } from './stage.ts';

/** Presses a key until something has the focus, as somebody does who sees where it goes. */
async function pressTo(page: Page, target: Locator, key = 'Tab', most = 150): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; !(await target.evaluate(isFocused)); pressed++) {
    assert.ok(pressed < most, `${key} does not lead to ${target}`);
    await page.keyboard.press(key);
  }
}

describe('The console by keyboard', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('gives the focus back to the button of the menu when a dialog of the menu is closed', async () => {
    const { uuid } = await stage.post('/v2/lists/', { name: 'Viewings' });
    const page = await stage.signedIn(`/lists/${uuid}`);
    const more = page.getByRole('button', { name: 'More' });
    await pressTo(page, more);
    for (const item of ['Rename', 'Delete']) {
      await page.keyboard.press('Enter');
      await pressTo(page, page.getByRole('menuitem', { name: item }), 'ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      // A dialog is closed by its key once the focus is in it.
      await until(`the focus is in the dialog of ${item}`, () => page.getByRole('dialog').evaluate(hasFocus));
      await page.keyboard.press('Escape');
      await until(`the focus is back after ${item}`, () => more.evaluate(isFocused));
    }
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
