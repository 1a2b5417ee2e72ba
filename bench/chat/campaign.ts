import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Figure, median, quantile, type Run } from '../figures.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { hasEnded, startChild } from '../kit/processes.ts';
import { call, makeDataDirectory, root, startParley } from '../kit/server.ts';
import type { Sample } from './campaign-worker.ts';

const target = 0.9;

/** A campaign to everybody on a list, from the launch until a carrier that does nothing has all: is it as fast at the end? */
export async function campaign({ scope, quick, progress }: Run): Promise<Figure[]> {
  const contacts = quick ? 20_000 : 1_000_000;
  const dataDirectory = await makeDataDirectory(scope);
  const parley = await startParley(scope, { dataDirectory, roles: 'api' });
  const { uuid: account } = await call<{ uuid: string }>(parley, 'GET', '/v2/account/');
  const { uuid: list } = await call<{ uuid: string }>(parley, 'POST', '/v2/lists/', { name: 'Everybody' });
  await parley.stop();
  const database = await startDatabase(scope, dataDirectory);
  await seed(database, account, list, contacts);
  progress(`${contacts} contacts are there`);

  const program = path.join(import.meta.dirname, 'campaign-worker.ts');
  const parameters = [database.url, dataDirectory, parley.token, list, String(contacts)];
  const file = path.join(dataDirectory, 'samples.json');
  const child = startChild(scope, [process.execPath, program, ...parameters, file], { cwd: root });
  await child.exited;
  if (!hasEnded(child) || child.process.exitCode !== 0) throw new Error(`The campaign failed: ${child.lastWords()}`);
  const samples: Sample[] = JSON.parse(await readFile(file, 'utf8'));
  const rates = [rateBetween(samples, contacts, 0.05, 0.25), rateBetween(samples, contacts, 0.75, 0.95)] as const;
  const [figure, ratio] = [contacts / (samples.at(-1)!.atMs / 1000), rates[1] / rates[0]];
  const memory = samples.map(({ rssMiB }) => rssMiB);
  const quarter = Math.ceil(samples.length / 4);
  return [
    {
      row: 'campaign',
      what: `a campaign to ${contacts} contacts until a carrier that does nothing has all`,
      figure,
      unit: 'messages/s',
      reference: { what: 'its own rate at the start', figure: rates[0] },
      ratio,
      target: `rate at the end / at the start ≥ ${target}`,
      met: ratio >= target,
      details: {
        'RSS MiB after a quarter': median(memory.slice(quarter, quarter + 5)),
        'RSS MiB at the end': median(memory.slice(-5)),
        'counters ms, first quarter': median(samples.slice(0, quarter).map(({ countersMs }) => countersMs)),
        'counters ms, last quarter': median(samples.slice(-quarter).map(({ countersMs }) => countersMs)),
        'counters ms, p99': quantile(
          samples.map(({ countersMs }) => countersMs),
          0.99,
        ),
      },
    },
  ];
}

/** Messages per second while the launch went from one part of its audience to another. */
function rateBetween(samples: Sample[], contacts: number, from: number, to: number): number {
  const at = (part: number): Sample => samples.find(({ handed }) => handed >= contacts * part)!;
  const [first, last] = [at(from), at(to)];
  return (last.handed - first.handed) / ((last.atMs - first.atMs) / 1000);
}

async function seed({ client }: Database, account: string, list: string, contacts: number): Promise<void> {
  await client.query(
    `with made as (
      insert into contacts (account_id, uuid, phone_number, digits, name, language_code, attributes)
      select $1, uuidv7(), '+' || digits, digits, 'Person' || n || ' Family', 'en_GB', '{}'
      from (select n, '4477' || lpad(((n::bigint * 7919) % 100000000)::text, 8, '0') as digits
        from generate_series(1, $3::int) as n) as numbered
      returning uuid
    )
    insert into list_members (account_id, list, contact, added_at) select $1, $2, uuid, now() - interval '1 minute' from made`,
    [account, list, contacts],
  );
  await client.query('vacuum analyze contacts, list_members');
  await client.query('checkpoint');
}
