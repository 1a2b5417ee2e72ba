import type { SipRequest, SipResponse } from '../message/message.ts';
import type { Peer } from '../transport/wire.ts';
import type { Timing } from './timing.ts';

/** What transactions stand on. */
export interface Ground {
  timing: Timing;
  send(octets: Buffer, to: Peer): Promise<void>;
}

/** A request of ours, and how it goes on. */
export interface ClientTransaction {
  readonly request: SipRequest;
  readonly peer: Peer;
  /** Whether its end is still to come. */
  readonly isOpen: boolean;
  receive(response: SipResponse, from: Peer): void;
  /** Forgets it at once. */
  end(): void;
}

export interface ClientHandlers {
  /** Every provisional answer and the final one; of an INVITE every 2xx, since there may be several (RFC 6026). */
  onResponse(response: SipResponse, from: Peer): void;
  /** Nobody answered (408), or it could not be sent (503). */
  onFailure(status: 408 | 503, description: string): void;
}

/** A request of the peer's. */
export interface ServerTransaction {
  readonly request: SipRequest;
  readonly peer: Peer;
  /** The last status that was sent; 0: none. */
  readonly status: number;
  respond(response: SipResponse): void;
  /** The same request once more, or the ACK of what was refused. */
  receive(request: SipRequest): void;
  end(): void;
}

/** RFC 3261 17.1: over a stream nothing is sent twice. */
export const isReliable = ({ protocol }: Peer): boolean => protocol !== 'udp';

/** One timer after the other under a common name: setting it anew forgets the old one. */
export function makeAlarms(timing: Timing) {
  const cancels = new Map<string, () => void>();
  return {
    set(name: string, ms: number, run: () => void): void {
      cancels.get(name)?.();
      cancels.set(name, timing.after(ms, run));
    },
    clear(name: string): void {
      cancels.get(name)?.();
      cancels.delete(name);
    },
    clearAll(): void {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
