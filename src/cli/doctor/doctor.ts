import { join } from 'node:path';
import { type Config, readConfig } from '../../platform/config.ts';
import { DatabaseClient } from '../../platform/db/connect/client.ts';
import { type Connection, connectionOf, directOf } from '../../platform/db/connect/connection.ts';
import { clientOptions } from '../../platform/db/connect/pool.ts';
import { StartError } from '../../platform/errors.ts';
import { readRing } from '../../platform/keys/read-ring.ts';
import { checkKey, checkLinks, checkMigrations, checkProcesses, checkServer, checkWalArchive } from './database.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkCertificate, checkDataDir, checkDisk, checkNames, checkPort, checkSipPort } from './machine.ts';
import { checkCertificateFiles, checkSettings } from './settings.ts';

const queryMs = 10_000;

/** Looks at everything a server needs, and changes nothing. Answers the exit code: 0 all is well, 1 warnings, 2 problems. */
export async function examine(env: Record<string, string | undefined>, { json }: { json?: boolean }): Promise<number> {
  const findings = await findAll(env);
  const code = findings.some(({ level }) => level === 'problem')
    ? 2
    : findings.some(({ level }) => level === 'warning')
      ? 1
      : 0;
  if (json) console.log(JSON.stringify({ status: ['ok', 'warning', 'problem'][code], findings }));
  else for (const finding of findings) console.log(lineOf(finding));
  return code;
}

const lineOf = ({ check, level, text, advice }: Finding): string =>
  `${level.padEnd(8)} ${check.padEnd(12)} ${text}${advice ? `\n${' '.repeat(22)}${advice}` : ''}`;

async function findAll(env: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [
      problem('settings', error.message, 'Correct it in the environment or in .env; nothing else was looked at.'),
    ];
  }
  const machine = await Promise.all([
    checkDataDir(config),
    checkDisk(config),
    checkPort(config),
    checkCertificate(config),
    checkCertificateFiles(config),
  ]);
  const { findings, hosts } = await checkDatabase(config);
  for (const [host, purpose] of hostsOf(config)) hosts.set(host, purpose);
  return [
    ...checkSettings(config),
    ...machine.flat(),
    ...findings,
    ...(await checkNames(hosts)),
    ...(await checkStore(config)),
  ];
}

/** Names in the settings that the server connects to. */
function hostsOf({ PUBLIC_URL, ASTERISK_URL, store }: Config): Map<string, string> {
  const urls = { PUBLIC_URL, ASTERISK_URL, FILES_URL: store?.endpoint ?? '' };
  return new Map(Object.entries(urls).flatMap(([name, url]) => (url ? [[new URL(url).hostname, name] as const] : [])));
}

async function checkDatabase(config: Config): Promise<{ findings: Finding[]; hosts: Map<string, string> }> {
  const none = new Map<string, string>();
  let connection: Connection | undefined;
  try {
    if (config.DATABASE_URL) connection = connectionOf(config);
    else {
      const { findServer } = await import('../../platform/postgres/running.ts');
      const found = await findServer(join(config.dataDir, 'postgres'));
      if (!found)
        return { findings: [ok('database', 'There is none yet; the first start makes an embedded one.')], hosts: none };
      connection = found.connection;
      if (!connection) {
        const text = 'The embedded PostgreSQL does not run, so what is in it was not looked at.';
        return { findings: [warning('database', text, 'Start Parley, and run this again.')], hosts: none };
      }
    }
  } catch (error) {
    return { findings: [unreachable(error)], hosts: none };
  }
  const client = new DatabaseClient({ ...clientOptions(directOf(connection)), query_timeout: queryMs });
  client.on('error', () => {});
  try {
    await client.connect();
    const server = await checkServer(client);
    const migrations = await checkMigrations(client);
    // Its tables are those that we know only then.
    if (migrations[0]?.level !== 'ok' || migrations[0].text.includes('empty'))
      return { findings: [...server, ...migrations], hosts: none };
    const processes = await checkProcesses(client);
    const isServed = !processes[0]?.text.startsWith('No process serves');
    const { findings, hosts, hasTrunks } = await checkLinks(client, isServed);
    const key = await checkKey(client, await readRing(config, false));
    const sip = hasTrunks && !isServed ? await checkSipPort(config) : [];
    const wal = config.DATABASE_URL ? [] : await checkWalArchive(client, config.WAL_ARCHIVE);
    return { findings: [...server, ...migrations, ...wal, ...key, ...processes, ...findings, ...sip], hosts };
  } catch (error) {
    return { findings: [unreachable(error)], hosts: none };
  } finally {
    await client.end().catch(() => {});
  }
}

function unreachable(error: unknown): Finding {
  const { message, code } = error as { message?: string; code?: string };
  return problem(
    'database',
    `It cannot be reached (${message || code}).`,
    'Check DATABASE_URL, that the server runs, and its pg_hba.conf.',
  );
}

async function checkStore({ store: address }: Config): Promise<Finding[]> {
  if (!address) return [];
  const { openStore } = await import('../../platform/files/s3/client.ts');
  const store = openStore(address);
  try {
    await store.check();
    return [ok('files', 'The store of FILES_URL answers.')];
  } catch (error) {
    return [problem('files', (error as Error).message, 'Check FILES_URL, its keys, and that the bucket is there.')];
  } finally {
    await store.close();
  }
}
