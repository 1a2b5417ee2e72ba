import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure, Run } from '../figures.ts';
import { connections, postMessages } from '../kit/load.ts';
import { message, messagesPath } from '../kit/message.ts';
import { call, makeDataDirectory, type Server, startParley } from '../kit/server.ts';

const limitMs = 180_000;
const pollMs = 100;
const sampleSize = 50;
const story = ['QUEUED', 'SENT', 'DELIVERED', 'READ'];

export interface Ledger {
  accepted: number;
  final: { read: number };
  unaccounted: number;
}
interface Page<T> {
  count: number;
  next: string | null;
  results: T[];
}

/**
 * The whole way: messages are posted for some seconds as fast as they are accepted, and the clock stops when the last one is
 * READ. The sandbox's time runs a thousand times faster, because its people take 2.2 s to receive and read a message.
 */
export async function through({ scope, quick, progress }: Run): Promise<Figure[]> {
  const parley = await startParley(scope, { dataDirectory: await makeDataDirectory(scope) });
  await call(parley, 'POST', '/v2/sandbox/clock/', { speed: 1000 });
  // A sender is held to 80 messages a second unless it says otherwise.
  await call(parley, 'POST', '/v2/chatapp/accounts/', {
    chatapp_number: message.chatapp_number,
    messages_per_second: 100_000,
  });
  await postMessages(scope, parley, 1);
  const before = await waitUntilRead(parley);

  const startedMs = performance.now();
  const load = await postMessages(scope, parley, quick ? 2 : 5);
  const acceptedMs = performance.now() - startedMs;
  if (load.failed > 0) throw new Error(`${load.failed} messages were not accepted`);
  const after = await waitUntilRead(parley);
  const tookMs = performance.now() - startedMs;

  const messages = after.accepted - before.accepted;
  progress(`${messages} messages in ${(tookMs / 1000).toFixed(1)} s`);
  await checkStories(parley, after.accepted);
  const figure = (messages / tookMs) * 1000;
  return [
    {
      row: 'through',
      what: `from POST to READ in the sandbox, ${connections} connections, ROLES=all, four events each`,
      figure,
      unit: 'messages/s',
      details: {
        messages,
        'accepted within s': acceptedMs / 1000,
        'all read within s': tookMs / 1000,
        [`of ${sampleSize} looked into, with all four events`]: sampleSize,
      },
    },
  ];
}

/** Until the ledger says that each accepted message was read, and that none is missing. */
export async function waitUntilRead(parley: Server): Promise<Ledger> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const ledger = await call<Ledger>(parley, 'GET', '/v2/account/ledger/');
    if (ledger.accepted > 0 && ledger.final.read === ledger.accepted && ledger.unaccounted === 0) return ledger;
    if (performance.now() > deadline) throw new Error(`Not everything was read: ${JSON.stringify(ledger)}`);
    await sleep(pollMs);
  }
}

/** Every message is in the list, and the ones drawn have exactly the four events of their story, in order. */
async function checkStories(parley: Server, accepted: number): Promise<void> {
  const uuids: string[] = [];
  for (let next: string | null = `${messagesPath}?page_size=200`; next; ) {
    const page: Page<{ uuid: string }> = await call(parley, 'GET', next);
    uuids.push(...page.results.map(({ uuid }) => uuid));
    next = page.next;
  }
  if (uuids.length !== accepted) throw new Error(`${accepted} messages were accepted, ${uuids.length} are listed`);
  for (let drawn = 0; drawn < sampleSize; drawn++) {
    const uuid = uuids[Math.floor(Math.random() * uuids.length)]!;
    const logs = await call<Page<{ status: string }>>(parley, 'GET', `${messagesPath}${uuid}/status-logs/`);
    const statuses = logs.results.map(({ status }) => status).join();
    if (statuses !== story.join()) throw new Error(`Message ${uuid} has the events ${statuses}`);
  }
}
