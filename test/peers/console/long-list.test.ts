import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../kit/until.ts';
import { focusedRow, scrollThrough } from './in-page.ts';
import { openStage, type Stage, skip } from './stage.ts';

const count = 1_200;
const mostRowsShown = 50;

describe('A list of more than a thousand messages', { skip, timeout: 1_800_000 }, () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    await fill(stage);
  });
  after(() => stage?.close());

  it('shows every row once and in order, while few rows exist', async () => {
    const page = await stage.signedIn('/lists');
    await page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click();
    const list = page.getByRole('grid', { name: 'Messages' });
    await list.getByRole('row').nth(10).waitFor();
    const { seen, mostRows } = await list.evaluate(scrollThrough, count + 1);
    const numbers = await readNumbers(stage);
    assert.equal(new Set(numbers).size, count);
    // The first row is the heading.
    assert.deepEqual(
      seen,
      numbers.map((number, place) => [place + 2, number]),
    );
    assert.ok(mostRows < mostRowsShown, `${mostRows} rows existed at once`);
    await page.getByText('1,200 rows', { exact: true }).waitFor();

    // By keyboard one comes back to the beginning and to the end again.
    await list.locator(`[aria-rowindex="${count + 1}"]`).focus();
    await page.keyboard.press('Home');
    await until('the first row', async () => (await page.evaluate(focusedRow)) === 2);
    await page.keyboard.press('End');
    await until('the last row', async () => (await page.evaluate(focusedRow)) === count + 1);
    assert.deepEqual(stage.problems, []);
  });
});

/** Sends a message to each of so many people, and waits until nothing changes any more. */
async function fill(stage: Stage): Promise<void> {
  const sender = '+447700900001';
  await stage.post('/v2/chatapp/accounts/', { carrier: 'sandbox', chatapp_number: sender, messages_per_second: 1_000 });
  const messages = Array.from({ length: count }, (_, index) => ({
    chatapp_number: sender,
    to_chatapp_number: `+44${7_701_000_000 + index}`,
    type: 'TEMPLATE',
    template: { template_name: 'welcome' },
  }));
  await stage.post('/v3/jobs/', { type: 'messages.send', input: { messages } });
  await until('all messages', async () => {
    const read = await stage.get('/v2/chatapp/messages/?page_size=1&status=READ');
    return read.count === count;
  });
}

/** The people in the order of the API. */
async function readNumbers(stage: Stage): Promise<string[]> {
  const numbers: string[] = [];
  for (let place: string | null = '/v2/chatapp/messages/?page_size=200'; place; ) {
    const { results, next } = await stage.get(place);
    numbers.push(...results.map((message: { to_chatapp_number: string }) => message.to_chatapp_number));
    place = next?.replace(stage.url, '') ?? null;
  }
  return numbers;
}
