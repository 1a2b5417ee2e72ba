import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import { locateBinaries } from '../src/platform/postgres/binaries.ts';
import { findGenerator } from './kit/load.ts';

/** What the figures were measured on; without it they mean nothing. */
export async function describeMachine(): Promise<Record<string, string | number>> {
  const { stdout } = await promisify(execFile)(locateBinaries().postgres, ['--version']);
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    postgres: stdout.trim().replace(/^postgres \(PostgreSQL\) /, ''),
    loadGenerator: await findGenerator(),
    // Above 0 before anything was started: somebody else is using the machine.
    loadBefore: Math.round(os.loadavg()[0]! * 100) / 100,
  };
}
