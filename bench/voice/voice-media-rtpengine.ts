import { execFile } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startChild } from '../kit/processes.ts';
import { root } from '../kit/server.ts';
import type { Relay } from './voice-media.ts';

const controlPort = 22_322;

export const hasRtpengine = (): Promise<boolean> =>
  promisify(execFile)('rtpengine', ['--version']).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  );

/** rtpengine in user space, as it runs where its kernel module is not: asked by its "ng" protocol. */
export async function startRtpengine(scope: AsyncDisposableStack): Promise<Relay> {
  const options = ['--table=-1', '--interface=127.0.0.1', `--listen-ng=127.0.0.1:${controlPort}`, '--num-threads=1'];
  const ports = ['--port-min=42000', '--port-max=60000', '--foreground', '--log-stderr', '--log-level=3'];
  const child = startChild(scope, ['rtpengine', ...options, ...ports, '--config-file=none'], { cwd: root });
  const socket = createSocket('udp4');
  scope.defer(() => void socket.close());
  const control = makeControl(socket);
  await control.untilThere();
  let calls: string[] = [];
  return {
    async open(count) {
      for (const call of calls) await control.ask({ command: 'delete', 'call-id': call, 'from-tag': 'a' });
      calls = Array.from({ length: count }, (_, n) => `${Date.now()}-${n}`);
      const pairs: string[] = [];
      for (const call of calls) {
        const offer = { command: 'offer', 'call-id': call, 'from-tag': 'a', sdp: sdp(9) };
        const answer = { command: 'answer', 'call-id': call, 'from-tag': 'a', 'to-tag': 'b', sdp: sdp(9) };
        const [toOther, toOne] = [portIn(await control.ask(offer)), portIn(await control.ask(answer))];
        pairs.push(`${toOne}:${toOther}`);
      }
      return pairs;
    },
    async cpuMs() {
      const stat = await readFile(`/proc/${child.process.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
  };
}

const sdp = (port: number): string =>
  `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`;

function portIn(answer: string): string {
  const port = /m=audio (\d+)/.exec(answer)?.[1];
  if (port === undefined) throw new Error(`rtpengine answered ${answer}`);
  return port;
}

function makeControl(socket: Socket) {
  let cookie = 0;
  async function ask(command: Record<string, string>): Promise<string> {
    const question = `${process.pid}_${++cookie} ${bencode(command)}`;
    socket.send(question, controlPort, '127.0.0.1');
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(2_000) })) as [Buffer];
    return answer.toString('latin1');
  }
  async function untilThere(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await ask({ command: 'ping' });
        return;
      } catch (error) {
        if (tries === 5) throw error;
        await sleep(200);
      }
    }
  }
  return { ask, untilThere };
}

const bencode = (dictionary: Record<string, string>): string =>
  `d${Object.entries(dictionary)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name.length}:${name}${value.length}:${value}`)
    .join('')}e`;
