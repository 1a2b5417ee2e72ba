// Runs before `npm test` and others, on whatever Node the machine has (18 or newer): installs what is missing, which includes the Node
// that runs the rest. Costs a few milliseconds when there is nothing to do. With `--without-tools` it leaves out what only tests and
// checks need, a third of all packages; the first command that needs them adds them. `--build` builds the console and the server if they
// are out of date. `npm start` is this with `--start`: the program then runs in the same process, because each one more takes time.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { binariesPackage, linkLibraries } from '../src/platform/postgres/link-libraries.js';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.parley-lock');
/** What the console and the server were built from when both were last seen to be up to date. */
const builtFile = path.join(modules, '.parley-built');
const lockFile = path.join(root, '.installing');
const windows = process.platform === 'win32';
const bundledNode = path.join(modules, '.bin', windows ? 'node.cmd' : 'node');

const lockfile = readFileSync(path.join(root, 'package-lock.json'));
const lockfileHash = createHash('sha256').update(lockfile).digest('hex');

// The stamp names the lockfile whose packages are there, and tells whether the tools are missing.
const toolsMissing = ' without tools';
const needsTools = !process.argv.includes('--without-tools');
/** Those that are there stay. */
const leavesToolsOut = !needsTools && (stampNow()?.endsWith(toolsMissing) ?? true);

const isNewEnough = Number.parseInt(process.versions.node, 10) >= 24;
const wasInstalled = isInstalled();
if (!wasInstalled) await whileLocked(install);
if (!existsSync(bundledNode) && !isNewEnough) {
  const platform = `${process.platform}-${process.arch}`;
  fail(
    `Parley needs Node.js 24, and npm has none ready for ${platform}: install it in place of ${process.version} and try again.`,
  );
}

if (process.argv.includes('--build')) {
  const stamp = stampOfSources();
  if (!isBuilt(stamp) && build() === 0) noteBuilt(stamp);
}

if (process.argv.includes('--start')) {
  if (wasInstalled && isNewEnough) await import('./start.js');
  else startAnew();
}

/** With the Node that has just been installed. */
function startAnew() {
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  const [file, ...args] = [node, ...process.execArgv, path.join(root, 'scripts', 'start.js')];
  const quoted = (text) => (windows ? `"${text}"` : text);
  const child = spawn(quoted(file), args.map(quoted), { stdio: 'inherit', shell: windows });
  // Ctrl-C reaches both; the program itself decides how it ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`The program does not start: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

/**
 * Builds what is not up to date. By the Node that npm brought: the shell that called this may go on with the one it found before that
 * was there.
 */
function build() {
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  const script = path.join(root, 'scripts', 'build.ts');
  const command = windows ? [`"${node}"`, `"${script}"`] : [node, script];
  return spawnSync(command[0], [command[1], '--at-start'], { stdio: 'inherit', shell: windows }).status;
}

/** Whether everything was built from these sources: then the build, which takes a third of a second to look, need not be asked. */
function isBuilt(stamp) {
  const folders = ['.console', '.server'].map((folder) => path.join(root, folder, 'built-from'));
  return (
    folders.every((file) => existsSync(file)) && existsSync(builtFile) && readFileSync(builtFile, 'utf8') === stamp
  );
}

function noteBuilt(stamp) {
  try {
    writeFileSync(builtFile, stamp);
  } catch {
    // Another user's folder: the build is asked at every start.
  }
}

/** Another one after any change of the sources of the console or the server, or of what builds them. */
function stampOfSources() {
  const sum = createHash('sha256').update(lockfileHash);
  const builders = ['build', 'build-console', 'build-server', 'bundle', 'put-in-place'].map(
    (name) => `scripts/${name}.ts`,
  );
  const sources = ['console', 'sdk/src', 'src'].flatMap(filesIn);
  for (const name of [...builders, 'openapi.json', ...sources].sort()) {
    const found = statSync(path.join(root, name), { throwIfNoEntry: false });
    sum.update(`${name}\0${found?.size}\0${found?.mtimeMs}\0`);
  }
  return sum.digest('hex');
}

/** By hand: told to do it, older versions of Node take eight times as long. */
function filesIn(folder) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(name) : [name];
  });
}

function isInstalled() {
  const stamp = stampNow();
  return stamp === lockfileHash || (!needsTools && stamp === lockfileHash + toolsMissing);
}

function stampNow() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
}

async function install() {
  // The one we waited for has done it.
  if (isInstalled()) return;
  const stamp = stampNow();
  const areToolsMissing = stamp === lockfileHash + toolsMissing;
  if (areToolsMissing) console.log('Adding the tools for tests and checks (first time only)…');
  else console.log(stamp ? 'Updating dependencies…' : 'Installing dependencies (first start only)…');
  const { status, error } = await runNpm([
    // In place where only tools are missing, as a server may be running; and on Windows, which cannot delete the Node that is running.
    ...(areToolsMissing || (windows && existsSync(modules)) ? ['install', '--no-save'] : ['ci']),
    // Whatever NODE_ENV and the user's settings say: `npm test` needs the tools, and the programs are optional packages.
    leavesToolsOut ? '--omit=dev' : '--include=dev',
    '--include=optional',
    '--bin-links=true',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (error) fail(`The dependencies cannot be installed, because npm does not start: ${error.message}`);
  if (status !== 0) fail('The dependencies could not be installed; the messages of npm above say why.');
  const binaries = path.join(modules, binariesPackage());
  if (existsSync(binaries)) linkLibraries(binaries);
  dropUnusableNode();
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, lockfileHash + (leavesToolsOut ? toolsMissing : ''));
}

/** npm names itself to its scripts; started that way, a path with a space needs no quoting on any system. */
function runNpm(args) {
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] };
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  if (cli && /^npm(-cli)?\.c?js$/.test(path.basename(cli)))
    return follow(node ?? process.execPath, [cli, ...args], options);
  return follow(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows });
}

/** Runs npm to its end. It reports nothing while it works, so a line every two seconds says how many packages are there. */
function follow(command, args, options) {
  const startedMs = performance.now();
  const total = countWanted();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`  ${Math.min(countPackages(), total)} of ${total} packages, ${seconds} s…`);
  }, 2000);
  return new Promise((resolve) => {
    const npm = spawn(command, args, options);
    npm.on('error', (error) => resolve({ error }));
    npm.on('close', (status) => resolve({ status }));
  }).finally(() => clearInterval(timer));
}

/** How many packages the lockfile has for this machine, leaving out those that stand inside others. What is wrong with it, npm will say. */
function countWanted() {
  const fits = (wanted, own) => wanted === undefined || [wanted].flat().includes(own);
  try {
    return Object.entries(JSON.parse(lockfile).packages).filter(
      ([place, { os, cpu, dev }]) =>
        !(leavesToolsOut && dev) &&
        !/-musl$/.test(place) &&
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place) &&
        fits(os, process.platform) &&
        fits(cpu, process.arch),
    ).length;
  } catch {
    return 0;
  }
}

/** npm makes all folders first and fills them then. */
function countPackages() {
  const namesIn = (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return []; // not there yet, or being replaced
    }
  };
  return namesIn(modules)
    .flatMap((name) =>
      name.startsWith('@') ? namesIn(path.join(modules, name)).map((inner) => path.join(name, inner)) : [name],
    )
    .filter((name) => existsSync(path.join(modules, name, 'package.json'))).length;
}

/** A Node that cannot run here (built for glibc, on Alpine) would still stand before the machine's own. */
function dropUnusableNode() {
  if (!existsSync(bundledNode)) return;
  const { status } = spawnSync(windows ? `"${bundledNode}"` : bundledNode, ['--version'], {
    stdio: 'ignore',
    shell: windows,
  });
  if (status !== 0) rmSync(bundledNode);
}

/** `npm start` and `npm test` may come at once: one installs, the other waits. */
async function whileLocked(work) {
  for (let waited = false; !lock(); waited = true) {
    if (!waited) console.log(`Waiting for another start that installs (if there is none, delete ${lockFile})…`);
    await sleep(200);
  }
  const giveBack = () => rmSync(lockFile, { force: true });
  // Ctrl-C reaches npm as well; a handler here makes us outlive it and give the lock back.
  const stay = () => {};
  process.on('SIGINT', stay);
  process.on('exit', giveBack);
  await work();
  giveBack();
  process.off('SIGINT', stay);
  process.off('exit', giveBack);
}

/** The lock of a dead process is taken away here, and taken at the next try: whoever saw it dead has acted by then. */
function lock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!holderLives()) rmSync(lockFile, { force: true });
    return false;
  }
}

function holderLives() {
  try {
    const holder = Number(readFileSync(lockFile, 'utf8'));
    return holder !== process.pid && process.kill(holder, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
