// Every page of the console, as somebody meets it who may not do everything.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addressesOf } from './addresses.ts';
import { changingControls, headings, mainText, unfinished } from './in-page.ts';
import { openSeededStage } from './seeded.ts';
import { type Stage, skip } from './stage.ts';
import { visitAll } from './visit.ts';

describe('Whoever may not do everything', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  let addresses: string[];
  before(async () => {
    stage = await openSeededStage();
    addresses = await addressesOf(stage);
  });
  after(() => stage?.close());

  /** Goes everywhere with these scopes; gives what was wrong with any page. */
  async function sweep(scopes: string[], look: (page: Page, address: string) => Promise<string[]>): Promise<string[]> {
    const { token } = await stage.post('/v2/auth/tokens/', { name: scopes.join(' '), scopes });
    const found: string[] = [];
    await visitAll(addresses, {
      open: async () => {
        const page = await stage.signedIn('/', {}, token);
        page.on('response', (response) => {
          if (response.status() === 403) found.push(`${page.url()} was refused ${response.url()}`);
        });
        return page;
      },
      look: async (page, address) => {
        const wrong = [...(await page.evaluate(unfinished)), ...(await look(page, address))];
        found.push(...wrong.map((one) => `${address}: ${one}`));
      },
    });
    return found;
  }

  it('finds every page complete with scopes of the chat app alone, and is told why of those they may not see', async () => {
    const seen = new Map<string, string>();
    const found = await sweep(['chatapp:read', 'chatapp:write'], async (page, address) => {
      const [title = ''] = await page.evaluate(headings);
      seen.set(address, await page.evaluate(mainText));
      return title === '' || title === 'Not found' ? [`is headed ${JSON.stringify(title)}`] : [];
    });
    assert.deepEqual(found, []);
    assert.match(seen.get('/numbers') ?? '', /You may not see numbers\.\s*An owner of .+ can give you number:read\./);
    assert.match(seen.get('/campaigns/new') ?? '', /You may not change campaigns\..*campaigns:write/s);
    assert.doesNotMatch(seen.get('/messages') ?? '', /You may not/);
    assert.deepEqual(stage.problems, []);
  });

  it('shows in the menu what one may see, and is live', async () => {
    const { token } = await stage.post('/v2/auth/tokens/', { name: 'Chat', scopes: ['chatapp:read'] });
    const page = await stage.signedIn('/', {}, token);
    await page.getByRole('status', { name: /^Live/ }).waitFor();
    const menu = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    assert.deepEqual(
      menu.map((entry) => entry.trim()),
      [
        'Overview',
        'Intros',
        'Conversations',
        'Messages',
        'Templates',
        'Flows',
        'Media',
        'Leads',
        'Webhooks',
        'Settings',
      ],
    );
    // What happens is told as it happens, though only what concerns the chat app.
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    const sender = (await stage.get('/v2/chatapp/accounts/')).results[0].chatapp_number;
    const heard = { from: '+44 7700 900987', to: sender, text: { body: 'Hello' } };
    await stage.post('/v2/sandbox/chatapp/messages/', heard);
    await page.getByText('+44 7700 900987').first().waitFor();
    await page.context().close();
  });

  it('finds nothing to press that changes something when they may only read', async () => {
    const found = await sweep(['read'], async (page) => page.evaluate(changingControls));
    assert.deepEqual(found, []);
  });
});
