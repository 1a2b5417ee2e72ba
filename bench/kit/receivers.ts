import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Server, startServer } from './server.ts';

const limitMs = 180_000;
const pollMs = 50;

/** What one receiver of webhooks heard since the counts were set back; moments in milliseconds since 1970. */
export interface Heard {
  url: string;
  count: number;
  firstMs: number | null;
  lastMs: number | null;
}

/** Ten receivers in another process (`listen.ts`). */
export interface Receivers {
  urls: string[];
  read(): Promise<Heard[]>;
  /** Counts from nothing. One of them may take what it is sent and never answer. */
  reset(hanging?: number): Promise<void>;
}

export async function startReceivers(scope: AsyncDisposableStack): Promise<Receivers> {
  const control = await startServer(scope, () => [process.execPath, 'bench/kit/listen.ts'], '/', {});
  const read = (): Promise<Heard[]> => call<Heard[]>(control, 'GET', '/');
  return {
    urls: (await read()).map(({ url }) => url),
    read,
    reset: async (hanging) => {
      await call(control, 'POST', hanging === undefined ? '/' : `/?hanging=${hanging}`);
    },
  };
}

export const createWebhook = (parley: Server, url: string): Promise<{ uuid: string }> =>
  call(parley, 'POST', '/v2/chatapp/webhooks/', { url, events: ['chatapp.message.status'] });

/** Until nothing waits to be delivered any more. */
export async function waitUntilDelivered(parley: Server): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const path = '/v2/webhook-deliveries/?status=PENDING&page_size=1';
    const { count } = await call<{ count: number }>(parley, 'GET', path);
    if (count === 0) return;
    if (performance.now() > deadline) throw new Error(`${count} webhooks were not delivered`);
    await sleep(pollMs);
  }
}

export const total = (heard: Heard[]): number => heard.reduce((sum, { count }) => sum + count, 0);

/** Until the receivers asked about have heard so much, all together. */
export async function waitUntilHeard(receivers: Receivers, count: number, among = (_index: number) => true) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const heard = (await receivers.read()).filter((_, index) => among(index));
    if (total(heard) >= count) return heard;
    if (performance.now() > deadline) throw new Error(`${total(heard)} of ${count} webhooks were heard`);
    await sleep(pollMs);
  }
}

/** From the first that any of them heard to the last. */
export function ratePerSecond(heard: Heard[]): number {
  const firstMs = Math.min(...heard.map((one) => one.firstMs ?? Number.POSITIVE_INFINITY));
  const lastMs = Math.max(...heard.map((one) => one.lastMs ?? 0));
  return (total(heard) / (lastMs - firstMs)) * 1000;
}
