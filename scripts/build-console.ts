/**
 * Builds the web console into `.console/`, unless what is there was built from the very same sources. Runs before every start, so
 * it looks first and loads the bundler only when there is something to do. `--out` names another place, `--sizes` prints what
 * browsers will load; with `--at-start` a console that cannot be built is told of, and keeps nobody from starting.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { buildIfStale } from './put-in-place.ts';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, sizes: { type: 'boolean' }, 'at-start': { type: 'boolean' } },
});
const target = path.resolve(options.out ?? path.join(root, '.console'));
/** Without these the result may differ. */
const sources = [
  'console',
  'sdk/src',
  'src/platform/sms-text',
  'openapi.json',
  'package-lock.json',
  'scripts/build-console.ts',
];

const isNew = await buildIfStale({
  name: 'the console',
  target,
  stampName: 'built-from',
  stamp: await hashOf(sources),
  make,
  atStart: options['at-start'] === true,
});
if (isNew && options.sizes) await printSizes();

async function make(folder: string): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    configFile: path.join(root, 'console', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder },
  });
  await compress(path.join(folder, 'assets'));
}

/** Each text once more as gzip and Brotli, so that nobody compresses while a browser waits. */
async function compress(folder: string): Promise<void> {
  const texts = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const file = path.join(folder, name);
      const text = await readFile(file);
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text));
    }),
  );
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
