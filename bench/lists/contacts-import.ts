import { createWriteStream } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { importContacts } from '../../src/domains/contacts/index.ts';
import { bytesOfFile, readRows } from '../../src/platform/csv/read.ts';
import { makeDb, makePool } from '../../src/platform/db/connect/pool.ts';
import { newId } from '../../src/platform/ids.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Figure, Run } from '../figures.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { hasEnded, startChild } from '../kit/processes.ts';
import { call, makeDataDirectory, node, root, startParley } from '../kit/server.ts';

const target = 0.5;
const mostMB = 300;

interface Imported {
  seconds: number;
  cpuSeconds: number;
  peakMB: number;
}

/**
 * A file of contacts imported into a list, with their events and memberships, against PostgreSQL's own COPY of the same
 * contacts alone into an empty table with the same indexes.
 */
export async function contactsImport({ scope, quick, progress }: Run): Promise<Figure[]> {
  const contacts = quick ? 100_000 : 1_000_000;
  const dataDirectory = await makeDataDirectory(scope);
  const parley = await startParley(scope, { dataDirectory, roles: 'api' });
  const { uuid: account } = await call<{ uuid: string }>(parley, 'GET', '/v2/account/');
  const { uuid: list } = await call<{ uuid: string }>(parley, 'POST', '/v2/lists/', { name: 'Everybody' });
  await parley.stop();
  const files = { import: path.join(dataDirectory, 'contacts.csv'), copy: path.join(dataDirectory, 'copy.csv') };
  await writeLines(files.import, ['phone_number,name,language_code,city,customer_id'], contacts, importLine);
  await writeLines(files.copy, [], contacts, copyLine(account));
  // PostgreSQL may be another user.
  await chmod(dataDirectory, 0o755);

  const database = await startDatabase(scope, dataDirectory);
  const copySeconds = await copy(database, files.copy);
  progress(`COPY: ${Math.round(contacts / copySeconds)} rows/s`);
  const first = await importInChild(scope, [database.url, account, list, files.import]);
  progress(`import: ${Math.round(contacts / first.seconds)} rows/s, ${Math.round(first.peakMB)} MB`);
  await check(database, contacts);
  const again = await importInChild(scope, [database.url, account, list, files.import]);
  await check(database, contacts);
  const figure = contacts / first.seconds;
  const reference = contacts / copySeconds;
  const ratio = figure / reference;
  return [
    {
      row: 'import',
      what: `${contacts} contacts from a CSV file into a list`,
      figure,
      unit: 'rows/s',
      reference: { what: 'COPY, no list, no events', figure: reference },
      ratio,
      target: `ratio ≥ ${target}, peak RSS < ${mostMB} MB`,
      met: ratio >= target && first.peakMB < mostMB,
      details: {
        'peak RSS MB': first.peakMB,
        'CPU s of the importing process': first.cpuSeconds,
        'the same file again, rows/s': contacts / again.seconds,
      },
    },
  ];
}

const cities = ['London', 'Leeds', 'Bath', 'York', 'Hull', 'Ely', 'Truro', 'Wells'];
// Spread over the range, as numbers in files are.
const digitsOf = (n: number): string => `4477${String((n * 7919) % 100_000_000).padStart(8, '0')}`;
const nameOf = (n: number): string => `Person${n % 1000} Family${n % 7919}`;
const languageOf = (n: number): string => (n % 10 === 0 ? 'cy' : 'en_GB');

const importLine = (n: number): string =>
  `+${digitsOf(n)},${nameOf(n)},${languageOf(n)},${cities[n % cities.length]},C${n}\n`;
const copyLine =
  (account: string) =>
  (n: number): string =>
    `${account},${newId()},+${digitsOf(n)},${digitsOf(n)},${nameOf(n)},${languageOf(n)},"{""city"":""${cities[n % cities.length]}"",""customer_id"":""C${n}""}"\n`;

function writeLines(file: string, header: string[], count: number, line: (n: number) => string): Promise<void> {
  function* lines() {
    for (const text of header) yield `${text}\n`;
    for (let from = 0; from < count; from += 1000) {
      yield Array.from({ length: Math.min(1000, count - from) }, (_, at) => line(from + at)).join('');
    }
  }
  return pipeline(lines, createWriteStream(file, { mode: 0o644 }));
}

async function copy({ client }: Database, file: string): Promise<number> {
  await client.query('create table contacts_copied (like contacts including all)');
  await client.query('checkpoint');
  const startedMs = performance.now();
  await client.query(
    `copy contacts_copied (account_id, uuid, phone_number, digits, name, language_code, attributes) from '${file}' csv`,
  );
  const seconds = (performance.now() - startedMs) / 1000;
  await client.query('drop table contacts_copied');
  await client.query('checkpoint');
  return seconds;
}

async function check({ client }: Database, contacts: number): Promise<void> {
  const { rows } = await client.query(`select (select count(*)::int from contacts) as contacts,
    (select count(*)::int from list_members) as members, (select count::int from tallies) as tally,
    (select count(*)::int from events where kind = 'contact.created') as events`);
  const wrong = Object.entries(rows[0]).filter(([, count]) => count !== contacts);
  if (wrong.length > 0) throw new Error(`Not ${contacts}: ${JSON.stringify(rows[0])}`);
}

/** In a process of its own, so that its memory is that of the import. */
async function importInChild(scope: AsyncDisposableStack, parameters: string[]): Promise<Imported> {
  const child = startChild(scope, [...node, import.meta.filename, ...parameters], { cwd: root });
  await child.exited;
  if (!hasEnded(child) || child.process.exitCode !== 0) throw new Error(`The import failed: ${child.lastWords()}`);
  return JSON.parse(child.lastWords());
}

async function importHere([url, accountId, list, file]: string[]): Promise<void> {
  const db = makeDb(makePool({ connectionString: url! }, makeLog({ level: 'warn', pretty: false })));
  const startedMs = performance.now();
  await importContacts(
    { db },
    {
      accountId: accountId!,
      rows: readRows(bytesOfFile(file!)),
      list: list!,
      dryRun: false,
      rowsDone: 0,
      onBatch: async () => 'go',
    },
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const measured: Imported = {
    seconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMB: (maxRSS * 1024) / 1e6,
  };
  console.log(JSON.stringify(measured));
  await db.destroy();
}

if (import.meta.main) await importHere(process.argv.slice(2));
