// npm run bench [-- row … --quick]: measures, prints a table, and writes it to .bench/results.json.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { campaign } from './campaign.ts';
import { connector } from './connector.ts';
import { consoleList } from './console.ts';
import { contactsImport } from './contacts-import.ts';
import { cores } from './cores.ts';
import { costs, model } from './costs.ts';
import { fairness } from './fairness.ts';
import type { Figure, Row } from './figures.ts';
import { flood } from './flood.ts';
import { inbound } from './inbound.ts';
import { ingest } from './ingest.ts';
import { list } from './list.ts';
import { describeMachine } from './machine.ts';
import { match } from './match.ts';
import { memory } from './memory.ts';
import { rate } from './rate.ts';
import { redirect } from './redirect.ts';
import { reply } from './reply.ts';
import { reports } from './reports.ts';
import { benchDirectory } from './server.ts';
import { smpp } from './smpp-codec.ts';
import { sms } from './sms.ts';
import { start } from './start.ts';
import { formatTable } from './table.ts';
import { tenants } from './tenants.ts';
import { through } from './through.ts';
import { relay } from './voice-media.ts';
import { webhooks } from './webhooks.ts';

const rows: Record<string, Row> = {
  ingest,
  processes: cores,
  through,
  connector,
  rate,
  inbound,
  webhooks,
  list,
  reports,
  console: consoleList,
  import: contactsImport,
  campaign,
  match,
  redirect,
  reply,
  smpp,
  sms,
  calls,
  relay,
  start,
  memory,
  flood,
  tenants,
  fairness,
  costs,
  model,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } });
const unknown = positionals.filter((name) => !(name in rows));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. Rows: ${Object.keys(rows).join(', ')}.`);
  process.exit(1);
}

const interruption = new Error('Interrupted');
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(interruption));
});

/** Runs one row; whatever happens, all it started has ended when this returns. */
async function measure(name: string, quick: boolean): Promise<Figure[]> {
  await using scope = new AsyncDisposableStack();
  const progress = (line: string): void => console.error(`${name}: ${line}`);
  progress('…');
  return await Promise.race([rows[name]!({ scope, quick, progress }), interrupted]);
}

const quick = values.quick ?? false;
const machine = await describeMachine();
const figures: Figure[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(rows)) {
  try {
    figures.push(...(await measure(name, quick)));
  } catch (error) {
    process.exitCode = error === interruption ? 130 : 1;
    console.error(`${name} failed:`, error === interruption ? 'interrupted' : error);
    if (error === interruption) break;
  }
}
if (figures.length > 0) {
  console.log(
    `\n${Object.entries(machine)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}\n\n${formatTable(figures)}`,
  );
  await mkdir(benchDirectory, { recursive: true });
  const results = { date: new Date().toISOString(), machine, quick, rows: figures };
  await writeFile(path.join(benchDirectory, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
}
// A row that was interrupted may still hold timers and sockets.
process.exit();
