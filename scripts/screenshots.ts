/**
 * Pictures of the main pages for the README: `node scripts/screenshots.ts` starts a demo of its own, `--url http://127.0.0.1:8080`
 * takes one that runs. `--only phones,overview` makes some of them, `--dark` all of them dark. Needs Chromium.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { type Scene, scenes } from './screenshots/scenes.ts';

const root = path.join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    out: { type: 'string', default: path.join(root, 'docs', 'images') },
    only: { type: 'string', default: '' },
    dark: { type: 'boolean', default: false },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const user = { username: 'demo', password: 'orchard-and-vale' };
const mostBytes = 250_000;

interface Demo {
  url: string;
  stop(): Promise<void>;
}

/** A demo in a directory that goes away with it. */
async function startDemo(): Promise<Demo> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-screenshots-'));
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'demo.ts')], {
    env: { ...process.env, DATA_DIR: path.join(directory, 'data'), PORT: '0', SIP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  while (!/Orchard & Vale is open/.test(printed)) {
    if (child.exitCode !== null) throw new Error('The demo did not start.');
    await sleep(200);
  }
  const [, url = ''] = /Console +(\S+)\/console\//.exec(printed) ?? [];
  return { url, stop };
}

async function shoot(url: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox'] });
  const base: BrowserContextOptions = {
    reducedMotion: 'reduce',
    // Else the clicks in the pictures would be taken for those of a robot.
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${browser.version()} Safari/537.36`,
  };
  const wanted = values.only.split(',').filter(Boolean);
  try {
    for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const { viewport = { width: 1440, height: 900 }, colorScheme = values.dark ? 'dark' : 'light' } = scene;
      const context = await browser.newContext({ ...base, viewport, colorScheme });
      const headers = { 'x-requested-with': 'parley-console' };
      await context.request.post(`${url}/v2/auth/session/`, { data: user, headers });
      const get = async (place: string) => (await context.request.get(url + place)).json();
      const page = await context.newPage();
      await scene.play({ url, page, get, open: (place) => page.goto(`${url}/console${place}`) });
      await page.waitForLoadState('load');
      await settle(page);
      await page.waitForTimeout(scene.lingerMs ?? 0);
      await save(scene, page);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** Pages read on after they have come; the picture waits until nothing is shown as on its way. */
async function settle(page: Parameters<typeof save>[1]): Promise<void> {
  await page
    .locator('[aria-busy=true]')
    .first()
    .waitFor({ state: 'detached', timeout: 20_000 })
    .catch(() => {});
  await page.waitForTimeout(1500);
}

async function save({ name }: Scene, page: import('playwright-core').Page): Promise<void> {
  const png = path.join(values.out, `${name}.png`);
  await page.screenshot({ path: png });
  const bytes = (await readFile(png)).length;
  console.log(`${name}.png ${Math.round(bytes / 1000)} kB`);
  if (bytes <= mostBytes) return;
  await rm(png);
  await page.screenshot({ path: path.join(values.out, `${name}.jpg`), type: 'jpeg', quality: 82 });
  console.log(`${name}.jpg instead`);
}

await mkdir(values.out, { recursive: true });
const demo = values.url ? { url: values.url.replace(/\/$/, ''), stop: async () => {} } : await startDemo();
try {
  await shoot(demo.url);
} finally {
  await demo.stop();
}
