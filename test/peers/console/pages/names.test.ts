import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

const sender = '+447700900001';
const ana = '+447700900412';
const ben = '+447700900413';
const stranger = '+447700900414';

describe('Names beside numbers in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: sender });
    const { number } = await stage.post('/v2/number/', { country_code: 'GB' });
    await stage.post('/v2/contacts/', { phone_number: '07700 900412', name: 'Ana Lovelace' });
    await stage.post('/v2/contacts/', { phone_number: ben, name: 'Ben Ada' });
    for (const person of [ana, ben, stranger]) {
      await stage.post('/v2/sandbox/chatapp/messages/', { from: person, to: sender, text: { body: 'Hello' } });
      await stage.post('/v2/send-sms/', { from: number, to: person, text: 'Hello' });
      await stage.post('/v2/voice/calls/', { from: number, to: person, tts: 'Hello' });
    }
    await until('all of them', async () => {
      const { results } = await stage.get('/v2/voice/calls/?status=ENDED');
      return results.length === 3 && (await stage.get('/v2/chatapp/messages/')).count === 3;
    });
  });
  after(() => stage?.close());

  /** The requests for names that a page makes, from now on. */
  function namesAskedBy(page: Page): string[] {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v2/contacts/names/')) asked.push(request.url());
    });
    return asked;
  }

  for (const [title, place] of [
    ['Messages', '/messages'],
    ['SMS', '/sms'],
    ['Calls', '/calls'],
  ] as const) {
    it(`shows who it is in ${title}, by one request for the page`, async () => {
      const page = await stage.signedIn('/lists');
      await page.getByRole('heading', { level: 1, name: 'Lists' }).waitFor();
      const asked = namesAskedBy(page);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title, exact: true }).click();
      const grid = page.getByRole('grid', { name: title });
      await grid.getByText('Ana Lovelace', { exact: true }).waitFor();
      await grid.getByText('Ben Ada', { exact: true }).waitFor();
      const row = grid.getByRole('row').filter({ hasText: 'Ana Lovelace' });
      await row.getByText('+44 7700 900412', { exact: true }).waitFor();
      await grid.getByText('+44 7700 900414', { exact: true }).waitFor();
      assert.equal(asked.length, 1, asked.join('\n'));
      await row.click();
      await page.locator('dl').getByRole('link', { name: 'Ana Lovelace' }).waitFor();
      await page.goto(`${stage.url}/console${place}?search=lovelace`);
      await page.getByText('1 row', { exact: true }).waitFor();
      await page.context().close();
      assert.deepEqual(stage.problems, []);
    });
  }

  it('follows a contact that is renamed', async () => {
    const page = await stage.signedIn('/messages');
    const grid = page.getByRole('grid', { name: 'Messages' });
    await grid.getByText('Ben Ada', { exact: true }).waitFor();
    const { results } = await stage.get('/v2/contacts/?search=ben');
    const answer = await fetch(`${stage.url}/v2/contacts/${results[0].uuid}/`, {
      method: 'PATCH',
      headers: { authorization: `Token ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Benjamin Ada' }),
    });
    assert.equal(answer.status, 200);
    await grid.getByText('Benjamin Ada', { exact: true }).waitFor();
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('shows numbers alone to who may not read contacts, and asks for no names', async () => {
    const { token } = await stage.post('/v2/auth/tokens/', { name: 'Inbox only', scopes: ['inbox:read'] });
    const page = await stage.signedIn('/profile', {}, token);
    const asked = namesAskedBy(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('grid', { name: 'Messages' }).getByText('+44 7700 900412', { exact: true }).waitFor();
    assert.deepEqual(asked, []);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('writes to a contact and calls them from their page', async () => {
    const { results } = await stage.get('/v2/contacts/?search=lovelace');
    const page = await stage.signedIn(`/contacts/${results[0].uuid}`);
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('menuitem', { name: 'Chat message' }).click();
    // They have written, so it goes on where they talk.
    await page.getByRole('region', { name: 'Conversation with Ana Lovelace' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('menuitem', { name: 'SMS' }).click();
    const sms = page.getByRole('dialog', { name: 'Send an SMS' });
    await until('the number', async () => (await sms.getByLabel('To').inputValue()) === '07700 900412');
    await sms.getByRole('button', { name: 'Cancel' }).click();
    await sms.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await page.goBack();
    await page.getByRole('link', { name: 'Call', exact: true }).click();
    const call = page.getByRole('dialog', { name: 'Start a call' });
    await until(
      'the number',
      async () => (await call.getByRole('textbox', { name: /^To/ }).inputValue()) === '07700 900412',
    );
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });

  it('titles a conversation by the person on a phone', async () => {
    const page = await stage.signedIn('/conversations', { viewport: { width: 390, height: 700 } });
    await page.getByRole('link', { name: /Ana Lovelace/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Lovelace' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Ana Lovelace' }).count(), 1);
    await page.context().close();
    assert.deepEqual(stage.problems, []);
  });
});
