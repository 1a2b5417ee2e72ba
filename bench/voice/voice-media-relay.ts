// The relay for the row relay, in a process of its own: opens calls, tells their ports, and answers a line with the CPU it used.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type MediaSession, makeMedia } from '../../src/carriers/sip/media/index.ts';
import { quantile } from '../figures.ts';

const media = makeMedia({ ports: [20_000, 29_999], threads: 1, host: '127.0.0.1' });
/** Where a telephone is not: the sessions have to learn where it is, as behind a NAT. */
const nowhere = { address: '127.0.0.1', port: 9, codec: 'PCMU', dtmfType: 101 } as const;
const open: MediaSession[] = [];

async function openCalls(count: number): Promise<string[]> {
  await Promise.all(open.splice(0).map((session) => session.close()));
  const pairs: string[] = [];
  for (let n = 0; n < count; n++) {
    const [one, other] = [await media.open(), await media.open()];
    await Promise.all([one.setRemote(nowhere), other.setRemote(nowhere), media.bridge(one, other)]);
    open.push(one, other);
    pairs.push(`${one.local.port}:${other.local.port}`);
  }
  return pairs;
}

/** Plays a sound to many at once, and tells by how much the distances between packets differ from 20 ms. */
async function playToMany(count: number, seconds: number) {
  const sound = path.join(os.tmpdir(), `bench-${process.pid}.ulaw`);
  await writeFile(sound, Buffer.alloc(seconds * 8_000, 1));
  await Promise.all(open.splice(0).map((session) => session.close()));
  const differencesMs: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      let lastMs = 0;
      socket.on('message', (packet: Buffer) => {
        const nowMs = performance.now();
        if (packet[12] !== 1) return;
        if (lastMs > 0) differencesMs.push(Math.abs(nowMs - lastMs - 20));
        lastMs = nowMs;
      });
      const session = await media.open();
      await session.setRemote({ ...nowhere, port: socket.address().port });
      open.push(session);
      return socket;
    }),
  );
  await Promise.all(open.map((session) => session.play(sound)));
  for (const socket of sockets) socket.close();
  await rm(sound);
  return {
    packets: differencesMs.length + count,
    p50Ms: quantile(differencesMs, 0.5),
    p99Ms: quantile(differencesMs, 0.99),
  };
}

async function answer(line: string): Promise<unknown> {
  const [word, ...numbers] = line.split(' ');
  if (word === 'open') return openCalls(Number(numbers[0]));
  if (word === 'play') return playToMany(Number(numbers[0]), Number(numbers[1]));
  return process.cpuUsage();
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(`ANSWER ${JSON.stringify(await answer(line))}`);
}
await media.close();
