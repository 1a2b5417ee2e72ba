import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../until.ts';

const main = path.join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');

/** Who stops a test does not wait for its calls. */
const usual = { PORT: '0', LOG_LEVEL: 'warn', PROCESSES: '1', CALL_DRAIN_SECONDS: '0' };

export interface Parley {
  pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** The address it serves at; fails, with what was printed, when it ends before that. */
  ready(): Promise<string>;
  /** Resolves when it has ended: the exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** Nothing happens once it has ended: its id may be another's by then. */
  signal(name: NodeJS.Signals): void;
}

/** Starts the real program, or that of another checkout, as a process of its own, outside any directory that holds a `.env`. */
export function startParley(dataDir: string, env: Record<string, string> = {}, program = main): Parley {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: path.dirname(dataDir),
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...usual, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  let over = false;
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      over = true;
      resolve(code);
    }),
  );
  return {
    pid: child.pid!,
    output: () => printed,
    ready: () =>
      until(
        'Parley is ready',
        () => {
          const [, url] = /^ {2}API +(\S+)$/m.exec(printed) ?? [];
          if (!url && over) throw new Error(`Parley ended before it was ready:\n${printed}`);
          return url!;
        },
        Boolean,
        1_800_000,
      ),
    ended,
    signal: (name) => void child.kill(name),
  };
}

/** The processes of a tree, its root first, and of the PostgreSQL that serves the data directory. */
export async function processesOf(root: number, dataDir: string): Promise<number[]> {
  const parents = await readParents();
  const servers = await serversOf(path.join(dataDir, 'postgres', 'pgdata'));
  const found = [root, ...servers].filter((pid) => parents.has(pid));
  // Children are appended while the list is walked, so that it ends with the last grandchild.
  for (const parent of found) {
    for (const [pid, itsParent] of parents) if (itsParent === parent && !found.includes(pid)) found.push(pid);
  }
  return found;
}

/** Kills all of them, again and again until none is left: a process may have started another in between. */
export async function killTree(root: number, dataDir: string): Promise<void> {
  await until('no process is left', async () => {
    const left = await processesOf(root, dataDir);
    for (const pid of left) signalIfThere(pid, 'SIGKILL');
    return left.length === 0;
  });
}

/** Processes come and go while they are listed. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Every living process and its parent. */
async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<[number, number][]> => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // `pid (name) state parent …`; a zombie has ended, and waits only for its parent to notice.
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(stat) ?? [];
    return state && !'ZX'.includes(state) ? [[Number(pid), Number(parent)]] : [];
  };
  return new Map((await Promise.all(pids.map(read))).flat());
}

/** PostgreSQL's processes work in the data directory, also those whose parent is gone. */
export async function serversOf(directory: string): Promise<number[]> {
  const pgdata = await realpath(directory).catch(() => directory);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, index) => places[index] === pgdata).map(Number);
}
