import { readFile } from 'node:fs/promises';
import { listTree } from './processes.ts';

/** Processor time, in milliseconds; on a machine that others use it tells more than the clock. */
export interface Cpu {
  node: number;
  postgres: number;
}

/** Of what `/proc` counts in: hundredths of a second on every Linux. */
const tickMs = 10;

interface Stat {
  parent: number;
  ownMs: number;
  /** Of its children that have ended. */
  endedMs: number;
}

/** undefined where the system does not tell. */
async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (text === '') return undefined;
  // The name, in brackets, may contain anything.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((n) => fields[n]);
  return { parent, ownMs: (user + system) * tickMs, endedMs: (endedUser + endedSystem) * tickMs };
}

/** What a server and the PostgreSQL of a backend have used until now, without what that backend itself has. */
export async function readCpu(serverPid: number, backendPid: number): Promise<Cpu> {
  const [server, backend] = await Promise.all([readStat(serverPid), readStat(backendPid)]);
  const tree = backend ? await listTree(backend.parent) : [];
  const stats = await Promise.all(tree.filter(({ pid }) => pid !== backendPid).map(({ pid }) => readStat(pid)));
  const postgres = stats.reduce((sum, stat) => sum + (stat ? stat.ownMs + stat.endedMs : 0), 0);
  return { node: server?.ownMs ?? 0, postgres };
}

/** What a process and all below it have used until now. */
export async function readTreeMs(pid: number): Promise<number> {
  const stats = await Promise.all((await listTree(pid)).map((one) => readStat(one.pid)));
  return stats.reduce((sum, stat) => sum + (stat ? stat.ownMs + stat.endedMs : 0), 0);
}
