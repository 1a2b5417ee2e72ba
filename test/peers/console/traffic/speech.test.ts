import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { writeFakeProgram } from '../../../kit/speech/sounds.ts';
import { type OwnStage, openOwnStage, skip } from '../stage.ts';

const number = '+442079460123';

describe('The language of a text, in the console', { skip, timeout: 1_800_000 }, () => {
  let directory: string;
  let stage: OwnStage;
  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'parley-speech-'));
    stage = await openOwnStage({ SPEECH_PROGRAM: writeFakeProgram(directory).path });
    await stage.post('/v2/number/', { number, target_number: '+447700900456' });
  });
  after(async () => {
    await stage?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const choose = async (page: Page, language: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Language' }).fill(language);
    await page.getByRole('option', { name: language, exact: true }).click();
  };

  it('is chosen beside the text of a number, and a text that does not fit it is refused there', async () => {
    const page = await stage.signedIn(`/numbers/${encodeURIComponent(number)}`, {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('switch', { name: 'Speak a text' }).check();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Добрый день');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Enter a text in Latin letters: /).waitFor();
    await choose(page, 'Russian');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Applies to the next call.').waitFor();
    const { tts, tts_language, features } = await stage.get(`/v2/number/${number}/`);
    assert.deepEqual([tts, tts_language, features], ['Добрый день', 'ru', ['TTS']]);
    await page.reload();
    await page.getByRole('combobox', { name: 'Language' }).and(page.locator('[value="Russian"]')).waitFor();
  });

  it('is chosen for a call once there is a text', async () => {
    const page = await stage.signedIn('/calls');
    await page.getByRole('button', { name: 'Start a call' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Start a call' });
    await dialog.getByRole('combobox', { name: 'From' }).fill(number);
    await dialog.getByRole('textbox', { name: 'To', exact: true }).fill('+447700909050');
    await dialog.getByRole('textbox', { name: 'Speak' }).fill('Ihr Tisch ist bereit.');
    await choose(page, 'German');
    await dialog.getByRole('button', { name: 'Call', exact: true }).click();
    await page.waitForURL(/\/calls\/[\da-f-]{36}$/);
    const { results } = await stage.get('/v2/voice/calls/');
    assert.deepEqual([results[0].tts, results[0].tts_language], ['Ihr Tisch ist bereit.', 'de']);
    // Refused on purpose above: the browser notes it.
    assert.deepEqual(
      stage.problems.filter((problem) => !problem.includes('400')),
      [],
    );
  });
});
