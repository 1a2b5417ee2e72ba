/**
 * Builds the web console into `.console/`, unless what is there was built from the very same sources. Runs before every start, so
 * it looks first and loads the bundler only when there is something to do. `--out` names another place, `--sizes` prints what
 * browsers will load; with `--at-start` a console that cannot be built is told of, and keeps nobody from starting.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, sizes: { type: 'boolean' }, 'at-start': { type: 'boolean' } },
});
const target = path.resolve(options.out ?? path.join(root, '.console'));
const stampName = 'built-from';
/** Without these the result may differ. */
const sources = [
  'console',
  'sdk/src',
  'src/platform/sms-text',
  'openapi.json',
  'package-lock.json',
  'scripts/build-console.ts',
];

const stamp = await hashOf(sources);
if (stampOf(target) !== stamp) await build().catch(tell);

function tell(error: unknown): void {
  if (!options['at-start']) throw error;
  console.error(`it cannot be built, and stays as it was: ${error instanceof Error ? error.message : error}`);
}

async function build(): Promise<void> {
  const startedMs = performance.now();
  process.stdout.write('Building the console… ');
  const made = await mkdtemp(`${target}-`);
  try {
    const vite = await import('vite');
    await vite.build({
      configFile: path.join(root, 'console', 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: made },
    });
    await compress(path.join(made, 'assets'));
    await writeFile(path.join(made, stampName), stamp);
    await moveIn(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  if (options.sizes) await printSizes();
}

/** Puts the new build in the place of the old one. Of two that come at once the last one stays. */
async function moveIn(made: string): Promise<void> {
  const old = await mkdtemp(`${target}-`);
  try {
    for (let round = 0; stampOf(target) !== stamp; round++) {
      if (round === 10) throw new Error(`The console could not be put into ${target}.`);
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

/** Each text once more as gzip, so that nobody compresses while a browser waits. */
async function compress(folder: string): Promise<void> {
  const texts = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const file = path.join(folder, name);
      await writeFile(`${file}.gz`, await promisify(gzip)(await readFile(file), { level: 9 }));
    }),
  );
}

function stampOf(folder: string): string | undefined {
  const file = path.join(folder, stampName);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** One hash over names and contents. */
async function hashOf(places: string[]): Promise<string> {
  const files = (await Promise.all(places.map(filesOf))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(path.join(root, file))));
  const sum = createHash('sha256');
  files.forEach((file, index) => {
    const content = contents[index]!;
    sum.update(`${file.replaceAll(path.sep, '/')}\0${content.length}\0`).update(content);
  });
  return sum.digest('hex');
}

async function filesOf(place: string): Promise<string[]> {
  if (!existsSync(path.join(root, place))) return [];
  if (path.extname(place) !== '') return [place];
  const entries = await readdir(path.join(root, place), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** What a browser loads before anything is shown, and the largest of what it loads later; compressed. */
async function printSizes(): Promise<void> {
  const page = await readFile(path.join(target, 'index.html'), 'utf8');
  const assets = path.join(target, 'assets');
  const names = (await readdir(assets)).filter((name) => name.endsWith('.gz'));
  const sizes = await Promise.all(
    names.map(async (name) => ({
      name: name.slice(0, -3),
      kb: (await readFile(path.join(assets, name))).length / 1000,
    })),
  );
  const first = sizes.filter(({ name }) => page.includes(name) && name.endsWith('.js'));
  console.log(`Initial JavaScript ${first.reduce((sum, { kb }) => sum + kb, 0).toFixed(0)} kB gzipped`);
  for (const { name, kb } of sizes.sort((a, b) => b.kb - a.kb).slice(0, 15))
    console.log(`${kb.toFixed(1).padStart(8)} kB  ${name}`);
}
