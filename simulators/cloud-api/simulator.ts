import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../src/platform/time/clock.ts';
import { type Controls, controlsOf } from './control/controls.ts';
import { type Faults, makeFaults } from './control/faults.ts';
import { makeIds, makeRandom } from './ids.ts';
import { makeLimits } from './limits.ts';
import { makeGraphServer, type Received } from './server.ts';
import { defaultSettings, type Settings } from './settings.ts';
import type { Sim } from './sim.ts';
import { makeTime } from './time.ts';
import { webhookFields } from './webhooks/subscriptions.ts';
import { makeOutbox, type Outbox } from './webhooks/webhooks.ts';
import { makeWorld, type World } from './world.ts';

export interface SimulatorOptions {
  /** 0: any free port. */
  port?: number;
  host?: string;
  token?: string;
  appId?: string;
  appSecret?: string;
  /** Where webhooks go from the start; `setWebhook` checks and changes it. */
  webhookUrl?: string;
  verifyToken?: string;
  /** The first account and its number. */
  accountId?: string;
  numberId?: string;
  phone?: string;
  settings?: Partial<Settings>;
  clock?: Clock;
  /** Waits are divided by it. */
  speed?: number;
  /** Decides ids, faults, duplicates and shuffles. */
  seed?: number;
}

/** The running platform, and the strings to pull. */
export interface CloudSimulator extends Controls {
  /** `http://127.0.0.1:9090`: what a client takes for `https://graph.facebook.com`. */
  readonly url: string;
  readonly token: string;
  readonly appSecret: string;
  /** The first account and its number. */
  readonly accountId: string;
  readonly numberId: string;
  readonly world: World;
  /** Read when they are needed, so they can be changed at any time. */
  readonly settings: Settings;
  readonly faults: Faults;
  readonly webhooks: Outbox;
  /** Every request to Graph, oldest first. */
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** Starts the platform on loopback with one account, one number and one token. */
export async function startCloudSimulator(options: SimulatorOptions = {}): Promise<CloudSimulator> {
  const { token = 'simulator-token', appSecret = 'simulator-app-secret', host = '127.0.0.1', port = 0 } = options;
  const { webhookUrl, verifyToken = 'simulator-verify-token', speed = 1, clock = systemClock } = options;
  const callback = webhookUrl === undefined ? null : { url: webhookUrl, verifyToken };
  const app = { id: options.appId ?? '1000000000000001', secret: appSecret, callback, fields: new Set(webhookFields) };
  const world = makeWorld(app);
  const settings = { ...defaultSettings(), ...options.settings };
  const random = makeRandom(options.seed ?? 1);
  const time = makeTime(clock, speed);
  let url = '';
  const sim: Sim = {
    world,
    settings,
    time,
    random,
    // Ids draw from their own numbers, so that a message more does not change which calls fail.
    ids: makeIds(makeRandom((options.seed ?? 1) + 1)),
    limits: makeLimits(time, settings),
    faults: makeFaults(time, random),
    outbox: makeOutbox(world, settings, time, random),
    origin: () => url,
  };
  const controls = controlsOf(sim);
  world.tokens.set(token, { expired: false });
  const account = controls.addAccount({ id: options.accountId ?? '1000000000000002' });
  const number = controls.addNumber(options.phone ?? '+34900111222', { id: options.numberId ?? '1000000000000003' });

  const received: Received[] = [];
  const server = makeGraphServer(sim, received);
  await server.listen({ host, port });
  const { port: bound } = server.server.address() as AddressInfo;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return {
    url,
    token,
    appSecret,
    accountId: account.id,
    numberId: number.id,
    world,
    settings,
    faults: sim.faults,
    webhooks: sim.outbox,
    received,
    ...controls,
    async close() {
      time.close();
      sim.outbox.close();
      await server.close();
    },
  };
}
