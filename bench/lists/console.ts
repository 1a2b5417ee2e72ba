import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { messagesPath } from '../kit/message.ts';
import { makeDataDirectory, root, type Server, startParley } from '../kit/server.ts';
import { type Scrolled, type Scrolling, scroll } from './console-scroll.ts';
import { seedMessages } from './list.ts';

const executablePath = '/usr/bin/chromium';
const rowPixels = 54;
/** As fast as the end is reached in bounded time: more than a whole view goes by in each frame. */
const dash: Scrolling = { pixelsPerSecond: 1_200 * rowPixels, mostMs: 120_000 };
/** As fast as a wheel is turned by somebody who looks for something. */
const wheel: Scrolling = { pixelsPerSecond: 100 * rowPixels, mostMs: 10_000 };
/** A frame that takes longer is seen as a jerk. */
const jerkMs = 33;

interface Opened {
  scroll(scrolling: Scrolling): Promise<Scrolled>;
  heapMB(): Promise<number>;
  requests(): number;
}

/** The console's list of messages, scrolled from its first row to its last, beside a list of a hundred in the same browser. */
export async function consoleList({ scope, quick, progress }: Run): Promise<Figure[]> {
  // A hundred of the people have numbers that begin so.
  const [messages, fewRows] = quick ? [10_000, '?q=447700012'] : [100_000, '?q=4477000123'];
  await promisify(execFile)(process.execPath, ['scripts/build-console.ts'], { cwd: root });
  const dataDirectory = await makeDataDirectory(scope);
  await seedMessages(scope, dataDirectory, messages);
  progress(`${messages} messages are there`);
  const parley = await startParley(scope, { dataDirectory });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  scope.defer(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await signIn(page, parley);

  const few = await open(page, parley, fewRows);
  const fewFast = await few.scroll({ ...dash, mostMs: wheel.mostMs });
  const fewSlow = await few.scroll(wheel);
  const all = await open(page, parley, '');
  const heapBefore = await all.heapMB();
  const allFast = await all.scroll({ ...dash, lastIndex: messages + 1 });
  if (allFast.reached <= messages) throw new Error(`It came to row ${allFast.reached - 1} in ${dash.mostMs / 1000} s`);
  const allSlow = await all.scroll(wheel);
  return [
    figureOf(`${messages} rows at 100 rows/s, all loaded`, allSlow, fewSlow, {}),
    figureOf(`${messages} rows at 1,200 rows/s, to the last one`, allFast, fewFast, {
      seconds: allFast.tookMs / 1_000,
      'of these at the end of what had come': allFast.waitedMs / 1_000,
      requests: all.requests(),
      'heap MB before': heapBefore,
      'heap MB after': await all.heapMB(),
    }),
  ];
}

async function signIn(page: Page, { url, token }: Server): Promise<void> {
  const headers = { 'x-requested-with': 'parley-console' };
  const answer = await page.request.post(`${url}/v2/auth/session/`, { data: { token }, headers });
  if (!answer.ok()) throw new Error(`Not signed in: ${answer.status()} ${await answer.text()}`);
}

async function open(page: Page, { url }: Server, query: string): Promise<Opened> {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().startsWith(`${url}${messagesPath}?`)) requests++;
  });
  await page.goto(`${url}/console/messages${query}`);
  const grid = page.getByRole('grid', { name: 'Messages' });
  await grid.locator('[aria-rowindex="12"]').waitFor();
  const session = await page.context().newCDPSession(page);
  return {
    scroll: (scrolling) => grid.evaluate(scroll, scrolling),
    async heapMB() {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
    },
    requests: () => requests,
  };
}

function figureOf(what: string, all: Scrolled, few: Scrolled, details: Record<string, number>): Figure {
  const [figure, reference] = [all, few].map(({ frameMs }) => 1_000 / median(frameMs)) as [number, number];
  return {
    row: 'console',
    what,
    figure,
    unit: 'frames/s',
    reference: { what: '100 rows', figure: reference },
    ratio: figure / reference,
    p50Ms: median(all.frameMs),
    p99Ms: quantile(all.frameMs, 0.99),
    details: {
      'p95 ms': `${quantile(all.frameMs, 0.95).toFixed(1)} (100 rows: ${quantile(few.frameMs, 0.95).toFixed(1)})`,
      [`frames over ${jerkMs} ms`]: `${jerksOf(all)} (${jerksOf(few)})`,
      'tasks over 50 ms': `${all.longTaskMs.length} of ${all.frameMs.length} frames (${few.longTaskMs.length} of ${few.frameMs.length})`,
      'rows in the page': all.mostRows,
      ...details,
    },
  };
}

/** A frame in time is 33.3 ms at thirty a second. */
const jerksOf = ({ frameMs }: Scrolled): string =>
  `${((100 * frameMs.filter((ms) => ms > jerkMs + 1).length) / frameMs.length).toFixed(1)} %`;
