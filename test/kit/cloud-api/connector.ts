import { pino } from 'pino';
import {
  type CloudSimulator,
  type SimulatorOptions,
  startCloudSimulator,
} from '../../../simulators/cloud-api/index.ts';
import { makeCloudApi } from '../../../src/carriers/cloud-api/carrier.ts';
import type { CarrierWith } from '../../../src/carriers/ports/carriers.ts';
import type { OutboundMessage, Outcome, Sender } from '../../../src/carriers/ports/chat.ts';
import { newId } from '../../../src/platform/ids.ts';
import { type Clock, systemClock } from '../../../src/platform/time/clock.ts';

/** The connector as it runs, and a sender to send from. */
export interface Connector {
  carrier: CarrierWith<'chat'>;
  sender: Sender;
  /** Everything that was logged, at every level. */
  logged: string[];
  send(message: Partial<OutboundMessage>): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ConnectorOptions {
  url: string;
  settings?: Record<string, string>;
  timeoutMs?: number;
  clock?: Clock;
}

export function makeConnector({
  url,
  settings,
  timeoutMs = 600_000,
  clock = systemClock,
}: ConnectorOptions): Connector {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const carrier = makeCloudApi({ config: { url, version: 'v26.0', timeoutMs }, clock, log });
  const usual = { access_token: 'simulator-token', phone_number_id: '1000000000000003' };
  const sender = { accountId: newId(), uuid: newId(), number: '+34900111222', settings: { ...usual, ...settings } };
  return {
    carrier,
    sender,
    logged,
    send: async (message) => (await carrier.chat.send(sender, [outbound(sender, message)]))[0]!,
    close: () => carrier.stop!(),
  };
}

export const outbound = (sender: Sender, message: Partial<OutboundMessage>): OutboundMessage => ({
  accountId: sender.accountId,
  uuid: newId(),
  senderNumber: sender.number,
  toNumber: '+34 600 111 222',
  type: 'TEXT',
  content: { text: { body: 'hola' } },
  carrierIds: new Map(),
  attempt: 1,
  ...message,
});

export type Connected = Awaited<ReturnType<typeof startConnected>>;

/** A connector of a simulator of its own, which accepts whatever has the right form, to anybody and at any time. */
export async function startConnected({
  platform,
  ...options
}: Omit<ConnectorOptions, 'url'> & { platform?: SimulatorOptions['settings'] } = {}) {
  const settings = { pairEveryMs: null, enforceWindow: false, ...platform };
  const simulator: CloudSimulator = await startCloudSimulator({ speed: 1000, settings });
  const connector = makeConnector({ url: simulator.url, ...options });
  return {
    ...connector,
    simulator,
    /** The messages that the platform was sent, oldest first. */
    payloads: () =>
      simulator.received.filter(({ url }) => url.endsWith('/messages')).map(({ body }) => JSON.parse(body.toString())),
    async close() {
      await simulator.close();
      await connector.close();
    },
  };
}
