import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const patienceMs = 20_000;
const longestWords = 20_000;

/** A child process, with what it wrote last, for the case that it fails. */
export interface Child {
  process: ChildProcess;
  exited: Promise<void>;
  lastWords(): string;
}

/**
 * Starts a program in a process group of its own: a Ctrl-C reaches the bench alone, which then stops what it started. `stop`
 * is put on the scope before anything can fail.
 */
export function startChild(
  scope: AsyncDisposableStack,
  [program, ...args]: [string, ...string[]],
  options: SpawnOptions,
  stop: (child: Child) => Promise<void> = endChild,
): Child {
  if (scope.disposed) throw new Error('The bench is ending');
  const process = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [process.stdout!, process.stderr!]) {
    stream.setEncoding('utf8').on('data', (text) => {
      words = (words + text).slice(-longestWords);
    });
  }
  const exited = Promise.race([once(process, 'close'), once(process, 'error')]).then(() => {});
  const child = { process, exited, lastWords: () => words.trim() };
  scope.defer(() => stop(child));
  return child;
}

export const hasEnded = ({ process }: Child): boolean =>
  process.pid === undefined || process.exitCode !== null || process.signalCode !== null;

/**
 * Asks a process to end and waits. Whatever of its descendants is there after that is ended with SIGQUIT, which PostgreSQL
 * takes as well: one that was asked too early in its start may have left it behind.
 */
export async function endChild(child: Child, pid = child.process.pid): Promise<void> {
  if (hasEnded(child) || pid === undefined) return;
  const tree = await listTree(child.process.pid!);
  signal(pid, 'SIGTERM');
  await Promise.race([child.exited, sleep(patienceMs, undefined, { ref: false })]);
  const now = await listProcesses();
  const isLeft = ({ pid, command }: ProcessInfo): boolean =>
    now.some((other) => other.pid === pid && other.command === command);
  for (const { pid } of tree.filter(isLeft)) signal(pid, 'SIGQUIT');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface ProcessInfo {
  pid: number;
  parent: number;
  rssKiB: number;
  command: string;
}

/** A process and its descendants, parents before children. */
export async function listTree(root: number): Promise<ProcessInfo[]> {
  const all = await listProcesses();
  const childrenOf = Map.groupBy(all, ({ parent }) => parent);
  const withDescendants = (info: ProcessInfo): ProcessInfo[] => [
    info,
    ...(childrenOf.get(info.pid) ?? []).flatMap(withDescendants),
  ];
  return all.filter(({ pid }) => pid === root).flatMap(withDescendants);
}

async function listProcesses(): Promise<ProcessInfo[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { maxBuffer: 2 ** 24 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, rss, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), rssKiB: Number(rss), command: command.trim() }];
  });
}

/** Memory of a process with its share of what it has in common with others; undefined where the system does not tell. */
export async function readPssKiB(pid: number): Promise<number | undefined> {
  const summary = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const [, pss] = /^Pss:\s+(\d+) kB$/m.exec(summary) ?? [];
  return pss === undefined ? undefined : Number(pss);
}
