import { type Given, Status } from '../../src/carriers/smpp/codec/index.ts';
import type { Connection, World } from './world.ts';

/** Something for a client: a message that a person wrote, or a receipt. */
export interface Delivery {
  at: Date;
  systemId: string;
  pdu: Given<'deliver_sm'>;
  tries: number;
  /** What it was answered last; null: nothing yet. */
  status: number | null;
}

/** What waits for a client to be there and to take it. */
export interface Outbox {
  deliveries: Delivery[];
  /** Resolves with the answer of the client, or null when it was given up. */
  deliver(systemId: string, pdu: Given<'deliver_sm'>): Promise<number | null>;
  /** Somebody bound: what was waiting for them goes out. */
  wake(): void;
  waiting(): number;
}

interface Waiting {
  delivery: Delivery;
  resolve(status: number | null): void;
}

const comeAgain: readonly number[] = [Status.RX_T_APPN, Status.RMSGQFUL, Status.RTHROTTLED, Status.RINVBNDSTS];

export function makeOutbox(world: Pick<World, 'settings' | 'connections' | 'timing' | 'later'>): Outbox {
  const deliveries: Delivery[] = [];
  let queue: Waiting[] = [];
  let turn = 0;

  /** In turns, where a client has several binds that hear. */
  function listenerOf(systemId: string): Connection | undefined {
    const hears = ({ systemId: owner, mode, session }: Connection) =>
      owner === systemId && mode !== 'transmitter' && session.state === 'bound';
    const listeners = [...world.connections].filter(hears);
    return listeners[turn++ % listeners.length];
  }

  async function attempt(waiting: Waiting): Promise<void> {
    const { delivery, resolve } = waiting;
    const listener = listenerOf(delivery.systemId);
    if (!listener) {
      queue.push(waiting);
      return;
    }
    delivery.tries++;
    const answer = await listener.session.request('deliver_sm', delivery.pdu).catch(() => null);
    delivery.status = answer?.status ?? null;
    const again = answer === null || comeAgain.includes(answer.status);
    if (!again || delivery.tries >= world.settings.deliveryTries) resolve(delivery.status);
    else world.later(world.settings.deliveryRetryMs, () => void attempt(waiting));
  }

  return {
    deliveries,
    deliver: (systemId, pdu) =>
      new Promise((resolve) => {
        const delivery: Delivery = { at: new Date(world.timing.nowMs()), systemId, pdu, tries: 0, status: null };
        deliveries.push(delivery);
        if (deliveries.length > 2 * world.settings.keep) deliveries.splice(0, world.settings.keep);
        void attempt({ delivery, resolve });
      }),
    wake() {
      const waiting = queue;
      queue = [];
      for (const one of waiting) void attempt(one);
    },
    waiting: () => queue.length,
  };
}
