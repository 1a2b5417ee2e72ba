import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { makeSession, type Session, systemTiming, type Timing } from '../../src/carriers/smpp/session/session.ts';
import { makeControlServer } from './control-routes.ts';
import { type Faults, makeFaults } from './faults.ts';
import { type Delivery, makeOutbox } from './outbox.ts';
import { serve, served } from './serve.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { Connection, Received, World } from './world.ts';
import { type Written, write } from './write.ts';

export interface SmscOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
  /** PEM; the connections are encrypted. */
  tls?: { key: string; cert: string };
  /** Where the HTTP controls are; none unless named. 0: any free port. */
  controlPort?: number;
  settings?: Partial<Settings>;
  timing?: Timing;
}

/** The running centre, and the strings to pull. */
export interface Smsc {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:2776`, where it has controls. */
  readonly controlUrl: string | null;
  /** Read when they are needed, so they can be changed at any time. */
  readonly settings: Settings;
  readonly faults: Faults;
  /** Every submit, oldest first. */
  readonly received: readonly Received[];
  /** Everything that went to clients, or waits to. */
  readonly deliveries: readonly Delivery[];
  readonly connections: ReadonlySet<Connection>;
  /** A person writes; resolves with the answers of the client, one for each part. */
  write(written: Written): Promise<(number | null)[]>;
  /** Cuts all connections. */
  dropAll(): void;
  close(): Promise<void>;
}

/** A client that is given more than it may ask at once: the centre never refuses for that reason alone. */
const hands = 10_000;

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const { host = '127.0.0.1', port = 0, timing = systemTiming } = options;
  const { world, cancelAll } = makeWorld({ ...defaultSettings(), ...options.settings }, timing);
  const server = options.tls ? tls.createServer(options.tls) : net.createServer();
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: net.Socket) => accept(world, socket));
  // A handshake that fails is the client's trouble.
  server.on('tlsClientError', () => {});
  server.listen(port, host);
  await once(server, 'listening');
  const dropAll = (): void => {
    for (const { session } of world.connections) session.destroy('A fault of the simulator.');
  };
  const controls = options.controlPort === undefined ? null : makeControlServer(world, { dropAll });
  const controlUrl = (await controls?.listen({ host, port: options.controlPort! })) ?? null;

  return {
    host,
    port: (server.address() as AddressInfo).port,
    controlUrl,
    settings: world.settings,
    faults: world.faults,
    received: world.received,
    deliveries: world.outbox.deliveries,
    connections: world.connections,
    write: (written) => write(world, written),
    dropAll,
    async close() {
      cancelAll();
      server.close();
      for (const { session } of world.connections) session.destroy('The centre is closing.');
      await Promise.all([once(server, 'close'), controls?.close()]);
    },
  };
}

function makeWorld(settings: Settings, timing: Timing): { world: World; cancelAll(): void } {
  const timers = new Set<() => void>();
  const later = (ms: number, run: () => void): void => {
    const cancel = timing.after(ms, () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
  };
  const connections = new Set<Connection>();
  const world: World = {
    settings,
    timing,
    connections,
    later,
    faults: makeFaults(),
    received: [],
    messages: new Map(),
    outbox: makeOutbox({ settings, connections, timing, later }),
    held: [],
    nextNumber: 1_000_001,
    second: { number: 0, count: 0 },
  };
  const cancelAll = (): void => {
    for (const cancel of timers) cancel();
  };
  return { world, cancelAll };
}

function accept(world: World, socket: net.Socket): void {
  const { window, responseTimeoutMs, enquireLinkMs } = world.settings;
  socket.setNoDelay(true);
  const session: Session = makeSession(socket, {
    window,
    hands,
    responseTimeoutMs,
    enquireLinkMs,
    timing: world.timing,
    handles: served,
    handle: (pdu) => serve(world, connection, pdu),
    // What waited for this client follows the answer closely, as it does in the field.
    onBound: () => world.outbox.wake(),
  });
  const connection: Connection = { session, systemId: null, mode: null };
  world.connections.add(connection);
  void session.closed.then(() => world.connections.delete(connection));
}
