import { hash } from 'node:crypto';
import type { RawPayload } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../platform/ids.ts';
import { insertPayloads } from './payload-queries.ts';

/** Tells those who read payloads that there are new ones. */
export const payloadTopic = 'inbound';

/** Stores a payload as it came, in the company of whatever else is coming in at this moment. */
export const keepPayload = (deps: Deps, payload: RawPayload): Promise<void> =>
  deps.batches.run('inbound.keep', payload, async (payloads) => {
    await insertPayloads(
      deps.db,
      payloads.map(({ sender, carrier, body }) => ({
        accountId: sender.accountId,
        chatappAccount: sender.uuid,
        hash: hash('sha256', body, 'buffer'),
        uuid: newId(),
        carrier,
        body,
      })),
    );
    deps.listener.signal(payloadTopic, '');
    return payloads.map(() => ({ status: 'fulfilled', value: undefined }));
  });
