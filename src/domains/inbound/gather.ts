import type { InboundEvent } from '../../carriers/ports/inbox.ts';
import type { Deps } from '../../deps.ts';
import { presentMessage, type Received } from '../messages/index.ts';
import { receiveEvents } from './receive.ts';

/** What a carrier brought for an account in one go. */
interface Delivery {
  accountId: string;
  carrier: string;
  events: InboundEvent[];
}

type Presented = ReturnType<typeof presentMessage>;

/** Receives events together with what else arrives at this moment for the same account; answers the new messages among them. */
export const gatherEvents = (deps: Deps, delivery: Delivery): Promise<Presented[]> =>
  deps.batches.run('inbound.receive', delivery, async (deliveries) => {
    const results = new Map<Delivery, PromiseSettledResult<Presented[]>>();
    for (const group of groupsOf(deliveries)) await receiveGroup(deps, group, results);
    return deliveries.map((one) => results.get(one)!);
  });

function groupsOf(deliveries: Delivery[]): Delivery[][] {
  return [...Map.groupBy(deliveries, ({ accountId, carrier }) => `${accountId} ${carrier}`).values()];
}

async function receiveGroup(
  deps: Deps,
  group: Delivery[],
  results: Map<Delivery, PromiseSettledResult<Presented[]>>,
): Promise<void> {
  const { accountId, carrier } = group[0]!;
  try {
    const events = group.flatMap((delivery) => delivery.events);
    const received = await receiveEvents(deps, accountId, carrier, events);
    for (const delivery of group) results.set(delivery, { status: 'fulfilled', value: newOf(delivery, received) });
  } catch (reason) {
    // What cannot be received must not take its company with it.
    if (group.length === 1) results.set(group[0]!, { status: 'rejected', reason });
    else for (const delivery of group) await receiveGroup(deps, [delivery], results);
  }
}

function newOf({ events }: Delivery, received: Received[]): Presented[] {
  const own = new Set<unknown>(events);
  return received.filter(({ message }) => own.has(message)).map(({ row }) => presentMessage(row));
}
