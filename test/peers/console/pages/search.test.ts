// Ctrl-K: from anywhere to anything, by keyboard alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStage, type Stage, skip } from '../stage.ts';

describe('Ctrl-K', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/contacts/', { phone_number: '+44 7700 900412', name: 'Amelia Brook' });
    await stage.post('/v2/chatapp/chat-intros/', { chatapp_number: '+44 7700 900001', reference_id: 'mill-lane-12' });
  });
  after(() => stage?.close());

  it('opens a contact, an intro, a form and the dark theme', async () => {
    const page = await stage.signedIn('/');
    const field = page.getByRole('combobox', { name: 'Search' });
    const find = async (text: string, option: string) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill(text);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    await find('Amelia', 'Amelia Brook');
    await page.getByRole('heading', { level: 1, name: 'Amelia Brook' }).waitFor();
    await find('mill-lane', 'mill-lane-12');
    await page.waitForURL(/\/intros\/[0-9a-f-]{36}$/);
    await find('new camp', 'New campaign');
    await page.getByRole('heading', { level: 1, name: 'New campaign' }).waitFor();
    await find('dark', 'Dark theme');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    // A button for those who do not know the keys.
    await page.getByRole('button', { name: /^Search/ }).click();
    await field.fill('nothing is called so');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    assert.deepEqual(stage.problems, []);
    await page.context().close();
  });

  it('finds only what one may see, and asks for nothing else', async () => {
    const { token } = await stage.post('/v2/auth/tokens/', { name: 'Chat', scopes: ['chatapp:read'] });
    const page = await stage.signedIn('/', {}, token);
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('c');
    await page.getByRole('option', { name: 'Conversations' }).waitFor();
    assert.deepEqual(await page.getByRole('option').allTextContents(), ['Conversations']);
    await page.getByRole('combobox', { name: 'Search' }).fill('Amelia');
    await page.getByText('No results.').waitFor();
    assert.deepEqual(refused, []);
    await page.context().close();
  });
});
