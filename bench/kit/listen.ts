// Ten receivers of webhooks, each with a port of its own. GET / on PORT tells what they heard, POST / sets them: which of them
// never answers, and all counts back to nothing.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Heard } from './receivers.ts';

const receivers = 10;
const heard: Heard[] = [];
let hanging: number | null = null;

const hear = (index: number): void => {
  const mine = heard[index]!;
  const now = performance.timeOrigin + performance.now();
  mine.count++;
  mine.firstMs ??= now;
  mine.lastMs = now;
};

for (let index = 0; index < receivers; index++) {
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      hear(index);
      if (index !== hanging) response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  heard.push({ url: `http://127.0.0.1:${port}/`, count: 0, firstMs: null, lastMs: null });
}

const control = http.createServer((request, response) => {
  if (request.method === 'POST') {
    const asked = new URL(request.url!, 'http://control').searchParams.get('hanging');
    hanging = asked === null ? null : Number(asked);
    for (const mine of heard) Object.assign(mine, { count: 0, firstMs: null, lastMs: null });
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(heard));
});
control.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
