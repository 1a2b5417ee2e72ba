import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { greeting } from '../../../kit/speech/sounds.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const [caller, callee] = ['Lena Brook', 'Sam Okoro'];

describe('A number and a call, in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('a number is bought and configured, rings on the phone of the screen, and the call is on record', async () => {
    const page = await stage.signedIn('/numbers');
    await page.getByRole('link', { name: 'Buy a number' }).first().click();
    await page
      .getByRole('button', { name: /^Buy \+/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Buy', exact: true }).click();
    await configure(page);
    const number = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!);

    await page.goto(`${stage.url}/console/phone`);
    const phoneOf = (name: string) => page.getByRole('region', { name: `${name}'s phone` });
    const [mine, theirs] = [phoneOf(caller), phoneOf(callee)];
    await mine.getByRole('button', { name: 'Phone', exact: true }).click();
    // The key with the plus sign is the zero.
    for (const digit of number.replace('+', '0')) await mine.getByRole('button', { name: digit, exact: true }).click();
    await mine.getByRole('button', { name: 'Call', exact: true }).click();
    await mine
      .getByText(/(Playing|Heard): Notice/)
      .first()
      .waitFor();
    await theirs.getByRole('button', { name: 'Answer' }).click();
    await mine.getByText('Talking').waitFor();
    await theirs.getByText('Talking').waitFor();
    await theirs.getByRole('timer').waitFor();
    await mine.getByRole('button', { name: 'Hang up' }).click();
    await theirs.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'hidden' });

    await page.goto(`${stage.url}/console/calls`);
    // The link of the row lies over its cells.
    await page.getByRole('grid', { name: 'Calls' }).getByText('Answered').first().click({ force: true });
    await page.getByRole('heading', { level: 1, name: /→/ }).waitFor();
    await page.getByText(/heard the recording notice/).waitFor();
    await page.getByText('The caller', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Recording' }).waitFor();
    const { results } = await stage.get('/v2/cdr/');
    assert.deepEqual([results[0].number, results[0].result], [number, 'ANSWERED']);
    assert.deepEqual(stage.problems, []);
  });
});

async function configure(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Target number' }).fill('+447700900456');
  await page.getByRole('switch', { name: 'Record calls' }).check();
  await page.getByRole('button', { name: 'Upload' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Upload audio' });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'MP3 file' }).click(),
  ]);
  await chooser.setFiles({ name: 'Notice.mp3', mimeType: 'audio/mpeg', buffer: greeting });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Applies to the next call.').waitFor();
}
