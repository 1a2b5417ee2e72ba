import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Run } from '../figures.ts';
import { acceptMessages } from '../kit/accept.ts';
import { registerSender, startSimulator, syncTemplates } from '../kit/cloud.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { call, makeDataDirectory, startParley } from '../kit/server.ts';

const perSecond = 80;
const tolerance = 0.05;
/** A sender that rested may send a second's worth at once; what follows is its rate. */
const burstMs = 1_500;
const limitMs = 10_000;

interface Received {
  requests: { at: string; method: string; url: string; status: number | null }[];
}

/**
 * One sender's rate, held by two worker processes together: what the platform's simulator was sent by both, with no limit of
 * its own.
 */
export async function rate({ scope, quick, progress }: Run): Promise<Figure[]> {
  const seconds = quick ? 2 : 5;
  const dataDirectory = await makeDataDirectory(scope);
  const [database, simulator] = await Promise.all([
    startDatabase(scope, dataDirectory),
    startSimulator(scope, { reach: 'none' }),
  ]);
  const settings = { DATABASE_URL: database.url, CLOUD_API_URL: simulator.url };
  const api = await startParley(scope, { dataDirectory, roles: 'api', settings });
  const startWorker = () => startParley(scope, { dataDirectory, roles: 'worker', settings });
  await Promise.all([startWorker(), startWorker()]);
  const sender = await registerSender(api, perSecond);
  await syncTemplates(api);
  await call(api, 'POST', `/v2/chatapp/accounts/${sender.uuid}/pause/`);
  await acceptMessages(api, Math.ceil(perSecond * (seconds + burstMs / 1000 + 2)));

  await call(api, 'POST', `/v2/chatapp/accounts/${sender.uuid}/resume/`);
  const workers = await watchWorkers(database, burstMs + seconds * 1000 + 500);
  const { requests } = await call<Received>(simulator, 'GET', '/_simulator/received');
  const sent = requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/messages'));
  const refused = sent.filter(({ status }) => status !== 200).length;
  if (refused > 0) throw new Error(`The simulator refused ${refused} messages`);
  const fromMs = Math.min(...sent.map(({ at }) => Date.parse(at))) + burstMs;
  const within = sent.filter(({ at }) => Date.parse(at) >= fromMs && Date.parse(at) < fromMs + seconds * 1000);
  const figure = within.length / seconds;
  progress(`${figure} messages/s by ${workers} workers`);
  if (workers !== 2) throw new Error(`${workers} of two workers sent messages`);
  const ratio = figure / perSecond;
  return [
    {
      row: 'rate',
      what: `a sender of ${perSecond} messages/s, two worker processes, over ${seconds} s at the platform`,
      figure,
      unit: 'messages/s',
      reference: { what: 'its rate', figure: perSecond },
      ratio,
      target: `ratio within ${tolerance} of 1`,
      met: Math.abs(ratio - 1) <= tolerance,
      details: { 'workers seen sending': workers, 'sent before, in the first 1.5 s': burstBefore(sent, fromMs) },
    },
  ];
}

const burstBefore = (sent: Received['requests'], fromMs: number): number =>
  sent.filter(({ at }) => Date.parse(at) < fromMs).length;

/** Looks at who has messages in hand, for a while from the first; answers how many different processes did. */
async function watchWorkers({ client }: Database, forMs: number): Promise<number> {
  const seen = new Set<number>();
  let endMs = performance.now() + limitMs;
  for (; performance.now() < endMs; await sleep(5)) {
    const { rows } = await client.query('select distinct claimed_by from message_states where claimed_by is not null');
    if (seen.size === 0 && rows.length > 0) endMs = performance.now() + forMs;
    for (const { claimed_by } of rows) seen.add(claimed_by);
  }
  return seen.size;
}
