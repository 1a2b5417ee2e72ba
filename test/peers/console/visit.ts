import type { Page, Request } from 'playwright-core';
import { until } from '../../kit/until.ts';
import { goTo, isComplete } from './in-page.ts';

/** Gives a function that waits until the page has what it asked for. */
export function followRequests(page: Page): () => Promise<unknown> {
  const underWay = new Set<Request>();
  page.on('request', (request) => request.url().includes('/events/stream/') || underWay.add(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  const isQuiet = async () => underWay.size === 0 && (await page.evaluate(isComplete)) && underWay.size === 0;
  // Twice, because an answer may lead to another question.
  return () => until(`${page.url()} is loaded`, async () => (await isQuiet()) && (await isQuiet()));
}

/** Goes to every address in turn, with several pages at once, and calls `look` at each when it has come. */
export async function visitAll(addresses: readonly string[], { open, look, pages = 2 }: Visit): Promise<void> {
  const rest = [...addresses];
  const work = async () => {
    const page = await open();
    const settled = followRequests(page);
    await settled();
    for (let address = rest.shift(); address !== undefined; address = rest.shift()) {
      await page.evaluate(goTo, `/console${address}`);
      await settled();
      await look(page, address);
    }
    await page.context().close();
  };
  await Promise.all(Array.from({ length: pages }, work));
}

interface Visit {
  open(): Promise<Page>;
  look(page: Page, address: string): Promise<void>;
  pages?: number;
}
