import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { startDatabase } from '../kit/database.ts';
import { message, messagesPath } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const target = 1.2;
const pollMs = 100;
const days = 365;
const path = '/v2/reports/?metric=messages&group_by=month';

interface Report {
  complete: boolean;
  total: { count: number };
}

/** A report of a year: from many messages against few, when its days are counted for the first time and once they are. */
export async function reports({ scope, quick, progress }: Run): Promise<Figure[]> {
  const [few, many, repeats] = quick ? [1_000, 100_000, 50] : [10_000, 1_000_000, 200];
  const small = await measure(scope, few, repeats);
  progress(`${few} messages: counted after ${Math.round(small.firstMs)} ms`);
  const large = await measure(scope, many, repeats);
  const ratio = median(large.timesMs) / median(small.timesMs);
  return [
    {
      row: 'reports',
      what: `a year by months, of ${many} messages`,
      figure: median(large.timesMs),
      unit: 'ms',
      reference: { what: `of ${few}`, figure: median(small.timesMs) },
      ratio,
      p50Ms: median(large.timesMs),
      p99Ms: quantile(large.timesMs, 0.99),
      target: `ratio ≤ ${target}`,
      met: ratio <= target,
      details: {
        'complete for the first time after, ms': large.firstMs,
        [`of ${few}, ms`]: small.firstMs,
        'longest answer until then, ms': large.longestMs,
        'times each': repeats,
      },
    },
  ];
}

async function measure(scope: AsyncDisposableStack, messages: number, repeats: number) {
  const dataDirectory = await makeDataDirectory(scope);
  await seed(scope, dataDirectory, messages);
  const parley = await startParley(scope, { dataDirectory });
  const startedMs = performance.now();
  let longestMs = 0;
  for (;;) {
    const [report, tookMs] = await ask(parley);
    longestMs = Math.max(longestMs, tookMs);
    if (report.complete) {
      if (report.total.count < messages * 0.99) throw new Error(`${report.total.count} of ${messages} were counted`);
      break;
    }
    await sleep(pollMs);
  }
  const firstMs = performance.now() - startedMs;
  const timesMs: number[] = [];
  for (let round = 0; round < repeats; round++) timesMs.push((await ask(parley))[1]);
  await parley.stop();
  return { firstMs, longestMs, timesMs };
}

async function ask(parley: Server): Promise<[Report, number]> {
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const startedMs = performance.now();
  const report = await call<Report>(parley, 'GET', `${path}&from=${from}`);
  return [report, performance.now() - startedMs];
}

/** States are all that is counted. They are spread over the year, but for a day at its beginning. */
async function seed(scope: AsyncDisposableStack, dataDirectory: string, messages: number): Promise<void> {
  const first = await startParley(scope, { dataDirectory, roles: 'api' });
  await call(first, 'POST', messagesPath, message);
  await first.stop();
  const { client, stop } = await startDatabase(scope, dataDirectory);
  await client.query(
    `insert into message_states (account_id, uuid, chatapp_account, status)
     select account_id, uuidv7(n * $2::float8 * interval '-1 second'), chatapp_account,
       case when n % 50 = 1 then 'FAILED' when n % 5 = 2 then 'DELIVERED' else 'READ' end
     from (select account_id, chatapp_account from message_states limit 1) as made
     cross join generate_series($1::int, 1, -1) as n`,
    [messages, ((days - 2) * 86_400) / messages],
  );
  await client.query('vacuum analyze message_states');
  await stop();
}
