import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { back } from '../in-page.ts';
import { openStage, type Stage, skip } from '../stage.ts';

describe('Changes that are not saved, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('are asked about before Back of the browser leaves them', async () => {
    const page = await stage.signedIn('/contacts');
    await page.getByRole('link', { name: 'New contact' }).first().click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Ana');
    await page.evaluate(back);
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/console/contacts/new');
    assert.equal(await name.inputValue(), 'Ana');
    // A browser lets a page hold somebody back only after they did something there.
    await name.press('End');
    await page.evaluate(back);
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${stage.url}/console/contacts`);
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
