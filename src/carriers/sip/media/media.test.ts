import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  connectPhone,
  frame,
  host,
  makeSound,
  remoteOf,
  startMedia,
  takePorts,
} from '../../../../test/kit/sip/phone.ts';
import { until } from '../../../../test/kit/until.ts';
import { readWav } from '../../../platform/audio/wav.ts';
import { PortsExhausted } from './index.ts';
import { makePorts } from './ports.ts';

test('ports › even ones, each once, and the longest unused first', () => {
  const ports = makePorts([1_001, 1_009]);
  const taken = [1, 2, 3, 4].map(() => ports.take()!);
  assert.deepEqual(taken.toSorted(), [1_002, 1_004, 1_006, 1_008]);
  assert.equal(ports.take(), undefined);
  ports.release(taken[2]!);
  ports.release(taken[0]!);
  assert.equal(ports.take(), taken[0]);
  assert.equal(makePorts([1_001, 1_001]).take(), undefined);
});

test('media › all ports in use is a clear error, and a closed session frees its own', async (t) => {
  const [least, most] = takePorts(6);
  const media = startMedia(t, { ports: [least, most] });
  const sessions = await Promise.all([media.open(), media.open(), media.open()]);
  assert.deepEqual(sessions.map(({ local }) => local.port).toSorted(), [least, least + 2, least + 4]);
  await assert.rejects(
    media.open(),
    (error) => error instanceof PortsExhausted && error.message === `All RTP ports of ${least}-${most} are in use.`,
  );
  await sessions[1]!.close();
  assert.equal((await media.open()).local.port, sessions[1]!.local.port);
  assert.equal(media.sessions(), 3);
});

test('media › a port that another process has is passed over', async (t) => {
  const foreign = createSocket('udp4');
  const [least, most] = takePorts(4);
  foreign.bind(least, host);
  await once(foreign, 'listening');
  t.after(() => void foreign.close());
  const media = startMedia(t, { ports: [least, most] });
  assert.equal((await media.open()).local.port, least + 2);
  await assert.rejects(media.open(), PortsExhausted);
});

test('media › an address that this machine does not have is told at once', async (t) => {
  const media = startMedia(t, { host: '192.0.2.1' });
  await assert.rejects(media.open(), { code: 'EADDRNOTAVAIL' });
  assert.equal(media.sessions(), 0);
});

test('media › a silent peer is told once for each silence, and not while on hold', async (t) => {
  const media = startMedia(t);
  const { phone, session } = await connectPhone(t, media);
  let silences = 0;
  session.onSilent(150, () => silences++);
  await until(() => silences === 1);
  phone.say(session, frame(0));
  await until(() => silences === 2);
  await session.hold(true);
  phone.say(session, frame(1));
  await until(async () => (await session.stats())!.received === 2);
  // Somebody else falls silent later, and is told of twice.
  const other = await connectPhone(t, media);
  let others = 0;
  other.session.onSilent(150, () => others++);
  await until(() => others === 1);
  other.phone.say(other.session, frame(0));
  await until(() => others === 2);
  assert.equal(silences, 2);
});

test('media › a peer that sends from elsewhere after a pause is found again', async (t) => {
  const media = startMedia(t);
  const one = await connectPhone(t, media);
  const other = await connectPhone(t, media);
  await media.bridge(one.session, other.session);
  other.phone.say(other.session, frame(0));
  await until(() => one.phone.speech().length === 1);
  const { phone: rebound } = await connectPhone(t, media);
  await until(() => {
    rebound.say(other.session, frame(1));
    return one.phone.speech().length > 6;
  });
  assert.equal((await other.session.stats())!.heardFrom!.port, rebound.port);
});

test('media › a peer whose port is closed ends nothing', async (t) => {
  const media = startMedia(t);
  const { session } = await connectPhone(t, media);
  await session.setRemote({ address: '127.0.0.1', port: 9, codec: 'PCMU', dtmfType: null });
  await session.play(await makeSound(t, Buffer.alloc(1_600, 1)));
  assert.ok((await session.stats())!.sent >= 10);
});

test('media › a name in the SDP, and port 0, which refuses the stream, change nothing', async (t) => {
  const { phone, session } = await connectPhone(t, startMedia(t));
  await session.setRemote(remoteOf({ ...phone, port: 0 }));
  await session.setRemote(remoteOf({ ...phone, port: 9, address: 'localhost' }));
  await session.play(await makeSound(t, frame(1)));
  await until(() => phone.speech().length === 1);
});

test('media › a thread that dies ends its sessions with an error, mends their recordings, and is replaced', async (t) => {
  const threads: Worker[] = [];
  const media = startMedia(t, {
    startThread(settings) {
      const thread = new Worker(new URL('./thread/worker.ts', import.meta.url), { workerData: settings, execArgv: [] });
      threads.push(thread);
      return thread;
    },
  });
  const { session } = await connectPhone(t, media);
  const path = await makeSound(t, Buffer.alloc(80_000, 1));
  const wav = path.replace('.ulaw', '.wav');
  const recording = media.record([session], { path: wav });
  await until(() =>
    readFile(wav).then(
      ({ length }) => length > 1_000,
      () => false,
    ),
  );
  const playing = session.play(path);
  const lost: Error[] = [];
  session.onLost((error) => lost.push(error));
  await threads[0]!.terminate();
  await playing;
  assert.deepEqual(
    lost.map(({ message }) => message),
    ['The media thread ended.'],
  );
  const { seconds } = await recording.ended;
  assert.ok(seconds > 0);
  assert.equal(readWav(await readFile(wav))!.seconds, seconds);
  assert.equal(await session.stats(), undefined);
  await session.close();
  assert.equal(media.sessions(), 0);

  const { phone, session: next } = await connectPhone(t, media);
  await next.play(await makeSound(t, frame(1)));
  await until(() => phone.speech().length === 1);
  assert.equal(threads.length, 2);
});

test('media › threads share the sessions; those of one call are in one', async (t) => {
  const media = startMedia(t, { threads: 2 });
  const [one, other, apart] = [
    await media.open({ near: 'a' }),
    await media.open({ near: 'a' }),
    await media.open({ near: 'b' }),
  ];
  await media.bridge(one!, other!);
  await assert.rejects(media.bridge(one!, apart!), /the same `near`/);
});

test('media › close makes recordings whole and refuses what comes after', async (t) => {
  const media = startMedia(t);
  const { session } = await connectPhone(t, media);
  const path = (await makeSound(t, frame(1))).replace('.ulaw', '.wav');
  const recording = media.record([session], { path });
  await session.stats();
  await media.close();
  assert.equal(readWav(await readFile(path))!.seconds, (await recording.ended).seconds);
  await assert.rejects(media.open(), /closed/);
});
