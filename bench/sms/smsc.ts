import type { Settings } from '../../simulators/smsc/settings.ts';
import { call, findFreePort, type Server, startServer } from '../kit/server.ts';

/** The carrier's SMS centre, played by the simulator in a process of its own. Both who are compared are its clients at once. */

/** Submits that may wait for their answers, and deliveries that may: the same for all. */
export const window = 100;
/** In the field they take seconds; this is long enough to come after the answer, and too short to be what is measured. */
const receiptAfterMs = 100;
export const password = 'bench';

export interface Smsc {
  controls: Server;
  /** Where it speaks SMPP, on the loopback address. */
  port: number;
}

export async function startSmsc(scope: AsyncDisposableStack, systemIds: string[]): Promise<Smsc> {
  const port = await findFreePort();
  const accounts = systemIds.map((systemId) => ({ systemId, password }));
  const settings = JSON.stringify({ accounts, window, receiptAfterMs } satisfies Partial<Settings>);
  const program = ['simulators/smsc/main.ts', '--port', String(port), '--settings', settings];
  const controls = await startServer(
    scope,
    (controlPort) => [process.execPath, ...program, '--control-port', String(controlPort)],
    '/',
    {},
  );
  return { controls, port };
}

/** From now on every message is delivered, and reported so; or none is. */
export const setReceipts = ({ controls }: Smsc, wanted: boolean): Promise<unknown> =>
  call(controls, 'PATCH', '/settings', { outcomes: wanted ? {} : { '': { state: null } } } satisfies Partial<Settings>);

/** The clients that are bound. */
export async function readBound({ controls }: Smsc): Promise<string[]> {
  const { connections } = await call<{ connections: { systemId: string; state: string }[] }>(controls, 'GET', '/');
  return connections.filter(({ state }) => state === 'bound').map(({ systemId }) => systemId);
}

export interface Taken {
  count: number;
  /** When the last one was answered, in milliseconds since 1970. */
  lastMs: number;
}

interface Entry {
  at: string;
  systemId: string;
  status: number | null;
  pdu: { destination_addr: string };
}

/** What a client has had answered, each to another recipient; then forgets it. */
export async function collect({ controls }: Smsc, systemId: string): Promise<Taken> {
  const { messages } = await call<{ messages: Entry[] }>(controls, 'GET', '/received');
  await call(controls, 'DELETE', '/received');
  const strange = messages.find((entry) => entry.systemId !== systemId || entry.status !== 0);
  if (strange) throw new Error(`The centre has a message that it should not: ${JSON.stringify(strange)}`);
  const recipients = new Set(messages.map(({ pdu }) => pdu.destination_addr));
  if (recipients.size !== messages.length) throw new Error(`${messages.length} messages to ${recipients.size} people`);
  // They are in the order they came in, and each is answered as it comes.
  return { count: messages.length, lastMs: Date.parse(messages.at(-1)!.at) };
}
