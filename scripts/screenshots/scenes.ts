import type { Page } from 'playwright-core';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Any = any;

export interface Set {
  url: string;
  page: Page;
  get(place: string): Promise<Any>;
  /** Opens an address below `/console`. */
  open(place: string): Promise<unknown>;
}

export interface Scene {
  name: string;
  viewport?: { width: number; height: number };
  colorScheme?: 'dark';
  /** What is drawn while one looks needs some time. */
  lingerMs?: number;
  play(set: Set): Promise<void>;
}

const phone = { width: 390, height: 844 };

/** Most pictures need no more than an address, which may ask the API what there is to be seen. */
const at = (name: string, address: (get: Set['get']) => Promise<string>, more: Partial<Scene> = {}): Scene => ({
  name,
  ...more,
  async play({ get, open, page }) {
    await open(await address(get));
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
});

/** The intro whose link was opened most. */
async function busiestIntro(get: Set['get']): Promise<Any> {
  const { results } = await get('/v2/chatapp/chat-intros/?page_size=50');
  const funnels = await Promise.all(
    results.map(async (intro: Any) => ({ intro, ...(await get(`/v2/chatapp/chat-intros/${intro.uuid}/funnel/`)) })),
  );
  return funnels.toSorted((one, two) => two.clicks - one.clicks)[0].intro;
}

async function first(get: Set['get'], list: string): Promise<Any> {
  const { results } = await get(list);
  if (results.length === 0) throw new Error(`There is nothing at ${list}`);
  return results[0];
}

async function announcement(get: Set['get']): Promise<string> {
  const { results } = await get('/v2/audio-files/');
  return `/audio/${results.find(({ name }: Any) => name === 'This call is recorded').uuid}`;
}

/** The number that does most with a call. */
async function fullestNumber(get: Set['get']): Promise<string> {
  const { results } = await get('/v2/number/');
  return results.toSorted((one: Any, two: Any) => two.features.length - one.features.length)[0].number;
}

async function runningCampaign(get: Set['get']): Promise<string> {
  const { results } = await get('/v2/campaigns/');
  return `/campaigns/${(results.find(({ status }: Any) => status === 'RUNNING') ?? results[0]).uuid}`;
}

/** Among the newest conversations the one in which most was said. */
async function longestTalk(get: Set['get']): Promise<string> {
  const { results } = await get('/v2/chatapp/conversations/?page_size=200');
  const talks = await Promise.all(
    results
      .filter(({ name }: Any) => name)
      .map(async (talk: Any) => {
        const { count } = await get(`/v2/chatapp/messages/?page_size=1&q=${encodeURIComponent(talk.number)}`);
        return { ...talk, count };
      }),
  );
  const { chatapp_number, number } = talks.toSorted((one, two) => two.count - one.count)[0];
  return `/conversations/${encodeURIComponent(chatapp_number)}/${encodeURIComponent(number)}`;
}

/** Both phones in the middle of an intro: the lead has the reply, the agent reads the notification. */
const phones: Scene = {
  name: 'phones',
  async play({ url, page, get }) {
    const { results } = await get('/v2/chatapp/chat-intros/?page_size=50');
    const intro =
      results.find((one: Any) => one.reply_type === 'IMAGE' && one.notify_data.to_phone_number) ?? results[0];
    const agent = String(intro.extra_variable_data.AgentName ?? 'Sam Okoro');
    const people = {
      A: { number: '+447700900123', name: 'Lena Brook' },
      B: { number: intro.notify_data.to_phone_number.replaceAll(' ', ''), name: agent },
    };
    await page.addInitScript((value) => localStorage.setItem('parley-phones', value), JSON.stringify(people));
    await page.goto(`${url}/l/${intro.chat_link.split('/').at(-1)}`);
    const [mine, theirs] = ['Lena Brook', agent].map((name) => page.getByRole('region', { name: `${name}'s phone` }));
    await mine!.getByRole('button', { name: 'Send' }).click();
    await mine!
      .getByRole('img')
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => {});
    await theirs!
      .getByRole('button', { name: /Orchard & Vale/ })
      .first()
      .click();
    await theirs!
      .getByText(/Lena Brook/)
      .last()
      .waitFor();
  },
};

/** A form in its editor, with the example in it. */
const flowEditor: Scene = {
  name: 'flow-editor',
  async play({ get, open, page }) {
    await open(`/flows/${(await first(get, '/v2/chatapp/flows/?status=DRAFT')).uuid}/edit`);
    await page.getByRole('button', { name: 'Use the example' }).click();
  },
};

/** Everything of the demo happened today. */
const report: Scene = {
  name: 'report',
  async play({ open, page }) {
    await open('/reports?group_by=source');
    await page.getByText('Today', { exact: true }).click();
    await page.getByRole('heading', { name: 'Calls by source' }).waitFor();
  },
};

/** Ctrl-K with something typed. */
const search: Scene = {
  name: 'search',
  async play({ open, page }) {
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('ma');
    await page.getByRole('option').nth(5).waitFor();
  },
};

export const scenes: Scene[] = [
  at('overview', async () => '/'),
  at('intro-editor', async (get) => `/intros/${(await busiestIntro(get)).uuid}/edit`),
  at('intro', async (get) => `/intros/${(await busiestIntro(get)).uuid}`),
  at('conversations', longestTalk),
  at('campaign', runningCampaign, { lingerMs: 15_000 }),
  at('number', async (get) => `/numbers/${await fullestNumber(get)}`),
  at('call', async (get) => `/calls/${(await first(get, '/v2/voice/calls/?result=ANSWERED&direction=INBOUND')).uuid}`),
  at('audio', announcement),
  flowEditor,
  report,
  search,
  at('delivery', async (get) => `/deliveries/${(await first(get, '/v2/webhook-deliveries/?status=PENDING')).uuid}`),
  at('intros-dark', async () => '/intros', { colorScheme: 'dark' }),
  at('campaign-phone', runningCampaign, { viewport: phone }),
  // The last one, because something happens in it.
  phones,
];
