/**
 * Runs the tests. `npm test` needs nothing but npm; `npm run test:peers` runs the files in folders called `peers`, which drive a
 * browser, foreign programs or the whole program, and kill it. Files and folders can be named (`npm test -- src/domains/sms`).
 * Options go to Node's test runner (`npm test -- --test-name-pattern=STOP src/domains/sms`), which then runs each file as it is.
 *
 * A process for each file would spend most of its time reading the program, some 2,700 modules. So a few processes share one
 * queue of files and run them one after the other; each file is a test that contains the file's own tests, hooks included.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TestQueue, testQueueVariable } from './testing/queue.ts';

const root = path.join(import.meta.dirname, '..');
/** Tests wait for each other's timers and processes as much as for the processor. */
const processes = Number(process.env['TEST_PROCESSES'] ?? 4);

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

/** Journeys start the program many times; for a few files the sources will do. */
if (files.length > 20) {
  spawnSync(process.execPath, [path.join(root, 'scripts', 'build-server.ts'), '--at-start'], { stdio: 'inherit' });
}

const directory = mkdtempSync(path.join(os.tmpdir(), 'parley-tests-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const claims = path.join(directory, 'claims');
mkdirSync(claims);
const queue: TestQueue = { root, files, claims };
writeFileSync(path.join(directory, 'queue.json'), JSON.stringify(queue));
const worker = pathToFileURL(path.join(import.meta.dirname, 'testing', 'worker.ts')).href;
/** One test file for each process, which takes the real ones from the queue. */
const sharing = (): string[] =>
  Array.from({ length: Math.min(processes, files.length) }, (_, index) => {
    const file = path.join(directory, `process-${index + 1}.mjs`);
    writeFileSync(file, `import ${JSON.stringify(worker)};\n`);
    return file;
  });
const workers = options.length > 0 ? files : sharing();

const setup = path.join(root, 'test', 'kit', 'global-setup.ts');
const run = spawn(
  process.execPath,
  ['--test', `--test-global-setup=${setup}`, `--test-concurrency=${processes}`, ...options, ...workers],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [testQueueVariable]: path.join(directory, 'queue.json') },
  },
);
// The terminal sends an interruption to both: the runner stops its processes and its PostgreSQL, and then we end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal));
run.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

function filesIn(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false })) fail(`${place} does not exist.`);
  if (!statSync(place).isDirectory()) return [path.relative(root, place)];
  return globSync('**/*.test.ts', { cwd: place })
    .sort()
    .map((file) => path.relative(root, path.join(place, file)));
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
