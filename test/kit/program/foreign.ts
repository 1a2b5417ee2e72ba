import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
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

/** Below those that the kernel gives to outgoing connections, and those of speech: what is free stays so. */
const [firstPort, lastPort] = [10_000, 19_998];

/** Ports of loopback, for programs that cannot tell theirs. Each is free for TCP and for UDP, and so is the one after it. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = firstPort + 2 * randomInt((lastPort - firstPort) / 2 + 1);
    if (!ports.includes(port) && (await isFree(port)) && (await isFree(port + 1))) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const stream = net.createServer();
  const datagrams = dgram.createSocket('udp4');
  try {
    await once(stream.listen(port, '127.0.0.1'), 'listening');
    await once(datagrams.bind(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    stream.close();
    datagrams.close();
  }
}
