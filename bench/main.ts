// npm run bench [-- row … --quick]: measures, prints a table, and writes it to .bench/results.json.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { campaign } from './chat/campaign.ts';
import { connector } from './chat/connector.ts';
import { inbound } from './chat/inbound.ts';
import { ingest } from './chat/ingest.ts';
import { match } from './chat/match.ts';
import { rate } from './chat/rate.ts';
import { redirect } from './chat/redirect.ts';
import { reply } from './chat/reply.ts';
import { through } from './chat/through.ts';
import { webhooks } from './chat/webhooks.ts';
import type { Figure, Row } from './figures.ts';
import { benchDirectory } from './kit/server.ts';
import { consoleList } from './lists/console.ts';
import { contactsImport } from './lists/contacts-import.ts';
import { list } from './lists/list.ts';
import { reports } from './lists/reports.ts';
import { describeMachine } from './machine.ts';
import { smpp } from './sms/smpp-codec.ts';
import { sms } from './sms/sms.ts';
import { formatTable } from './table.ts';
import { calls } from './voice/calls.ts';
import { relay } from './voice/voice-media.ts';
import { cores } from './whole/cores.ts';
import { costs, model } from './whole/costs.ts';
import { distributed } from './whole/distributed.ts';
import { fairness } from './whole/fairness.ts';
import { flood } from './whole/flood.ts';
import { memory } from './whole/memory.ts';
import { start } from './whole/start.ts';
import { switches } from './whole/switches.ts';
import { tenants } from './whole/tenants.ts';

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
  switches,
  distributed,
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
