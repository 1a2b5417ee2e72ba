import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { until } from '../until.ts';

/** A foreign program, and all it has said. */
export interface Foreign {
  lines: string[];
  /** The first line that matches, once it was said. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

export function startForeign(program: string, args: string[]): Foreign {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
    });
  }
  const ended = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    lines,
    says: (pattern) =>
      until(`${program} saying ${pattern}`, () => {
        const hasEnded = ended();
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
        if (!found && failure) throw failure;
        if (!found && hasEnded) throw new Error(`${program} ended: ${lines.slice(-20).join('\n')}`);
        return found;
      }),
    async stop() {
      if (ended()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await once(child, 'close');
      clearTimeout(timer);
    },
  };
}

/** Ports of loopback that were free a moment ago, for programs that cannot tell theirs. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
