// PostgreSQL refuses to run as root. The ways, best first:
//   direct     an ordinary user runs it
//   namespace  root runs it in a user namespace where root has another number: files stay root's
//   switch     root runs it as another user, for containers that forbid user namespaces
// Neither way of root may be able to walk down to the data directory (below a home of mode 0700, say), so the programs are
// started inside it and told to use /proc/self/cwd, which the kernel resolves without walking.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, lchown, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../errors.ts';
import { type Binaries, binariesIn } from './binaries.ts';

export interface Owner {
  uid: number;
  gid: number;
}

/** A way to start the programs. With `owner`, the data and socket directories must belong to that user. */
export interface RunAs {
  way: 'direct' | 'namespace' | 'switch';
  binaries: Binaries;
  prefix: string[];
  owner?: Owner;
}

interface Surroundings {
  binaries: Binaries;
  pgdata: string;
  /** Where another user can read: gets a private copy of the programs if the installed ones are out of reach. */
  runtimeDirectory: string;
  userNamespaces?: boolean;
}

/** Picks the way that works here and fits whoever owns the data so far. */
export async function chooseRunAs({
  binaries,
  pgdata,
  runtimeDirectory,
  userNamespaces,
}: Surroundings): Promise<RunAs> {
  const uid = process.getuid?.();
  const owner = await stat(pgdata).catch(() => undefined);
  if (uid !== 0) {
    if (owner && uid !== undefined && owner.uid !== uid) {
      throw new StartError(
        `${pgdata} belongs to another user (id ${owner.uid}): start Parley as that user or set DATA_DIR.`,
      );
    }
    return { way: 'direct', binaries, prefix: [] };
  }
  if (process.platform === 'linux') {
    const account = await findAccount();
    const inherited = owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined;
    if (!inherited && userNamespaces !== false) {
      const prefix = ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`];
      const runAs: RunAs = { way: 'namespace', binaries, prefix };
      if (await works(runAs)) return runAs;
    }
    const runAs: RunAs = { way: 'switch', binaries, prefix: [], owner: inherited ?? account };
    if (await works(runAs)) return runAs;
    runAs.binaries = await copyBinaries(binaries, runtimeDirectory, runAs.owner!);
    if (await works(runAs)) return runAs;
  }
  throw new StartError('PostgreSQL does not run as root here: start Parley as an ordinary user or set DATABASE_URL.');
}

/** Starts one of the programs on a data directory. */
export function launch(
  { way, binaries, prefix, owner }: RunAs,
  program: 'initdb' | 'postgres',
  dataDirectory: string,
  args: string[],
  options: Pick<SpawnOptions, 'stdio' | 'detached'>,
): ChildProcess {
  const data = way === 'direct' ? dataDirectory : '/proc/self/cwd';
  const [file, ...rest] = [...prefix, binaries[program], '-D', data, ...args];
  const place = { ...owner, cwd: dataDirectory, env: environment() };
  const child = spawn(file!, rest, { ...options, ...place, windowsHide: true });
  stopAtExit(child);
  return child;
}

/** A process that exits early, say because its port is taken, cannot wait for PostgreSQL but does not leave it behind. */
function stopAtExit(child: ChildProcess): void {
  const stop = () => child.kill('SIGINT');
  // Before the listeners that remove the directories it works in.
  process.prependOnceListener('exit', stop);
  child.once('exit', () => process.off('exit', stop));
}

/** Gives a tree to its new owner, the top last: an interrupted change is seen and done again at the next start. */
export async function giveTo(owner: Owner, top: string): Promise<void> {
  for (const entry of await readdir(top, { withFileTypes: true })) {
    const inner = path.join(top, entry.name);
    if (entry.isDirectory()) await giveTo(owner, inner);
    else await lchown(inner, owner.uid, owner.gid);
  }
  await lchown(top, owner.uid, owner.gid);
}

/** Settings meant for other PostgreSQL programs (PGPORT, PGDATESTYLE, PGOPTIONS) must not reach ours. */
function environment(): NodeJS.ProcessEnv {
  const foreign = ([name]: [string, unknown]) => /^PG[A-Z]+$/.test(name) || name.startsWith('LC_');
  return { ...Object.fromEntries(Object.entries(process.env).filter((entry) => !foreign(entry))), LC_ALL: 'C' };
}

async function works({ prefix, binaries, owner }: RunAs): Promise<boolean> {
  const [file, ...args] = [...prefix, binaries.postgres, '--version'];
  const child = spawn(file!, args, { ...owner, cwd: '/', stdio: 'ignore' });
  return once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}

/** An account with a name, since initdb looks its own up. */
async function findAccount(): Promise<Owner> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const found = accounts.find(([name]) => name === wanted);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new StartError(
    'PostgreSQL does not run as root and there is no user postgres or nobody: add one or set DATABASE_URL.',
  );
}

async function copyBinaries(binaries: Binaries, runtimeDirectory: string, owner: Owner): Promise<Binaries> {
  const copy = path.join(runtimeDirectory, 'programs');
  const needed = (file: string) => !file.endsWith('.a');
  await cp(binaries.directory, copy, { recursive: true, verbatimSymlinks: true, filter: needed });
  await giveTo(owner, runtimeDirectory);
  return binariesIn(copy);
}
