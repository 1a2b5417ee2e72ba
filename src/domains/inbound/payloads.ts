import type { RawPayload } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { onTakeover } from '../../platform/db/connect/takeover.ts';
import { newId } from '../../platform/ids.ts';
import { insertPayloads } from './payload-queries.ts';

/** Tells those who read payloads that there are new ones. */
export const payloadTopic = 'inbound';

const keptMs = 30_000;
/** Of the newest: they are what a standby is likeliest to lack. */
const mostBytes = 32_000_000;
const mostAtOnce = 500;

type Newest = ReturnType<typeof keepNewest>;
const placeOf = ({ running }: Deps) => running.of<Newest>('inbound payloads');

/** Stores a payload as it came, in the company of whatever else is coming in at this moment. */
export const keepPayload = (deps: Deps, payload: RawPayload): Promise<void> =>
  deps.batches.run('inbound.keep', payload, async (payloads) => {
    await store(deps, payloads);
    placeOf(deps).get()?.add(payloads);
    return payloads.map(() => ({ status: 'fulfilled', value: undefined }));
  });

/**
 * The platform does not repeat what it was told is stored. So this process stores again what came lately where a standby has taken over that may
 * lack it; what is there is known by its hash.
 */
export function startStoringAgain(deps: Deps): { stop(): Promise<void> } {
  const newest = keepNewest();
  placeOf(deps).set(newest);
  const takeovers = onTakeover(deps, 'Payloads that a failover may have lost could not be stored again', async () => {
    const kept = newest.kept();
    for (let from = 0; from < kept.length; from += mostAtOnce) await store(deps, kept.slice(from, from + mostAtOnce));
  });
  return {
    async stop() {
      placeOf(deps).set(undefined);
      await takeovers.stop();
    },
  };
}

/** Batches in the order in which they came. */
function keepNewest() {
  const batches = new Set<{ payloads: RawPayload[]; bytes: number; atMs: number }>();
  let bytes = 0;
  return {
    add(payloads: RawPayload[]): void {
      const added = payloads.reduce((sum, { body }) => sum + body.length, 0);
      batches.add({ payloads, bytes: added, atMs: performance.now() });
      bytes += added;
      for (const oldest of batches) {
        if (bytes <= mostBytes && oldest.atMs > performance.now() - keptMs) break;
        batches.delete(oldest);
        bytes -= oldest.bytes;
      }
    },
    kept: (): RawPayload[] => [...batches].flatMap(({ payloads }) => payloads),
  };
}

async function store(deps: Deps, payloads: RawPayload[]): Promise<void> {
  await insertPayloads(
    deps.db,
    payloads.map(({ sender, carrier, body, digest }) => ({
      accountId: sender.accountId,
      chatappAccount: sender.uuid,
      digest,
      uuid: newId(),
      carrier,
      body,
    })),
  );
  deps.listener.signal(payloadTopic, '');
}
