import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartError } from '../errors.ts';
import { binariesPackage, linkLibraries } from './link-libraries.js';

/** The PostgreSQL programs, and the directory that holds them with their libraries. */
export interface Binaries {
  directory: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** Finds the programs of this platform among the installed packages. */
export function locateBinaries(): Binaries {
  const packageDirectory = path.dirname(path.dirname(resolveEntry()));
  linkLibraries(packageDirectory);
  return binariesIn(path.join(packageDirectory, 'native'));
}

/** The programs below a directory laid out like the package's. */
export function binariesIn(directory: string): Binaries {
  const program = (name: string) => path.join(directory, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { directory, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

function resolveEntry(): string {
  try {
    return fileURLToPath(import.meta.resolve(binariesPackage()));
  } catch (cause) {
    const sentence = `There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to your own.`;
    throw new StartError(sentence, { cause });
  }
}

/** The major version of the programs of this platform: data files of another one cannot be used. */
export async function embeddedMajor(): Promise<number> {
  const { stdout } = await promisify(execFile)(locateBinaries().postgres, ['--version'], { timeout: 10_000 });
  return Number.parseInt(/(\d+)/.exec(stdout)?.[1] ?? '', 10);
}
