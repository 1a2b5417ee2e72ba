import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Run } from '../figures.ts';
import { acceptMessages, readLedger } from '../kit/accept.ts';
import { changeSettings, registerSender, type Sender, startSimulator, subscribe, syncTemplates } from '../kit/cloud.ts';
import { type Database, startDatabase } from '../kit/database.ts';
import { createWebhook, type Receivers, startReceivers, total, waitUntilDelivered } from '../kit/receivers.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

interface Stage {
  database: Database;
  parley: Server;
  simulator: Server;
  sender: Sender;
  receivers: Receivers;
  messages: number;
}

/**
 * Messages through the Cloud API connector to the platform's simulator in another process. They wait, accepted, until the
 * sender is resumed; the clock stops when the last one is SENT or, where the platform reports what became of them, READ. That is looked
 * up in an index: the ledger, which counts all rows, is asked once afterwards.
 */
export async function connector({ scope, quick, progress }: Run): Promise<Figure[]> {
  const stage = await setUp(scope, quick ? 500 : 2_000);
  const { parley, receivers, messages } = stage;
  // The program is as fast as it gets after some thousand messages.
  for (let round = 0; round < 2; round++) await deliver(stage, false);
  const plain = await deliverOften(stage);
  const reported = await deliver(stage, true);
  await createWebhook(parley, receivers.urls[0]!);
  const heard = await deliver(stage, false);
  await waitUntilDelivered(parley);
  await receivers.reset();
  const both = await deliver(stage, true);
  const startedMs = performance.now();
  await waitUntilDelivered(parley);
  const tailMs = performance.now() - startedMs;
  const webhooks = total(await receivers.read());
  const rates = [plain, reported, heard, both].map(({ perSecond }) => perSecond);
  progress(rates.map((rate) => `${Math.round(rate)} messages/s`).join(', '));

  const figureOf = (what: string, { perSecond: figure, ...details }: Delivered): Figure => ({
    row: 'connector',
    what: `${messages} messages through the Cloud API, ${what}`,
    figure,
    unit: 'messages/s',
    details,
  });
  return [
    figureOf('all SENT, no reports, no webhook', plain),
    figureOf('all READ, three reports each, no webhook', reported),
    figureOf('all SENT, no reports, a webhook listens', heard),
    {
      ...figureOf('all READ, three reports each, a webhook listens', both),
      reference: { what: 'neither reports nor webhook', figure: plain.perSecond },
      ratio: both.perSecond / plain.perSecond,
      details: { 'in s': both['in s'], webhooks, 'the last of them s later': tailMs / 1000 },
    },
  ];
}

async function setUp(scope: AsyncDisposableStack, messages: number): Promise<Stage> {
  const dataDirectory = await makeDataDirectory(scope);
  // People here receive and read at once: their pace is not what is measured.
  const [receivers, simulator] = await Promise.all([
    startReceivers(scope),
    startSimulator(scope, { sentAfterMs: 1, deliveredAfterMs: 1, readAfterMs: 1 }),
  ]);
  const database = await startDatabase(scope, dataDirectory);
  const parley = await startParley(scope, {
    dataDirectory,
    settings: { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true', CLOUD_API_URL: simulator.url },
  });
  const sender = await registerSender(parley, 100_000);
  await syncTemplates(parley);
  await subscribe(simulator, parley, sender);
  return { database, parley, simulator, sender, receivers, messages };
}

/** Three times, and the median: each takes a second, in which a shared machine may have other work. */
async function deliverOften(stage: Stage): Promise<Delivered> {
  const rounds: Delivered[] = [];
  for (let round = 0; round < 3; round++) rounds.push(await deliver(stage, false));
  return rounds.toSorted((a, b) => a.perSecond - b.perSecond)[1]!;
}

type Delivered = { perSecond: number; 'in s': number };

/** Has messages accepted while the sender is paused, resumes it, and waits until all of them have got as far as they come. */
async function deliver(stage: Stage, withReports: boolean): Promise<Delivered> {
  const { parley, simulator, sender, messages } = stage;
  await changeSettings(simulator, { reach: withReports ? 'read' : 'none' });
  await call(parley, 'POST', `/v2/chatapp/accounts/${sender.uuid}/pause/`);
  const newest = await readNewest(stage.database);
  await acceptMessages(parley, messages);
  const before = await readLedger(parley);
  const startedMs = performance.now();
  await call(parley, 'POST', `/v2/chatapp/accounts/${sender.uuid}/resume/`);
  await waitUntilPast(stage, withReports ? ['QUEUED', 'SENT', 'DELIVERED'] : ['QUEUED'], newest);
  const tookMs = performance.now() - startedMs;
  const { final, pending } = await readLedger(parley);
  const arrived = withReports ? final.read - before.final.read : pending.sent - before.pending.sent;
  if (arrived !== messages) throw new Error(`${arrived} of ${messages} messages arrived`);
  return { perSecond: (messages / tookMs) * 1000, 'in s': tookMs / 1000 };
}

const limitMs = 60_000;
const pollMs = 10;

/** The id of the newest message. */
async function readNewest({ client }: Database): Promise<string> {
  const { rows } = await client.query('select uuid from message_states order by uuid desc limit 1');
  return rows[0]?.uuid ?? '00000000-0000-0000-0000-000000000000';
}

/** Until none of the messages after that one is in one of these states. */
async function waitUntilPast({ database, sender }: Stage, states: string[], after: string): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (; performance.now() < deadline; await sleep(pollMs)) {
    const { rows } = await database.client.query(
      `select from message_states where account_id = (select account_id from chatapp_accounts where uuid = $1)
        and status = any ($2) and uuid > $3 limit 1`,
      [sender.uuid, states, after],
    );
    if (rows.length === 0) return;
  }
  throw new Error('Messages took too long');
}
