/**
 * Runs the tests. `npm test` needs nothing but npm; `npm run test:peers` runs the files in folders called `peers`, which drive a
 * browser, foreign programs or the whole program, and kill it. Files and folders can be named (`npm test -- src/domains/sms`).
 * Options go to Node's test runner (`npm test -- --test-name-pattern=STOP src/domains/sms`), which then runs each file as it is.
 *
 * A process for each file would spend most of its time reading the program, some 2,700 modules. So a few processes share one
 * queue of files and run them one after the other; each file is a test that contains the file's own tests, hooks included.
 * In a whole run, files that failed run once more, alone, and the run says so.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { filledTemplateVariable } from '../test/kit/database.ts';
import { type TestQueue, testQueueVariable } from './testing/queue.ts';
import { makeScratch } from './testing/scratch.ts';

const root = path.join(import.meta.dirname, '..');
/** Tests wait for each other's timers and processes as much as for the processor. */
const processes = Number(process.env['TEST_PROCESSES'] ?? 5);
/** When more files than this fail, something is broken and no second run is needed to see it. */
const mostRepeated = 20;

const withPeers = process.argv.includes('--peers');
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--') && argument !== '--peers');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** The journeys in `test/` take longest, so they come first: nobody waits for one that was begun last. */
const folders = named.length > 0 ? named : ['test', 'scripts', 'simulators', 'src'];
const isWithPeers = (file: string): boolean => file.split(path.sep).includes('peers');
const files = [...new Set(folders.flatMap((folder) => filesIn(path.resolve(root, folder))))].filter(
  (file) => named.length > 0 || isWithPeers(file) === withPeers,
);
if (files.length === 0) fail(`There is no test in ${folders.join(', ')}.`);

/** Journeys start the program many times; for a few files the sources will do, and a database that the first start fills. */
if (files.length > 20) {
  process.env[filledTemplateVariable] = '1';
  spawnSync(process.execPath, [path.join(root, 'scripts', 'build-server.ts'), '--at-start'], { stdio: 'inherit' });
}

const directory = makeScratch();
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
let interrupted = false;
let failed = await run(files, processes);
// A machine that stands still for a minute breaks every test that waits just then. A fault shows again when it is alone.
const areFiles = failed.every((name) => files.includes(name));
const isWhole = named.length === 0 && options.length === 0 && !interrupted;
if (isWhole && areFiles && failed.length > 0 && failed.length <= mostRepeated) {
  console.log(`\nThese failed, and run once more with nothing beside them:\n  ${failed.join('\n  ')}\n`);
  const again = await run(failed, 1);
  const passed = failed.filter((file) => !again.includes(file));
  if (passed.length > 0) console.log(`\nThese failed beside others and passed alone:\n  ${passed.join('\n  ')}`);
  failed = again;
}
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs the files in so many processes and gives the names of those that failed; or of a process, when it broke down. */
async function run(these: string[], inProcesses: number): Promise<string[]> {
  const ours = mkdtempSync(path.join(directory, 'run-'));
  const [claims, broken] = [path.join(ours, 'claims'), path.join(ours, 'broken')];
  const queue: TestQueue = { root, files: these, claims, broken };
  mkdirSync(queue.claims);
  writeFileSync(path.join(ours, 'queue.json'), JSON.stringify(queue));
  const report = path.join(ours, 'failed');
  const testing = (file: string): string => pathToFileURL(path.join(import.meta.dirname, 'testing', file)).href;
  // One test file for each process, which takes the real ones from the queue.
  const shared = Array.from({ length: Math.min(inProcesses, these.length) }, (_, index) => {
    const file = path.join(ours, `process-${index + 1}.mjs`);
    writeFileSync(file, `import ${JSON.stringify(testing('worker.ts'))};\n`);
    return file;
  });
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-global-setup=${path.join(root, 'test', 'kit', 'global-setup.ts')}`,
      `--test-concurrency=${inProcesses}`,
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...[`--test-reporter=${testing('failed-files.ts')}`, `--test-reporter-destination=${report}`],
      ...options,
      ...(options.length > 0 ? these : shared),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: ours, [testQueueVariable]: path.join(ours, 'queue.json') },
    },
  );
  // The terminal sends an interruption to both: the runner stops its processes and its PostgreSQL, and then we end.
  const pass = (signal: NodeJS.Signals) => {
    interrupted = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  const [code] = await once(child, 'exit');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
  if (code === 0) return [];
  const names = linesOf(report);
  // Where a process failed, and not one of its files: those during which an error came up that nobody caught.
  const suspects = names.every((name) => these.includes(name)) ? [] : linesOf(broken);
  const failed = suspects.length > 0 ? names.filter((name) => these.includes(name)).concat(suspects) : names;
  return failed.length > 0 ? [...new Set(failed)] : [`the test runner (it ended with ${code})`];
}

function linesOf(file: string): string[] {
  return readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean);
}

function filesIn(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false })) fail(`${place} does not exist.`);
  if (!statSync(place).isDirectory()) return [path.relative(root, place)];
  return globSync('**/*.test.ts', { cwd: place, exclude: ['**/node_modules/**'] })
    .sort()
    .map((file) => path.relative(root, path.join(place, file)));
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
