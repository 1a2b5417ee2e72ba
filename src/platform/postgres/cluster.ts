import { once } from 'node:events';
import { chown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { StartError } from '../errors.ts';
import type { Home } from './home.ts';
import { isAlive } from './processes.ts';
import { giveTo, launch, type RunAs } from './run-as.ts';

/** The one role of the cluster, its superuser. */
export const role = 'parley';
const draftName = /\.new-(\d+)$/;

interface ClusterOptions {
  home: Home;
  runAs: RunAs;
  runtimeDirectory: string;
  /** Wait until the files are on disk; only throw-away clusters go without. */
  sync: boolean;
  progress: (line: string) => void;
  onLaunched?: (() => void) | undefined;
}

/**
 * Makes the data directory at the first start. It grows under another name and is renamed when whole, so that a kill in
 * the middle leaves nothing that the next start could mistake for a database.
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { home, runAs, runtimeDirectory, sync, progress, onLaunched } = options;
  const existing = await stat(home.pgdata).catch(() => undefined);
  if (existing && (await readdir(home.pgdata)).length > 0) {
    if (runAs.owner && existing.uid !== runAs.owner.uid) await giveTo(runAs.owner, home.pgdata);
    return;
  }
  progress('Creating the database (first start only)…');
  await removeAbandonedDrafts(home.directory);
  const draft = path.join(home.directory, `pgdata.new-${process.pid}`);
  const passwordFile = path.join(runtimeDirectory, 'password');
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, home.password, { mode: 0o600 });
    if (runAs.owner) for (const name of [draft, passwordFile]) await chown(name, runAs.owner.uid, runAs.owner.gid);
    const created = initialise(runAs, draft, passwordFile, sync);
    onLaunched?.();
    await created;
    await rename(draft, home.pgdata).catch((error) => {
      // Another start was faster: its cluster stands, and the look at who is running comes next.
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error;
    });
    if (sync) await syncDirectory(home.directory);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** Text sorts by code point on every machine, so the order of a list never depends on the machine's locale. */
async function initialise(runAs: RunAs, draft: string, passwordFile: string, sync: boolean): Promise<void> {
  const args = [
    `--username=${role}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // Nobody guesses a random password; each connection would take 2 ms longer for that.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(sync ? [] : ['--no-sync']),
  ];
  const child = launch(runAs, 'initdb', draft, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [complaint, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  if (code !== 0) throw new StartError(`The database could not be created: ${summarise(complaint)}`);
}

const summarise = (complaint: string) =>
  complaint
    .split('\n')
    .map((line) => line.replace(/^initdb: (error: )?/, '').trim())
    .filter((line) => /error|could not|no space|denied/i.test(line))
    .join('; ') || 'initdb gave no reason';

/** An initdb whose Parley was killed may still be writing to its draft; that stays then, since it is in nobody's way. */
async function removeAbandonedDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const maker = Number(draftName.exec(name)?.[1] ?? Number.NaN);
    const abandoned = maker === process.pid || (maker > 0 && !isAlive(maker));
    if (abandoned)
      await rm(path.join(directory, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}
