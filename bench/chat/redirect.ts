import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, type Run } from '../figures.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { connections, findGenerator, generators, type Load, runGenerator, runWrk } from '../kit/load.ts';
import { call, makeDataDirectory, type Server, startBare, startParley } from '../kit/server.ts';

const rounds = 3;
const draws = 500_000;
const writtenLimitMs = 300_000;
/** Of a telephone: what programs fetch is no click. */
export const userAgent =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

interface LinkLoad extends Load {
  requests: number;
  /** Links asked for; some answers came after the end. */
  used: number;
}

/** How links are drawn: as a few are popular and most are not, and all alike. */
const kinds = [
  { name: 'Zipf', target: 0.7, nth: (intros: number) => Math.floor((intros + 1) ** Math.random()) },
  { name: 'even', target: 0.4, nth: (intros: number) => 1 + Math.floor(Math.random() * intros) },
] as const;

/** Opened links: the rate of 302s, with every click written, against a bare Fastify route that answers the same. */
export async function redirect({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [intros, warmUpSeconds, seconds] = quick ? [100_000, 2, 3] : [1_000_000, 15, 10];
  const dataDirectory = await makeDataDirectory(scope);
  const [database, bare] = await Promise.all([startDatabase(scope, dataDirectory), startBare(scope)]);
  const settings = { DATABASE_URL: database.url };
  const parley = await startParley(scope, { dataDirectory, roles: 'api', settings });
  await call(parley, 'POST', '/v2/chatapp/chat-intros/', intro);
  await seed(database, intros);
  progress(`${intros} intros are there`);

  const figures: Figure[] = [];
  for (const kind of kinds) {
    const file = path.join(dataDirectory, `${kind.name}.txt`);
    const codes = Array.from({ length: draws }, () => shortcodeOf(scattered(kind.nth(intros), intros)));
    await writeFile(file, `${codes.join('\n')}\n`);
    const before = await countClicks(database);
    const open = async (server: Server, forSeconds: number): Promise<LinkLoad> => {
      const load = await openLinks(scope, server, file, forSeconds);
      if (load.failed > 0) throw new Error(`${load.failed} links did not open`);
      return load;
    };
    const loads = new Map<Server, LinkLoad[]>([
      [bare, [await open(bare, warmUpSeconds)]],
      [parley, [await open(parley, warmUpSeconds)]],
    ]);
    for (let round = 0; round < rounds; round++) {
      for (const [server, of] of loads) of.push(await open(server, seconds));
      const [bareRate, rate] = [bare, parley].map((one) => Math.round(loads.get(one)!.at(-1)!.requestsPerSecond));
      progress(`${kind.name}: bare Fastify ${bareRate} requests/s, Parley ${rate} requests/s`);
    }
    const written = await waitUntilWritten(database, before, loads.get(parley)!);
    // The first one was the warm-up.
    const of = (server: Server, name: keyof Load): number =>
      median(
        loads
          .get(server)!
          .slice(1)
          .map((load) => load[name]),
      );
    const [figure, reference] = [of(parley, 'requestsPerSecond'), of(bare, 'requestsPerSecond')];
    figures.push({
      row: 'redirect',
      what: `GET a link, ${kind.name} draws among ${intros} intros, ${connections} connections, clicks written`,
      figure,
      unit: 'requests/s',
      reference: { what: 'bare Fastify', figure: reference },
      ratio: figure / reference,
      p50Ms: of(parley, 'p50Ms'),
      p99Ms: of(parley, 'p99Ms'),
      target: `ratio ≥ ${kind.target}`,
      met: figure / reference >= kind.target,
      details: written,
    });
  }
  return figures;
}

const intro = {
  chatapp_number: '+442079460011',
  reference_id: 'REF-0',
  expected_message_template: 'Hello, I would like to know more about {{PropertyName}} ({{reference_id}}).',
  reply_message_template: 'Thank you for asking about {{PropertyName}}. {{AgentName}} will be in touch.',
  intro_message_template: 'Hello, {{AgentName}} here, about {{PropertyName}}.',
  extra_variable_data: { PropertyName: '12 Mill Lane', PropertyPrice: 'R 1 250 000', AgentName: 'Ada' },
};

/** Multiplies the one intro there is, with its link. */
async function seed({ client }: Database, intros: number): Promise<void> {
  await client.query(
    `with made as (
      insert into chat_intros
      select made.*
      from chat_intros as intro
      cross join generate_series(1, $1::int) as n
      cross join jsonb_populate_record(intro, jsonb_build_object(
        'uuid', uuidv7(), 'reference_id', 'REF-' || n, 'reference_key', 'ref-' || n,
        'shortcode', translate(lpad(to_hex(n), 10, '0'), '0123456789abcdef', '23456789bcdfghjk'))) as made
      returning account_id, uuid, shortcode, chatapp_account, chatapp_number, reference_id, reference_key
    ), keyed as (
      insert into intro_keys (account_id, chat_intro, chatapp_account, expected_hash, reference_key)
      select account_id, uuid, chatapp_account, md5(uuid::text)::uuid, reference_key from made
    )
    insert into links (shortcode, account_id, kind, chat_intro, chatapp_account, chat_number, chat_text)
    select shortcode, account_id, 'INTRO', uuid, chatapp_account, chatapp_number,
      'Hello, I would like to know more about 12 Mill Lane (' || reference_id || ').'
    from made`,
    [intros],
  );
  await client.query('vacuum analyze chat_intros, intro_keys, links');
  await client.query('checkpoint');
}

const shortcodeOf = (n: number): string =>
  n
    .toString(16)
    .padStart(10, '0')
    .replace(/./g, (digit) => '23456789bcdfghjk'[Number.parseInt(digit, 16)]!);

/** Popular links lie all over the table; 7,919 is a prime that divides no number of intros used here. */
const scattered = (n: number, intros: number): number => 1 + ((n * 7_919) % intros);

async function openLinks(
  scope: AsyncDisposableStack,
  { url }: Server,
  file: string,
  seconds: number,
): Promise<LinkLoad> {
  const args = [file, String(Math.floor(Math.random() * draws)), userAgent];
  if ((await findGenerator()) === 'wrk') return runWrk(scope, 'open-links.lua', url, args, seconds);
  const program = path.join(generators, 'open-links.ts');
  return runGenerator(scope, [process.execPath, program, url, ...args, String(seconds), String(connections)]);
}

async function countClicks({ client }: Database): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as clicks from events where kind = 'chat_intro.clicked'`);
  return rows[0].clicks;
}

/** Until every click is in the timeline: as many as were answered, and no more than were asked for. */
async function waitUntilWritten(
  database: Database,
  before: number,
  loads: LinkLoad[],
): Promise<Record<string, number>> {
  const sum = (name: 'requests' | 'used'): number => loads.reduce((total, load) => total + load[name], 0);
  const startedMs = performance.now();
  for (;;) {
    const clicks = (await countClicks(database)) - before;
    const tookMs = performance.now() - startedMs;
    if (clicks > sum('used')) throw new Error(`${sum('used')} links were opened, ${clicks} clicks are written`);
    if (clicks >= sum('requests')) return { clicks, 'all written s after the end': tookMs / 1000 };
    if (tookMs > writtenLimitMs) throw new Error(`Of ${sum('requests')} clicks ${clicks} are written`);
    await sleep(100);
  }
}
