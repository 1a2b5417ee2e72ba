import { acceptMessages, readLedger, waitForLedger } from './accept.ts';
import { changeSettings, registerSender, type Sender, startSimulator, subscribe, syncTemplates } from './cloud.ts';
import type { Figure, Run } from './figures.ts';
import { createWebhook, type Receivers, startReceivers, total, waitUntilDelivered } from './receivers.ts';
import { call, makeDataDirectory, type Server, startParley } from './server.ts';

interface Stage {
  parley: Server;
  simulator: Server;
  sender: Sender;
  receivers: Receivers;
  messages: number;
}

/**
 * Messages through the Cloud API connector to the platform's simulator in another process. They wait, accepted, until the
 * sender is resumed; the clock stops when the last one is SENT or, where the platform reports what became of them, READ.
 */
export async function connector({ scope, quick, progress }: Run): Promise<Figure[]> {
  const stage = await setUp(scope, quick ? 500 : 2_000);
  const { parley, receivers, messages } = stage;
  await deliver({ ...stage, messages: 200 }, false);
  const plain = await deliver(stage, false);
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
  const parley = await startParley(scope, {
    dataDirectory,
    settings: { WEBHOOK_ALLOW_PRIVATE: 'true', CLOUD_API_URL: simulator.url },
  });
  const sender = await registerSender(parley, 100_000);
  await syncTemplates(parley);
  await subscribe(simulator, parley, sender);
  return { parley, simulator, sender, receivers, messages };
}

type Delivered = { perSecond: number; 'in s': number };

/** Has messages accepted while the sender is paused, resumes it, and waits until all of them have got as far as they come. */
async function deliver({ parley, simulator, sender, messages }: Stage, withReports: boolean): Promise<Delivered> {
  await changeSettings(simulator, { reach: withReports ? 'read' : 'none' });
  await call(parley, 'POST', `/v2/chatapp/accounts/${sender.uuid}/pause/`);
  await acceptMessages(parley, messages);
  const before = await readLedger(parley);
  const startedMs = performance.now();
  await call(parley, 'POST', `/v2/chatapp/accounts/${sender.uuid}/resume/`);
  await waitForLedger(parley, ({ pending, final }) =>
    withReports ? final.read - before.final.read === messages : pending.sent - before.pending.sent === messages,
  );
  const tookMs = performance.now() - startedMs;
  return { perSecond: (messages / tookMs) * 1000, 'in s': tookMs / 1000 };
}
