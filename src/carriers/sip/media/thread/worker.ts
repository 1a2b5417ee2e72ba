// A thread with the speech of many calls. It does what the main thread says (protocol.ts), and ends with it.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { ringback } from '../../../../platform/audio/tones.ts';
import { noLookup } from '../../signalling/transport/udp.ts';
import {
  type Command,
  type FromWorker,
  type MediaStats,
  makeOutbox,
  type Remote,
  type Request,
  type WorkerSettings,
} from '../protocol.ts';
import { makeMetronome } from './metronome.ts';
import { type Listener, type Performance, playSound, pressKeys, soundKeys } from './players.ts';
import { startRecording } from './recording.ts';
import { makeSession, type Session } from './session.ts';
import { openSound, soundOf } from './sound-reader.ts';

const { region } = workerData as WorkerSettings;
const reviewMs = 100;
/** Speech for somewhat less than a second: what has waited longer is of no use to anybody, and delays what comes after it. */
const recvBufferSize = 16_384;

const port = parentPort!;
const metronome = makeMetronome();
const sessions = new Map<number, Session>();
/** How to end the long commands that are under way. */
const stops = new Map<number, () => void>();
const reviews = new Set<(nowMs: number) => void>();
const ringing = ringback(region);

const tell = makeOutbox<FromWorker>((messages) => port.postMessage(messages));

const find = (id: number): Session => {
  const session = sessions.get(id);
  if (!session) throw new Error('The media session is over.');
  return session;
};

async function bind(host: string, port: number): Promise<Socket> {
  const type = isIPv6(host) ? 'udp6' : 'udp4';
  const socket = createSocket({ type, lookup: noLookup, recvBufferSize });
  try {
    // Without a look into the DNS it listens, or fails, before `bind` returns.
    const listening = once(socket, 'listening');
    socket.bind({ address: host, port, exclusive: true });
    await listening;
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}

async function open({ session: id, host, port }: Command & { do: 'open' }): Promise<void> {
  const session = makeSession({
    id,
    socket: await bind(host, port),
    isSix: isIPv6(host),
    metronome,
    onKey: (digit) => tell({ event: 'digit', session: id, digit }),
    onSilent: () => tell({ event: 'silent', session: id }),
  });
  sessions.set(id, session);
  reviews.add(session.review);
  session.onClose.add(() => {
    unbridge(session);
    sessions.delete(id);
    reviews.delete(session.review);
  });
}

/** Answers how it went, at last. */
function close(session: Session | undefined): MediaStats | undefined {
  const stats = session?.stats();
  session?.close();
  return stats;
}

/** Addresses as the session's socket writes them, so that those of packets can be compared with them as they are. */
function setRemote(session: Session, remote: Remote): void {
  const { address, port, sources = [address] } = remote;
  // Port 0 is how an SDP refuses (RFC 3264, 6), and a socket does not send there.
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${port} is not a port.`);
  const { isSix } = session;
  session.setRemote({
    ...remote,
    address: socketText(address, isSix),
    sources: sources.map((one) => socketText(one, isSix)),
  });
}

function socketText(address: string, isSix: boolean): string {
  if (isIP(address) === 0) throw new Error(`${address} is not an IP address.`);
  if (address === '0.0.0.0') return address;
  if (isIPv4(address)) return isSix ? `::ffff:${address}` : address;
  return new SocketAddress({ address, family: 'ipv6' }).address;
}

function unbridge(session: Session): void {
  const { peer } = session;
  session.peer = undefined;
  if (peer?.peer === session) peer.peer = undefined;
  session.cut();
  peer?.cut();
}

function bridge(one: Session, other: Session): void {
  unbridge(one);
  unbridge(other);
  one.peer = other;
  other.peer = one;
}

/** Done when it was heard, or ended early. */
const perform = (id: number, session: Session, make: (listener: Listener, over: () => void) => Performance) =>
  new Promise<void>((resolve) => {
    session.perform((listener) => {
      const performance = make(listener, resolve);
      stops.set(id, performance.end);
      return performance;
    });
  });

async function play(id: number, session: Session, path: string): Promise<void> {
  let stopped = false;
  stops.set(id, () => {
    stopped = true;
  });
  const sound = await openSound(path);
  if (stopped || !sessions.has(session.id)) return sound.close();
  await perform(id, session, (listener, over) => playSound(listener, sound, over));
}

async function run(id: number, command: Command): Promise<unknown> {
  switch (command.do) {
    case 'open':
      return open(command);
    case 'setRemote':
      return setRemote(find(command.session), command.remote);
    case 'hold':
      return find(command.session).hold(command.held);
    case 'play':
      return play(id, find(command.session), command.path);
    case 'ring':
      return perform(id, find(command.session), (listener, over) =>
        playSound(listener, soundOf(ringing, { loop: true }), over),
      );
    case 'key': {
      const session = find(command.session);
      const make = session.remote?.dtmfType == null ? soundKeys : pressKeys;
      return perform(id, session, (listener, over) => make(listener, command.digits, over));
    }
    case 'bridge':
      return bridge(find(command.one), find(command.other));
    case 'record': {
      const recording = startRecording(command.sessions.map(find), command, reviews);
      stops.set(id, recording.stop);
      return recording.ended;
    }
    case 'watch':
      return find(command.session).watch(command.silentMs);
    case 'stats':
      return find(command.session).stats();
    case 'close':
      return close(sessions.get(command.session));
    case 'stop':
      return stops.get(command.command)?.();
  }
}

port.on('message', (requests: Request[]) => {
  for (const { id, ...command } of requests) {
    run(id, command as Command)
      .then(
        (value) => tell({ answer: id, value }),
        (error: NodeJS.ErrnoException) => tell({ answer: id, error: error.message, code: error.code }),
      )
      .finally(() => stops.delete(id));
  }
});

setInterval(() => {
  const nowMs = performance.now();
  for (const review of reviews) review(nowMs);
}, reviewMs);
