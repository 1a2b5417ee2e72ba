import { type Figure, median, type Run } from './figures.ts';
import { startChild } from './processes.ts';
import { makeDataDirectory, root, startParley } from './server.ts';

const targetMs = 2_000;

/** From `npm start` to the first 200 of /readyz: with nothing there (cold) and with the data of an earlier start (warm). */
export async function start({ scope, quick, progress }: Run): Promise<Figure[]> {
  const runs = quick ? 2 : 5;
  const dataDirectory = await makeDataDirectory(scope);
  const timeStart = async (viaNpm: boolean): Promise<number> => {
    const server = await startParley(scope, { dataDirectory, viaNpm });
    await server.stop();
    return server.readyMs;
  };
  const coldMs = await timeStart(true);
  progress(`cold ${Math.round(coldMs)} ms`);
  const warm: number[] = [];
  const direct: number[] = [];
  const steps: Record<string, number>[] = [];
  for (let run = 0; run < runs; run++) {
    warm.push(await timeStart(true));
    direct.push(await timeStart(false));
    steps.push(await timeSteps(scope, dataDirectory));
  }
  const stepNames = Object.keys(steps[0]!);
  const warmMs = median(warm);
  return [
    { row: 'start', what: 'npm start to /readyz, cold (new data directory)', figure: coldMs, unit: 'ms' },
    {
      row: 'start',
      what: `npm start to /readyz, warm, median of ${runs}`,
      figure: warmMs,
      unit: 'ms',
      target: `< ${targetMs} ms`,
      met: warmMs < targetMs,
      details: {
        'npm and its prestart ms': warmMs - median(direct),
        ...Object.fromEntries(stepNames.map((name) => [`${name} ms`, median(steps.map((of) => of[name]!))])),
      },
    },
  ];
}

async function timeSteps(scope: AsyncDisposableStack, dataDirectory: string): Promise<Record<string, number>> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: dataDirectory, PORT: '0', LOG_LEVEL: 'warn' };
  const child = startChild(scope, [process.execPath, 'bench/start-steps.ts'], { cwd: root, env });
  await child.exited;
  const found = /^STEPS (.*)$/m.exec(child.lastWords());
  if (!found) throw new Error(`The steps of the start were not timed: ${child.lastWords()}`);
  return JSON.parse(found[1]!);
}
