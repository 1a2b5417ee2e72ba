import { type Figure, median, type Run } from '../figures.ts';
import { makeDataDirectory, startParley } from '../kit/server.ts';

const targetMs = 1_200;

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
  for (let run = 0; run < runs; run++) {
    warm.push(await timeStart(true));
    direct.push(await timeStart(false));
  }
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
      details: { 'npm and what it prepares ms': warmMs - median(direct), 'the program ms': median(direct) },
    },
  ];
}
