import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Something that is built from sources into a folder, and says there what it was built from. */
export interface Build {
  /** As people know it. */
  name: string;
  target: string;
  /** The file in the folder that has the stamp, and what it must say to be up to date. */
  stampName: string;
  stamp: string;
  /** Builds it into an empty folder. */
  make(folder: string): Promise<void>;
  /** A build that fails is told of, also by the exit code, and keeps nobody from starting. */
  atStart: boolean;
}

/** Builds it unless it is up to date; answers whether it did. Whoever looks finds the old one or the new one, whole. */
export async function buildIfStale(build: Build): Promise<boolean> {
  const { name, target, stampName, stamp, make, atStart } = build;
  if (stampOf(build) === stamp) return false;
  const startedMs = performance.now();
  process.stdout.write(`Building ${name}… `);
  const made = await mkdtemp(`${target}-`);
  try {
    await make(made);
    await writeFile(path.join(made, stampName), stamp);
    await moveIn(made, build);
    console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    if (!atStart) throw error;
    console.error(`it cannot be built, and stays as it was: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    return false;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** Puts the new build in the place of the old one. Of two that come at once the last one stays. */
async function moveIn(made: string, build: Build): Promise<void> {
  const { name, target, stamp } = build;
  const old = await mkdtemp(`${target}-`);
  try {
    for (let round = 0; stampOf(build) !== stamp; round++) {
      if (round === 10) throw new Error(`${name} could not be put into ${target}`);
      await rename(target, path.join(old, `${round}`)).catch(unless('ENOENT'));
      // Another one was faster; if it was made of other sources, it has to go.
      await rename(made, target).catch(unless('ENOTEMPTY', 'EEXIST', 'EPERM'));
    }
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

function unless(...codes: string[]) {
  return (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}

function stampOf({ target, stampName }: Build): string | undefined {
  const file = path.join(target, stampName);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
