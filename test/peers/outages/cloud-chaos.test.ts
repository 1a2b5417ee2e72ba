// Messages to a platform that fails, hangs, breaks off and repeats itself, by workers that are killed.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type CloudSimulator, startCloudSimulator } from '../../../simulators/cloud-api/index.ts';
import { programToken, startProcesses } from '../../kit/program/program.ts';
import { until } from '../../kit/until.ts';

/** 5,000 take a minute or two: `CHAOS_MESSAGES=5000 npm test -- test/peers/outages/cloud-chaos.test.ts` */
const total = Number(process.env['CHAOS_MESSAGES'] ?? 800);
const number = '+34900111222';
const toOf = (index: number): string => `+3460${String(index).padStart(7, '0')}`;
const linuxOnly = { skip: process.platform === 'linux' ? false : 'finds processes in /proc', timeout: 1_800_000 };

describe('a platform in chaos, and workers killed twice', linuxOnly, () => {
  const undo: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const step of undo.reverse()) await step();
  });

  it('accepted = final + pending; nobody gets a message twice; what nobody knows is marked', async (t) => {
    const simulator = await startChaos();
    undo.push(() => simulator.close());
    const processes = await startProcesses({ CLOUD_API_URL: simulator.url, CLOUD_API_TIMEOUT_SECONDS: '2' });
    undo.push(() => processes.stop());
    // One for the API and the webhooks; workers come and go.
    const url = await processes.start('api,connector').ready();
    const startWorker = () => processes.start('worker');
    const call = clientOf(url);
    let workers = [startWorker(), startWorker()];
    await Promise.all(workers.map((worker) => worker.ready()));
    await registerNumber(simulator, url, call);
    const uuids = new Map<string, string>();
    await forEach(total, 16, async (index) => {
      const body = await call('POST', '/v2/chatapp/messages/', {
        chatapp_number: number,
        to_chatapp_number: toOf(index),
        type: 'TEMPLATE',
        template: { template_name: 'hello', language_code: 'en_US' },
      });
      uuids.set(body.uuid, toOf(index));
      if (index !== Math.floor(total * 0.3) && index !== Math.floor(total * 0.7)) return;
      const [victim, survivor] = workers;
      victim!.signal('SIGKILL');
      workers = [survivor!, startWorker()];
    });
    await settled(simulator, call);

    const ledger = await call('GET', '/v2/account/ledger/');
    const taken = Map.groupBy(sentTo(simulator), (digits) => digits);
    const pending = await listQueued(call);
    t.diagnostic(JSON.stringify({ ledger, unknown: pending.length, taken: taken.size }));
    assert.equal(ledger.accepted, total);
    assert.equal(ledger.unaccounted, 0);
    assert.deepEqual(
      [...taken].filter(([, copies]) => copies.length > 1).map(([digits]) => digits),
      [],
      'nobody got a message twice',
    );
    // Every message that the platform took is read; those it never saw, and nobody could know, wait and say so.
    assert.equal(ledger.final.read, taken.size);
    assert.equal(ledger.final.read + ledger.final.failed + pending.length, total);
    for (const { uuid, status_description } of pending) {
      assert.match(status_description, /It waits for its receipt\.$/);
      assert.equal(taken.has(uuids.get(uuid)!.slice(1)), false);
    }
    assert.ok(pending.length > 0, 'the chaos was chaotic enough to leave some in doubt');
  });

  /** Random 500s, hangs, resets, lost and late answers; webhooks doubled, mixed and many at a time. */
  async function startChaos(): Promise<CloudSimulator> {
    const simulator = await startCloudSimulator({
      speed: 1000,
      seed: 7,
      phone: number,
      settings: {
        pairEveryMs: null,
        duplicateShare: 0.2,
        shuffle: true,
        batchWaitMs: 50_000,
        // A process that is away for a moment is asked again soon.
        retryAfterMs: Array<number>(200).fill(100_000),
      },
    });
    for (const known of simulator.world.numbers.values()) known.throughputPerSecond = 1e9;
    simulator.addTemplate({ name: 'hello', components: [{ type: 'BODY', text: 'Hello' }] });
    simulator.faults.random(0.02, { kind: 'error', code: 131016 });
    simulator.faults.random(0.02, { kind: 'error', code: 2, status: 503 });
    simulator.faults.random(0.01, { kind: 'hang' });
    simulator.faults.random(0.01, { kind: 'reset' });
    simulator.faults.random(0.02, { kind: 'lost-answer' });
    simulator.faults.random(0.005, { kind: 'late', delayMs: 3_000_000 });
    return simulator;
  }

  async function registerNumber(simulator: CloudSimulator, url: string, call: Client): Promise<void> {
    const account = await call('POST', '/v2/chatapp/accounts/', {
      chatapp_number: number,
      carrier: 'cloud-api',
      messages_per_second: 100_000,
      phone_number_id: simulator.numberId,
      business_account_id: simulator.accountId,
      app_id: '1000000000000001',
      access_token: simulator.token,
      app_secret: simulator.appSecret,
      verify_token: 'verify',
    });
    await simulator.setWebhook(url + account.webhook_path, 'verify');
    await call('POST', '/v2/chatapp/message-templates/sync/', {});
    await until('the template is known', async () => {
      const { count } = await call('GET', '/v2/chatapp/message-templates/?name=hello&status=APPROVED');
      return count > 0 || undefined;
    });
  }
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into and asserted above
type Client = (method: string, place: string, body?: object) => Promise<any>;

const clientOf =
  (url: string): Client =>
  async (method, place, body) => {
    const headers = { authorization: `Token ${programToken}`, 'content-type': 'application/json' };
    const answer = await fetch(url + place, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const read = await answer.json();
    assert.ok(answer.ok, `${method} ${place} answered ${answer.status} ${JSON.stringify(read)}`);
    return read;
  };

async function forEach(count: number, connections: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const connection = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

/** Digits of everybody who was sent something, once for each message. */
const sentTo = (simulator: CloudSimulator): string[] =>
  [...simulator.world.messages.values()]
    .filter(({ direction }) => direction === 'out')
    .map(({ person }) => person.waId);

/** Nothing is on its way any more: what the platform took was read, and what still waits, waits for a receipt that never comes. */
const settled = (simulator: CloudSimulator, call: Client) =>
  until(
    'everything is settled',
    async () => {
      await simulator.idle();
      const { pending, final } = await call('GET', '/v2/account/ledger/');
      const waiting = pending.queued > 0 ? await listQueued(call) : [];
      const unsent = waiting.filter((message) => !isMarked(message));
      return { sent: pending.sent, read: final.read, taken: new Set(sentTo(simulator)).size, unsent };
    },
    ({ sent, read, taken, unsent }) => sent === 0 && read === taken && unsent.length === 0,
    600_000,
  );

const isMarked = ({ status_description }: { status_description: string }): boolean =>
  /It waits for its receipt\.$/.test(status_description);

async function listQueued(call: Client): Promise<{ uuid: string; status_description: string }[]> {
  const found = [];
  for (let place = '/v2/chatapp/messages/?status=QUEUED&page_size=200'; place; ) {
    const { results, next } = await call('GET', place);
    found.push(...results);
    place = next ? next.slice(next.indexOf('/v2/')) : '';
  }
  return found;
}
