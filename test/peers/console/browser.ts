import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted in the tests
type Any = any;

/** Without the parts that draw windows: it takes half as much of the processor. */
export const executablePath = '/usr/bin/chromium-headless-shell';

/** How long something may take to be seen. Only a failure waits so long: other test files share the machine. */
const patienceMs = 240_000;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Some things differ where the console is not opened on the machine itself.
    args: ['--no-sandbox', '--host-resolver-rules=MAP elsewhere.test 127.0.0.1'],
  });

/** Somebody with a browser and a token. */
export interface Visitor {
  url: string;
  token: string;
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
  /** Closes all pages that are still open. */
  leave(): Promise<void>;
}

export function makeVisitor(browser: Browser, url: string, token: string): Visitor {
  // By its own name a browser without a window is taken for a robot, whose clicks are not counted.
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
  const problems: string[] = [];
  const contexts = new Set<BrowserContext>();
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      userAgent,
      // What moves while a page loads is drawn sixty times a second, by the processor.
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.add(context);
    context.on('close', () => contexts.delete(context));
    context.setDefaultTimeout(patienceMs);
    context.on('page', (page) => watch(page, url, problems));
    return context.newPage();
  };
  const enter = async (options: BrowserContextOptions = {}, as = token): Promise<Page> => {
    const page = await open(options);
    const headers = { 'x-requested-with': 'parley-console' };
    const answer = await page.request.post(`${url}/v2/auth/session/`, { data: { token: as }, headers });
    assert.ok(answer.ok(), await answer.text());
    return page;
  };
  const ask = (method: string, place: string, body?: object) => call(url, token, method, place, body);
  return {
    url,
    token,
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
    async leave() {
      await Promise.all([...contexts].map((context) => context.close()));
    },
  };
}

/** Asks the API, which must not refuse. */
export async function call(url: string, token: string, method: string, place: string, body?: object): Promise<Any> {
  const answer = await fetch(url + place, {
    method,
    headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${place}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
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

/** Signs in as a person does. */
export async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

interface Person {
  username: string;
  password: string;
}
