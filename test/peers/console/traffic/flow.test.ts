// A flow that is drawn by hand: screens, components, preview, publishing, deleting.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../kit/until.ts';
import { openStage, type Stage, skip } from '../stage.ts';

describe('A flow, drawn in the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await stage.post('/v2/chatapp/accounts/', { chatapp_number: '+447700900001', name: 'Homes', carrier: 'sandbox' });
  });
  after(() => stage?.close());

  const add = async (page: Page, component: string) => {
    await page.getByRole('button', { name: 'Add a component' }).click();
    await page.getByRole('menuitem', { name: component, exact: true }).click();
  };

  it('is made without screens, cannot be published so, gets screens, and is published', async () => {
    const page = await stage.signedIn('/flows/new');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Book a viewing');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Book a viewing' }).waitFor();
    const publish = page.getByRole('button', { name: 'Publish' });
    await page.locator('button:disabled', { hasText: 'Publish' }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit Book a viewing' }).waitFor();
    await page.getByRole('button', { name: 'Add a screen' }).click();
    await page.getByRole('textbox', { name: 'Title of the screen' }).fill('Viewing');
    await add(page, 'Heading');
    await page
      .getByRole('region', { name: 'Heading' })
      .getByRole('textbox', { name: 'Text' })
      .fill('When would you come?');
    await add(page, 'Date');
    const date = page.getByRole('region', { name: 'Date' });
    await date.getByRole('textbox', { name: 'Label', exact: true }).fill('Day');
    await date.getByRole('textbox', { name: 'Name of the answer' }).fill('day');
    await page.getByRole('button', { name: 'Add a screen' }).click();
    await page.getByRole('textbox', { name: 'Title of the screen' }).fill('About you');
    await add(page, 'Dropdown');
    const dropdown = page.getByRole('region', { name: 'Dropdown' });
    await dropdown.getByRole('textbox', { name: 'Label', exact: true }).fill('Guests');
    await dropdown.getByRole('textbox', { name: 'Name of the answer' }).fill('guests');
    await dropdown.getByRole('textbox', { name: 'Options' }).fill('One\nTwo\nMore');
    // The preview beside it follows.
    await page.getByText('When would you come?').first().waitFor();

    await page.getByText('JSON', { exact: true }).click();
    const text = await page.getByRole('textbox', { name: 'Definition' }).inputValue();
    const { screens } = JSON.parse(text);
    assert.deepEqual(
      screens.map((screen: { title: string; terminal?: boolean }) => [screen.title, screen.terminal ?? false]),
      [
        ['Viewing', false],
        ['About you', true],
      ],
    );
    const footers = screens.map(
      (screen: { layout: { children: Record<string, unknown>[] } }) =>
        screen.layout.children.at(-1)!['on-click-action'],
    );
    assert.equal(footers[0].next.name, screens[1].id);
    assert.deepEqual(footers[1].payload, {
      day: `\${screen.${screens[0].id}.form.day}`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the platform's own placeholders
      guests: '${form.guests}',
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Book a viewing', exact: true }).waitFor();
    await publish.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Deprecate' }).waitFor();
    const [flow] = (await stage.get('/v2/chatapp/flows/')).results;
    assert.equal(flow.status, 'PUBLISHED');
  });

  it('a draft is deleted after a question', async () => {
    await stage.post('/v2/chatapp/flows/', { chatapp_number: '+447700900001', name: 'Scrap', category: 'OTHER' });
    const page = await stage.signedIn('/flows');
    // The link of the row lies over its cells.
    await page.getByText('Scrap').first().click({ force: true });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Flows' }).waitFor();
    // The list may still show it, and a notice names it, too.
    await until('it is gone', async () => (await page.getByText('Scrap').count()) === 0);
  });

  it('nothing went wrong on any page', () => assert.deepEqual(stage.problems, []));
});
