/**
 * The program in one piece. Node runs the sources as they are, and reading their 2,700 modules takes most of a start; so
 * `npm start` bundles them into `.server/` (see `scripts/build-server.ts`), and every start takes the bundle if it was made
 * from the sources that are there now. If it was not, or there is none, the sources are run.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const checkout = path.join(import.meta.dirname, '..');

/** Where the bundle is, and the file in it that says what it was made from. */
export const bundleOf = (root: string): string => path.join(root, '.server');
export const stampName = 'built-from';

/** Parts of the program that a process starts with: their names in the bundle, and their sources. */
export const entries = { serve: 'src/serve.ts', cli: 'src/cli/run.ts' };

/** What has to be imported for a part of the program. */
export function entryUrl(name: keyof typeof entries, root = checkout): string {
  const file = isUpToDate(root) ? path.join(bundleOf(root), `${name}.js`) : path.join(root, entries[name]);
  return pathToFileURL(file).href;
}

function isUpToDate(root: string): boolean {
  try {
    return readFileSync(path.join(bundleOf(root), stampName), 'utf8') === sourcesStamp(root);
  } catch {
    return false;
  }
}

/** Another one after any change of the sources, their tests apart, or of what is installed. */
export function sourcesStamp(root: string): string {
  const sum = createHash('sha256');
  const add = (file: string): void => {
    const { size, mtimeMs } = statSync(file);
    sum.update(`${file}\0${size}\0${mtimeMs}\0`);
  };
  add(path.join(root, 'package-lock.json'));
  add(path.join(root, 'scripts', 'bundle.ts'));
  for (const file of filesIn(path.join(root, 'src')).sort()) {
    if (file.endsWith('.ts') && !file.endsWith('.test.ts')) add(file);
  }
  return sum.digest('hex');
}

/** By hand: Node itself takes twice as long when it is told to look into all folders. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(file) : [file];
  });
