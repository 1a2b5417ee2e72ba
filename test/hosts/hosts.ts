import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePorts } from '../kit/program/foreign.ts';
import { type Parley, startParley } from '../kit/program/parley-process.ts';

export const hostsToken = 'a-token-for-tests-of-several-hosts';

/** A machine of its own, as far as Parley can tell: its own directory and port, and nothing that another one has. */
export interface Host {
  name: string;
  url: string;
  /** The process that runs there, or ran last. */
  parley: Parley;
  /** Starts the program of this checkout, or another one; on the same disk and port as before. */
  start(program?: string): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

export interface Hosts {
  hosts: Host[];
  urls: string[];
  /** Ends those that run, in order, and removes their disks. */
  stop(): Promise<void>;
}

/** Hosts that share the settings `env`, and may have some of their own; none is started yet. */
export async function makeHosts(
  names: string[],
  env: Record<string, string>,
  own: Record<string, Record<string, string>> = {},
): Promise<Hosts> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'parley-hosts-'));
  const ports = await freePorts(names.length);
  const hosts = names.map((name, index): Host => {
    let parley: Parley | undefined;
    const shared = {
      SECRET_KEY: 'a key that all hosts have',
      BOOTSTRAP_TOKEN: hostsToken,
      SIP_PORT: '0',
      PORT: String(ports[index]),
      ...env,
      ...own[name],
    };
    return {
      name,
      url: `http://127.0.0.1:${ports[index]}`,
      get parley() {
        if (!parley) throw new Error(`Host ${name} was not started.`);
        return parley;
      },
      async start(program) {
        parley = startParley(path.join(home, name), shared, program);
        await parley.ready();
      },
      async kill() {
        parley?.signal('SIGKILL');
        await parley?.ended;
      },
      async stop() {
        parley?.signal('SIGTERM');
        return (await parley?.ended) ?? null;
      },
    };
  });
  return {
    hosts,
    urls: hosts.map(({ url }) => url),
    async stop() {
      await Promise.all(hosts.map((host) => host.stop()));
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
