// Every page of the console, as people meet it who do not see well, use a phone, or care where their data go.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { until } from '../../kit/until.ts';
import { addressesOf } from './addresses.ts';
import { endAnimations, excessPixels, faults, headings, newContrastFaults, wrappedTabs } from './in-page.ts';
import { openSeededStage } from './seeded.ts';
import { type Stage, skip } from './stage.ts';
import { visitAll } from './visit.ts';

const mostInitialBytes = 350_000;
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

const everything: string[] = [];
/** What may be another fault on a narrow page: how things lie, and the names of those that are shown in place of others. */
const layout = [
  'target-size',
  'scrollable-region-focusable',
  'nested-interactive',
  'aria-hidden-focus',
  'button-name',
  'link-name',
  'label',
  'select-name',
  'image-alt',
  'svg-img-alt',
  'aria-command-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-dialog-name',
  'aria-progressbar-name',
];

describe('Every page of the console', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openSeededStage();
  });
  after(() => stage?.close());

  it('loads less than 350 kB of JavaScript, compressed, before one can sign in', async () => {
    const page = await stage.open();
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      if (request.resourceType() !== 'script') return;
      const response = await request.response();
      assert.match(response?.headers()['content-encoding'] ?? '', /^(br|gzip)$/, request.url());
      bytes += (await request.sizes()).responseBodySize;
    });
    await page.goto(`${stage.url}/console/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await until('scripts have come', async () => bytes > 0);
    assert.ok(bytes < mostInitialBytes, `${bytes} bytes`);
    await page.evaluate(axe.source);
    assert.deepEqual(await page.evaluate(faults, { rules: everything, where: 'html' }), []);
    await page.context().close();
  });

  it('has no serious fault of accessibility in light and dark, and does not scroll sideways on a phone', async () => {
    const found: string[] = [];
    const open = async () => {
      const page = await stage.signedIn('/', { viewport: wide });
      await page.evaluate(axe.source);
      return page;
    };
    const look = async (page: Page, address: string) => {
      const tell = (some: string[], how: string) => found.push(...some.map((one) => `${address} ${how}: ${one}`));
      // The menu is the same on every page.
      const where = address === '/' ? 'html' : 'main';
      const titles = await page.evaluate(headings);
      if (titles.length !== 1 || titles[0] === 'Not found') tell([`is headed ${JSON.stringify(titles)}`], 'page');
      const fresh = async (scheme: 'light' | 'dark') => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
        await page.evaluate(endAnimations);
        return page.evaluate(newContrastFaults, { where, scheme, isChecked: false });
      };
      await page.evaluate(endAnimations);
      tell(await page.evaluate(faults, { rules: everything, where }), 'light');
      await page.evaluate(newContrastFaults, { where, scheme: 'light', isChecked: true });
      tell(await fresh('dark'), 'dark');
      await page.setViewportSize(narrow);
      const excess = await page.evaluate(excessPixels);
      if (excess > 0) tell([`${excess} pixels too wide`], 'on a phone');
      tell(await page.evaluate(wrappedTabs), 'on a phone');
      tell(await fresh('dark'), 'on a phone, dark');
      tell(await fresh('light'), 'on a phone, light');
      tell(await page.evaluate(faults, { rules: layout, where }), 'on a phone');
      await page.setViewportSize(wide);
    };
    await visitAll(await addressesOf(stage), { open, look });
    assert.deepEqual(found, []);
    assert.deepEqual(stage.problems, []);
  });
});
