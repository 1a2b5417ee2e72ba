import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';

const pollMs = 10;
const fastShutdownMs = 10_000;
const immediateShutdownMs = 5_000;

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process is a PostgreSQL on this data directory. Its number alone proves nothing: after a restart of a
 * container the same numbers belong to other programs. Windows cannot tell more than that the process exists.
 */
export async function servesDirectory(pid: number, pgdata: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform === 'darwin') return /postgres$/.test(await run('ps', ['-o', 'comm=', '-p', String(pid)]));
  const directory = await directoryOfPostgres(pid);
  return directory === 'hidden' || directory === (await realpath(pgdata));
}

/** Kills the sessions of a server whose first process is gone; the crash recovery of the next start expects just that. */
export async function killLeftovers(pgdata: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const directory = await realpath(pgdata);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    if ((await directoryOfPostgres(pid)) === directory) signal(pid, 'SIGKILL');
  }
}

/** Where a PostgreSQL process works, which is its data directory; undefined for any other program. */
async function directoryOfPostgres(pid: number): Promise<string | 'hidden' | undefined> {
  try {
    // A zombie (Z) has ended; where nobody collects them, as in some containers, it stays on the list.
    if (!/^\d+ \(postgres\) [^ZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8'))) return undefined;
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    // A process of another user does not show it.
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'hidden' : undefined;
  }
}

/** Ends a server: fast shutdown, then immediate, then by force. Resolves when `isGone`. */
export async function endServer(
  pid: number,
  binaries: Binaries,
  isGone: () => boolean | Promise<boolean>,
): Promise<void> {
  await ask(pid, binaries, 'INT');
  if (await within(fastShutdownMs, isGone)) return;
  await ask(pid, binaries, 'QUIT');
  if (await within(immediateShutdownMs, isGone)) return;
  signal(pid, 'SIGKILL');
  await within(immediateShutdownMs, isGone);
}

/** Sends a signal to a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Windows has no signals: PostgreSQL listens on a pipe there, and pg_ctl knows how to write to it. */
async function ask(pid: number, binaries: Binaries, name: 'INT' | 'QUIT'): Promise<void> {
  if (process.platform !== 'win32') return signal(pid, `SIG${name}`);
  await run(binaries.pgCtl, ['kill', name, String(pid)]);
}

const run = (file: string, args: string[]): Promise<string> =>
  promisify(execFile)(file, args).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );

async function within(limitMs: number, isGone: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await isGone())) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
