import type { RawPayload } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { onTakeover } from '../../platform/db/connect/takeover.ts';
import { newId } from '../../platform/ids.ts';
import { keepNewest, type Newest } from '../../platform/work/newest.ts';
import { insertPayloads } from './payload-queries.ts';

/** Tells those who read payloads that there are new ones. */
export const payloadTopic = 'inbound';

const keptMs = 30_000;
/** Of each such span the newest, as many as fit into some 20 MB: they are what a standby is likeliest to lack. Larger ones are rare. */
const mostKept = 5_000;
const mostBytes = 4_000;
const mostAtOnce = 500;

const placeOf = ({ running }: Deps) => running.of<Newest<RawPayload>>('inbound payloads');

/** Stores a payload as it came, in the company of whatever else is coming in at this moment. */
export const keepPayload = (deps: Deps, payload: RawPayload): Promise<void> =>
  deps.batches.run('inbound.keep', payload, async (payloads) => {
    await store(deps, payloads);
    const newest = placeOf(deps).get();
    if (newest) for (const one of payloads) if (one.body.length <= mostBytes) newest.add(one);
    return payloads.map(() => ({ status: 'fulfilled', value: undefined }));
  });

/**
 * The platform does not repeat what it was told is stored. So this process stores again what came lately where a standby has taken over that may
 * lack it; what is there is known by its hash.
 */
export function startStoringAgain(deps: Deps): { stop(): Promise<void> } {
  const newest = keepNewest<RawPayload>(mostKept, keptMs, () => performance.now());
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
