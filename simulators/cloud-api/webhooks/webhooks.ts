import type { Random } from '../ids.ts';
import type { Settings } from '../settings.ts';
import type { Time } from '../time.ts';
import type { World } from '../world.ts';
import { payloadOf, platformJson, signatureOf, type Update } from './payload.ts';

/** One POST of a webhook: what was sent, byte for byte, and how it was answered. */
export interface Delivery {
  url: string;
  body: string;
  signature: string;
  updates: number;
  attempt: number;
  /** null: no answer. */
  status: number | null;
  at: Date;
}

/** Where updates leave for the client's callback URL. */
export interface Outbox {
  emit(update: Update): void;
  /** Keeps updates back until `release`, which sends them in the order that `arrange` gives them. */
  hold(): void;
  release(arrange?: (updates: Update[]) => Update[]): void;
  /** Posts the same bytes again. */
  again(delivery: Delivery): void;
  readonly deliveries: readonly Delivery[];
  /** Updates that wait, and POSTs without an answer yet. */
  busy(): number;
  close(): void;
}

const maxUpdates = 1000;
const maxBytes = 3 * 1024 * 1024;
/** Fields that an account or a number may send to a place of its own. */
const messageFields = new Set(['messages', 'user_preferences']);

export function makeOutbox(world: World, settings: Settings, time: Time, random: Random): Outbox {
  const deliveries: Delivery[] = [];
  const closing = new AbortController();
  let waiting: Update[] = [];
  let posts: (() => Promise<void>)[] = [];
  let running = 0;
  let held = false;
  let scheduled = false;

  function urlOf({ accountId, numberId, field }: Update): string | undefined {
    const account = world.accounts.get(accountId);
    if (!account?.subscribed || !world.app.fields.has(field)) return undefined;
    const number = numberId === null ? undefined : world.numbers.get(numberId);
    const own = messageFields.has(field) ? (number?.override ?? account.override) : null;
    return (own ?? world.app.callback)?.url;
  }

  function schedule(): void {
    if (scheduled || held) return;
    scheduled = true;
    time.later(settings.batchWaitMs, () => {
      scheduled = false;
      if (!held) flush();
    });
  }

  function flush(): void {
    const updates = settings.shuffle ? shuffled(waiting, random) : waiting;
    waiting = [];
    for (const [url, mine] of Map.groupBy(updates, (update) => urlOf(update) ?? '')) {
      const size = Math.min(maxUpdates, Math.max(1, settings.batchMax));
      for (let from = 0; url !== '' && from < mine.length; from += size) send(url, mine.slice(from, from + size));
    }
  }

  function send(url: string, updates: Update[]): void {
    const body = platformJson(payloadOf(updates, world, time.seconds()), settings);
    if (body.length > maxBytes && updates.length > 1) {
      const half = Math.ceil(updates.length / 2);
      send(url, updates.slice(0, half));
      send(url, updates.slice(half));
      return;
    }
    const twice = random() < settings.duplicateShare;
    for (let copy = 0; copy < (twice ? 2 : 1); copy++) enqueue(url, body, updates.length, 1);
  }

  function enqueue(url: string, body: string, updates: number, attempt: number): void {
    posts.push(() => post(url, body, updates, attempt));
    work();
  }

  function work(): void {
    while (running < settings.concurrency && posts.length > 0) {
      const job = posts.shift()!;
      running++;
      void job().finally(() => {
        running--;
        work();
      });
    }
  }

  async function post(url: string, body: string, updates: number, attempt: number): Promise<void> {
    const signature = signatureOf(world.app.secret, body);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': signature,
    };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(settings.webhookTimeoutMs)]);
    const status = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      .then((answer) => answer.arrayBuffer().then(() => answer.status))
      .catch(() => null);
    deliveries.push({ url, body, signature, updates, attempt, status, at: time.now() });
    if (deliveries.length > 2 * settings.keep) deliveries.splice(0, settings.keep);
    const waitMs = settings.retryAfterMs[attempt - 1];
    if (status === 200 || waitMs === undefined || closing.signal.aborted) return;
    time.later(waitMs, () => enqueue(url, body, updates, attempt + 1));
  }

  return {
    emit(update) {
      waiting.push(update);
      schedule();
    },
    hold() {
      held = true;
    },
    release(arrange = (updates) => updates) {
      held = false;
      waiting = arrange(waiting);
      schedule();
    },
    again: ({ url, body, updates }) => enqueue(url, body, updates, 1),
    deliveries,
    busy: () => waiting.length + posts.length + running,
    close() {
      closing.abort();
      posts = [];
      waiting = [];
    },
  };
}

/** In an order that the seed decides (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
