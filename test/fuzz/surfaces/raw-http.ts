import net from 'node:net';
import { mutate, type Random } from '../random.ts';
import { isFault, type Surface } from '../surface.ts';
import type { Target } from '../target.ts';

/** A peer that says half of something and then nothing is left after this long. */
const patienceMs = 1_000;

/** Octets that are not quite HTTP, each on a connection of its own. */
export function rawHttpSurface(target: Target): Surface {
  return {
    name: 'raw-http',
    concurrency: 4,
    async attack(random) {
      const octets = random.chance(0.1) ? random.bytes(random.below(300)) : mutate(random, requestOf(random, target));
      const heard = await exchange(target.port, octets);
      for (const [, status] of heard.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)) {
        if (isFault(Number(status))) return `${JSON.stringify(octets.toString('latin1'))} → ${heard.slice(0, 500)}`;
      }
      return undefined;
    },
  };
}

const body = '{"chatapp_number":"+447700900001","to_chatapp_number":"+447700900123","type":"TEXT","text":{"body":"x"}}';

function requestOf(random: Random, { token }: Target): Buffer {
  const head = `Host: 127.0.0.1\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\n`;
  const post = `POST /v2/chatapp/messages/ HTTP/1.1\r\n${head}`;
  const get = `GET /v2/account/ HTTP/1.1\r\n${head}`;
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
  const whole = random.pick([
    `${get}\r\n`,
    `${get}\r\n${get}\r\n`,
    'GET /l/abcdefghjk HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r\n\r\n',
    'GET http://elsewhere.example/v2/account/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `${get}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `${get}Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`,
    `${get}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    `${post}Content-Length: ${body.length}\r\n\r\n${body}`,
    `${post}Content-Length: 5\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `${post}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`,
    `${post}Transfer-Encoding: gzip, chunked\r\n\r\n${chunk}0\r\n\r\n`,
    `${post}Content-Length: 999999999999\r\n\r\n${body}`,
    `${post}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ]);
  return Buffer.from(whole, 'latin1');
}

function exchange(port: number, octets: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(octets));
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (piece: string) => {
      heard += piece;
      // Keep-alive would hold the connection; that an answer came is enough.
      if (/\r\n\r\n/.test(heard)) socket.setTimeout(50);
    });
    // A connection that is cut is an answer, too.
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}
