import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { focusedRow, scrollToEnd } from './in-page.ts';
import { openStage, type Stage, skip, until } from './stage.ts';

const rows = 100_000;
const pageSize = 2000;
const mostRowsShown = 200;
/** A row as the API tells it is some 2 kB in memory. What is beyond all rows together would be a leak. */
const mostHeapBytes = 600e6;

describe('A list of a hundred thousand messages', { skip, timeout: 300_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('is scrolled from its beginning to its end, while few rows exist', async () => {
    const page = await stage.signedIn('/lists');
    await answer(page, stage);
    await page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click();
    const list = page.getByRole('grid', { name: 'Messages' });
    await list.getByRole('row').nth(10).waitFor();
    const most = await list.evaluate(scrollToEnd, rows + 1);
    await page.getByText('100,000 rows', { exact: true }).waitFor();
    assert.ok(most < mostRowsShown, `${most} rows existed at once`);

    const last = list.getByRole('row', { name: /7701 100000/ });
    await last.waitFor();
    assert.equal(await last.getAttribute('aria-rowindex'), String(rows + 1));
    // By keyboard one comes back to the beginning and to the end again.
    await last.focus();
    await page.keyboard.press('Home');
    await until('the first row', async () => (await page.evaluate(focusedRow)) === 2);
    await page.keyboard.press('End');
    await until('the last row', async () => (await page.evaluate(focusedRow)) === rows + 1);

    const heap = await heapOf(page);
    assert.ok(heap < mostHeapBytes, `${Math.round(heap / 1e6)} MB`);
    assert.deepEqual(stage.problems, []);
  });
});

/** Answers for the API with copies of a message that was really sent: a thousand pages of the real one would take minutes. */
async function answer(page: Page, stage: Stage): Promise<void> {
  const { uuid } = await stage.post('/v2/chatapp/messages/', {
    chatapp_number: '+447700900001',
    to_chatapp_number: '+447700900123',
    type: 'TEMPLATE',
    template: { template_name: 'welcome' },
  });
  const model = await stage.get(`/v2/chatapp/messages/${uuid}/`);
  const copy = (index: number) => ({
    ...model,
    uuid: model.uuid.slice(0, 24) + String(index).padStart(12, '0'),
    to_chatapp_number: `+44${7_701_000_000 + index}`,
  });
  await page.route('**/v2/chatapp/messages/?*', async (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const to = from + pageSize;
    await route.fulfill({
      json: {
        count: rows,
        next: to < rows ? `${stage.url}/v2/chatapp/messages/?cursor=${to}` : null,
        previous: null,
        results: Array.from({ length: pageSize }, (_, index) => copy(from + index + 1)),
      },
    });
  });
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
