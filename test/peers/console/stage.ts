import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createTestDatabase, type TestDatabase, testPostgresVariable } from '../../kit/database.ts';
import { startParley } from '../../kit/parley-process.ts';
import { missingPeers } from '../../kit/peers.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted in the tests
type Any = any;

/** Without the parts that draw windows: it takes half as much of the processor. */
const executablePath = '/usr/bin/chromium-headless-shell';
const token = 'console-test-token';
const builder = path.join(import.meta.dirname, '..', '..', '..', 'scripts', 'build-console.ts');

/** Why the console cannot be looked at here, or false. */
export const skip = missingPeers([executablePath, '--version']);

/** How long something may take to be seen. Only a failure waits so long: other test files share the machine. */
const patienceMs = 240_000;

/** The product as a process of its own with the console it serves, and a browser to look at it. */
export interface Stage {
  url: string;
  token: string;
  /** Empty on a copy: the first start alone prints it. */
  user: { username: string; password: string };
  database: TestDatabase;
  /** Where the product keeps its files. */
  dataDir: string;
  browser: Browser;
  /** A page that is not signed in; what goes wrong on it is kept in `problems`. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** A page that is signed in and has loaded nothing yet. */
  enter(options?: BrowserContextOptions, as?: string): Promise<Page>;
  /** A page that is signed in, at this address below `/console`, with a token of fewer scopes if one is given. */
  signedIn(place?: string, options?: BrowserContextOptions, as?: string): Promise<Page>;
  /** Errors, refused contents and requests to elsewhere, of all pages so far. */
  problems: string[];
  get(place: string): Promise<Any>;
  post(place: string, body: object): Promise<Any>;
  /** Stops the product. */
  stop(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** What a product had when it was stopped, for another one to begin with. */
export interface Beginning {
  database: TestDatabase;
  /** Is copied. */
  dataDir: string;
}

export async function openStage(env: Record<string, string> = {}, beginning?: Beginning): Promise<Stage> {
  built ??= build();
  await built;
  const database = beginning?.database ?? (await createTestDatabase());
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-console-'));
  const dataDir = path.join(directory, 'data');
  if (beginning) await cp(beginning.dataDir, dataDir, { recursive: true });
  const start = (more: Record<string, string> = {}) =>
    startParley(dataDir, {
      DATABASE_URL: database.url,
      BOOTSTRAP_TOKEN: token,
      SIP_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SIP_ALLOW: '127.0.0.0/8',
      SMPP_ALLOW: '127.0.0.0/8',
      ...env,
      ...more,
    });
  let parley = start();
  const url = await parley.ready();
  const [, username = '', password = ''] = /^ {2}User +(\S+), password (\S+)$/m.exec(parley.output()) ?? [];
  const browser = await chromium.launch({
    executablePath,
    // Some things differ where the console is not opened on the machine itself.
    args: ['--no-sandbox', '--host-resolver-rules=MAP elsewhere.test 127.0.0.1'],
  });
  // By its own name a browser without a window is taken for a robot, whose clicks are not counted.
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
  const problems: string[] = [];
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      userAgent,
      ...options,
    });
    context.setDefaultTimeout(patienceMs);
    context.on('page', (page) => watch(page, url, problems));
    return context.newPage();
  };
  const ask = async (method: string, place: string, body?: object): Promise<Any> => {
    const answer = await fetch(url + place, {
      method,
      headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${place}: ${answer.status} ${text}`);
    return text && JSON.parse(text);
  };
  const enter = async (options: BrowserContextOptions = {}, as = token): Promise<Page> => {
    const page = await open(options);
    const headers = { 'x-requested-with': 'parley-console' };
    const answer = await page.request.post(`${url}/v2/auth/session/`, { data: { token: as }, headers });
    assert.ok(answer.ok(), await answer.text());
    return page;
  };
  const stop = async (): Promise<void> => {
    parley.signal('SIGTERM');
    await parley.ended;
  };
  return {
    url,
    token,
    user: { username, password },
    database,
    dataDir,
    browser,
    open,
    enter,
    async signedIn(place = '/', options = {}, as = token) {
      const page = await enter(options, as);
      await page.goto(`${url}/console${place}`);
      return page;
    },
    problems,
    get: (place) => ask('GET', place),
    post: (place, body) => ask('POST', place, body),
    stop,
    async restart() {
      await stop();
      parley = start({ PORT: new URL(url).port });
      await parley.ready();
    },
    async close() {
      await browser.close();
      await stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** What must not happen on any page. That something is answered with 4xx is told by the browser, too, and is no mistake. */
function watch(page: Page, url: string, problems: string[]): void {
  const tell = (what: string) => problems.push(`${page.url().replace(url, '')} ${what}`);
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) tell(text);
  });
  page.on('pageerror', (error) => tell(error.stack ?? error.message));
  page.on('request', (request) => {
    const place = request.url();
    if (!place.startsWith(`${url}/`) && !/^(data|blob):/.test(place)) tell(`asks elsewhere: ${place}`);
  });
}

let built: Promise<unknown> | undefined;

/** Builds the console if it has changed. */
const build = (): Promise<unknown> => inTurn('build-console', () => promisify(execFile)(process.execPath, [builder]));

/** Test files come at once: one of them works, the others wait for it. */
export async function inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
  const lock = new pg.Client(JSON.parse(process.env[testPostgresVariable] ?? '{}'));
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [what]);
    return await work();
  } finally {
    await lock.end();
  }
}

/** Signs in as a person does. */
export async function signIn(page: Page, { username, password }: Stage['user']): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
