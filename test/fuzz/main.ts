/**
 * Throws bad input at a running Parley from every side that strangers can reach, for a bounded time:
 *
 *   npm run fuzz -- --minutes 3
 *   npm run fuzz -- --seed 12345 --case operations:678     repeats one case of an earlier run, by itself
 *
 * It fails if the process ends, if anything is answered by a fault of the product (5xx), if an error was caught only by the last
 * resort, if what is sent properly is not carried out any more, or if memory in use grows from round to round.
 */
import { parseArgs } from 'node:util';
import { awaitService } from './canary.ts';
import { randomFor } from './random.ts';
import type { Surface } from './surface.ts';
import { operationsSurface } from './surfaces/operations.ts';
import { platformSurface, startNonsense } from './surfaces/platform.ts';
import { rawHttpSurface } from './surfaces/raw-http.ts';
import { sipSurface } from './surfaces/sip.ts';
import { smppSurface } from './surfaces/smpp.ts';
import { startTarget, type Target } from './target.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' }, case: { type: 'string' } },
});
const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31));
const rounds = 3;
/** Starting, the checks after each round and stopping take about half a minute in all. */
const roundMs = Math.max(5_000, (Number(options.minutes) * 60_000 - 30_000) / rounds);
const mostFindings = 20;
/** After so many cases of the operations everything has been loaded and cached once, which takes a slow machine more than a round. */
const warmCases = 4_000;
/** What is in use then may grow by this much. */
const growth = { factor: 1.2, bytes: 24 * 2 ** 20 };

const findings: string[] = [];
const find = (what: string): void => {
  if (findings.push(what) <= mostFindings) console.error(`FOUND ${what}`);
};
const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

console.log(`Seed ${seed}. Starting Parley…`);
const nonsense = await startNonsense(seed);
const target = await startTarget(nonsense.url);
let isStopping = false;
void target.process.ended.then((code) => {
  if (!isStopping) find(`the process ended with ${code}:\n${target.process.output().slice(-3_000)}`);
});
const surfaces: Surface[] = [];
try {
  surfaces.push(...(await openSurfaces(target)));
  if (options.case) await repeat(options.case);
  else await attack();
} finally {
  isStopping = true;
  for (const surface of surfaces) surface.close?.();
  await target.stop().catch((error: Error) => find(error.message));
  nonsense.close();
}
if (findings.length > 0) {
  console.error(`${findings.length} found. What it printed last:\n${target.process.output().slice(-3_000)}`);
  process.exitCode = 1;
} else console.log('Nothing found.');
// Sockets to what has stopped and deadlines of what has been answered would keep the process for minutes.
process.exit();

async function openSurfaces(target: Target): Promise<Surface[]> {
  return [
    operationsSurface(target),
    rawHttpSurface(target),
    await platformSurface(target),
    await sipSurface(target),
    await smppSurface(target),
  ];
}

async function attack(): Promise<void> {
  const counts = new Map(surfaces.map(({ name }) => [name, 0]));
  const inUse: number[] = [];
  for (let round = 1; round <= rounds && findings.length === 0; round++) {
    const untilMs = performance.now() + roundMs;
    await Promise.all(surfaces.flatMap((surface) => hands(surface, counts, untilMs)));
    if (findings.length > 0) return;
    await awaitService(target, round).catch((error: Error) => find(error.message));
    const { heap, external, rss } = await target.memory();
    if (counts.get('operations')! >= warmCases) inUse.push(heap + external);
    const cases = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
    console.log(
      `Round ${round}: ${cases}; in use ${megabytes(heap)} heap, ${megabytes(external)} outside; RSS ${megabytes(rss)}.`,
    );
  }
  const [first = 0, last = 0] = [inUse[0], inUse.at(-1)];
  if (inUse.length < 2) console.log('Too few cases to tell whether memory grows.');
  else if (last > first * growth.factor + growth.bytes)
    find(`memory in use grew from ${megabytes(first)} to ${megabytes(last)}`);
  await findUnhandled();
}

/** Each hand throws the next case as soon as its last one is over. */
function hands(surface: Surface, counts: Map<string, number>, untilMs: number): Promise<void>[] {
  const { name, concurrency } = surface;
  const hand = async (): Promise<void> => {
    while (performance.now() < untilMs && findings.length === 0) {
      const number = counts.get(name)! + 1;
      counts.set(name, number);
      await throwCase(surface, number);
    }
  };
  return Array.from({ length: concurrency }, hand);
}

async function throwCase(surface: Surface, number: number): Promise<void> {
  const wrong = await surface
    .attack(randomFor(seed, surface.name, number))
    // A connection that is cut is an answer; one that stays silent is not.
    .catch((error: Error) => (error.name === 'AbortError' || error.name === 'TimeoutError' ? 'no answer' : undefined));
  if (wrong) find(`--seed ${seed} --case ${surface.name}:${number}: ${wrong}`);
}

async function repeat(text: string): Promise<void> {
  const [name, number] = text.split(':');
  const surface = surfaces.find((surface) => surface.name === name);
  if (!surface) throw new Error(`There is no ${name}; there are ${surfaces.map(({ name }) => name).join(', ')}.`);
  await throwCase(surface, Number(number));
}

/** The last resort keeps the process alive; what gets that far is a fault all the same. */
async function findUnhandled(): Promise<void> {
  const { text } = await target.ask({ method: 'GET', path: '/metrics' });
  const counts = [...text.matchAll(/^parley_unhandled_errors_total\{.*\} (\d+)/gm)].map(([, count]) => Number(count));
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (counts.length === 0) find('the number of errors that were caught only by the last resort is not to be had');
  if (count > 0) find(`${count} errors were caught only by the last resort`);
}
