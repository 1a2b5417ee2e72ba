import { type Figure, median, quantile, type Run } from '../figures.ts';
import { startDatabase } from '../kit/database.ts';
import { message, messagesPath } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const target = 1.2;
const pageSize = 25;
const largestPage = 200;

interface Page {
  next: string | null;
  results: unknown[];
}

/** Lists of a million messages: a deep page against the first one, and the filters. Sizes are smaller in a quick run. */
export async function list({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [messages, deepPage, repeats] = quick ? [100_000, 1_000, 100] : [1_000_000, 10_000, 500];
  const dataDirectory = await makeDataDirectory(scope);
  await seedMessages(scope, dataDirectory, messages);
  progress(`${messages} messages are there`);

  const parley = await startParley(scope, { dataDirectory, roles: 'api' });
  const page1 = `${messagesPath}?page_size=${pageSize}`;
  const deep = await walkTo(parley, deepPage);
  const [near, far] = await timeInTurns(parley, [page1, deep], repeats);
  const filters = await timeFilters(parley, quick ? 10 : 40);
  const [slowest, ...others] = filters.toSorted((a, b) => b.p50Ms - a.p50Ms);
  const ratio = median(far!) / median(near!);
  return [
    {
      row: 'list',
      what: `page ${deepPage} of ${messages} messages, ${pageSize} a page`,
      figure: median(far!),
      unit: 'ms',
      reference: { what: 'page 1', figure: median(near!) },
      ratio,
      p50Ms: median(far!),
      p99Ms: quantile(far!, 0.99),
      target: `ratio ≤ ${target}`,
      met: ratio <= target,
      details: { 'page 1 p99 ms': quantile(near!, 0.99), 'times each': repeats },
    },
    {
      row: 'list',
      what: `slowest filter: ${slowest!.filter}, page 1`,
      figure: slowest!.p50Ms,
      unit: 'ms',
      p50Ms: slowest!.p50Ms,
      p99Ms: slowest!.p99Ms,
      details: Object.fromEntries(others.map(({ filter, p50Ms }) => [filter, p50Ms])),
    },
  ];
}

/** Sends one message, multiplies it over the month before it, and tidies up as autovacuum would in time. */
export async function seedMessages(
  scope: AsyncDisposableStack,
  dataDirectory: string,
  messages: number,
): Promise<void> {
  const first = await startParley(scope, { dataDirectory, roles: 'api' });
  await call(first, 'POST', messagesPath, message);
  await first.stop();
  const { client, stop } = await startDatabase(scope, dataDirectory);
  await client.query(multiply, [messages - 1]);
  await client.query('vacuum analyze messages, message_states');
  await stop();
}

/** Statuses, directions and types as an account may have them; a hundred thousand people on each side. */
const multiply = `
  with made as materialized (
    select account_id, chatapp_account, chatapp_number, from_digits, message_data, meta_data, n,
      n % 10 = 3 as inbound, '+44770' || lpad((n::bigint * 7919 % 100000)::text, 7, '0') as person,
      uuidv7(n * interval '-2.5 seconds') as uuid
    from messages cross join generate_series($1::int, 1, -1) as n
  ), states as (
    insert into message_states (account_id, uuid, chatapp_account, status)
    select account_id, uuid, chatapp_account,
      case when inbound then 'RECEIVED' when n % 50 = 1 then 'FAILED' when n % 5 = 2 then 'DELIVERED' else 'READ' end
    from made
  )
  insert into messages (account_id, uuid, chatapp_account, direction, type, chatapp_number, from_chatapp_number,
    to_chatapp_number, from_digits, to_digits, message_data, meta_data, created)
  select account_id, uuid, chatapp_account, case when inbound then 'INBOUND' else 'OUTBOUND' end,
    case when n % 20 = 0 then 'CONTACTS' else 'TEMPLATE' end,
    chatapp_number, case when inbound then person else chatapp_number end, case when inbound then chatapp_number else person end,
    case when inbound then substr(person, 2) else from_digits end, case when inbound then from_digits else substr(person, 2) end,
    message_data, meta_data, uuid_extract_timestamp(uuid)
  from made`;

/** Follows `next` as a caller does, in large steps first, to the address of a page of the usual size. */
async function walkTo(parley: Server, page: number): Promise<string> {
  const rowsBefore = (page - 1) * pageSize;
  let target = messagesPath;
  for (let seen = 0; seen < rowsBefore; ) {
    const size = rowsBefore - seen >= largestPage ? largestPage : pageSize;
    const { next } = await call<Page>(parley, 'GET', withSize(target, parley.url, size));
    if (!next) throw new Error(`The list ended after ${seen + size} rows`);
    seen += size;
    target = next;
  }
  return withSize(target, parley.url, pageSize);
}

function withSize(target: string, base: string, size: number): string {
  const url = new URL(target, base);
  url.searchParams.set('page_size', String(size));
  return url.href;
}

/** Times the requests one after another in turns, so that what disturbs the machine disturbs them alike. */
async function timeInTurns(parley: Server, targets: string[], repeats: number): Promise<number[][]> {
  const warmUps = Math.ceil(repeats / 10);
  const times = targets.map((): number[] => []);
  for (let round = -warmUps; round < repeats; round++) {
    for (const [index, target] of targets.entries()) {
      const startedMs = performance.now();
      const { results } = await call<Page>(parley, 'GET', target);
      if (round >= 0) times[index]!.push(performance.now() - startedMs);
      if (results.length > pageSize) throw new Error(`${results.length} rows on a page of ${pageSize}`);
    }
  }
  return times;
}

/** Common and rare values of each filter, and values that nothing has. */
const filters = [
  'status=READ',
  'status=FAILED',
  'status=CANCELLED',
  'type=CONTACTS',
  'direction=INBOUND',
  'to=447700050000',
  'from=447700050000',
  'q=4477',
  'q=447700050000',
  'q=999999',
];

async function timeFilters(parley: Server, repeats: number) {
  const targets = filters.map((filter) => `${messagesPath}?page_size=${pageSize}&${filter}`);
  const times = await timeInTurns(parley, targets, repeats);
  return filters.map((filter, index) => ({
    filter,
    p50Ms: median(times[index]!),
    p99Ms: quantile(times[index]!, 0.99),
  }));
}
