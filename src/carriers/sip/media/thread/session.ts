import type { RemoteInfo, Socket } from 'node:dgram';
import { alawToUlaw, ulawSilence, ulawToAlaw } from '../../../../platform/audio/g711.ts';
import type { MediaStats, Remote } from '../protocol.ts';
import { makeKeysIn } from '../rtp/keys-in.ts';
import { type Latch, makeLatch } from '../rtp/latch.ts';
import { makeOutgoing } from '../rtp/outgoing.ts';
import { makeReception } from '../rtp/reception.ts';
import { frameSamples, headLength, marker, payloadEnd, payloadStart, sourceOf, typeOf } from '../rtp/rtp.ts';
import { makeOpener, makeSealer, type Opener, type Sealer } from '../srtp/srtp.ts';
import type { Metronome } from './metronome.ts';
import type { Listener, Performance } from './players.ts';

/** What a payload type means. */
export const Kind = { unknown: 0, ulaw: 1, alaw: 2, event: 3 } as const;

/** Gets every packet of speech that a person sends, before it goes on; it must not change it. */
export type Tap = (packet: Buffer, start: number, end: number, kind: number, nowMs: number) => void;

/**
 * One person's speech, in a worker: a socket, the stream that comes, and the stream that goes. Where a session stands is told by
 * what it has: no `remote` yet, nothing is sent or taken; a `performance`, that is heard; else a `peer`, what that one says.
 */
export interface Session {
  readonly id: number;
  /** Its socket takes both families, and writes IPv4 addresses as IPv6 ones. */
  readonly isSix: boolean;
  readonly remote: Remote | undefined;
  readonly taps: Set<Tap>;
  readonly onKey: Set<(key: string) => void>;
  readonly onClose: Set<() => void>;
  peer: Session | undefined;
  setRemote(remote: Remote): void;
  hold(held: boolean): void;
  /** Lets something be heard, and ends what was heard before it. */
  perform(make: (listener: Listener) => Performance): void;
  /** Sends a packet of the peer's, in place. */
  relay(packet: Buffer, start: number, end: number, kind: number, nowMs: number): void;
  /** The next packet that is relayed to it begins anew. */
  cut(): void;
  /** Tells once when nothing was heard for so long; 0: never. */
  watch(silentMs: number): void;
  /** Whatever has to be looked after now and then. */
  review(nowMs: number): void;
  stats(): MediaStats;
  close(): void;
}

/** Nothing was heard for that long: perhaps the peer now sends from elsewhere. */
const doubtMs = 2_000;
/** A peer that hears nothing for long hangs up, and a NAT forgets (RFC 6263 asks for 15 s). */
const keepAliveMs = 5_000;

export interface SessionOptions {
  id: number;
  socket: Socket;
  isSix: boolean;
  metronome: Metronome;
  onKey(key: string): void;
  onSilent(): void;
}

export function makeSession({ id, socket, isSix, metronome, onKey, onSilent }: SessionOptions): Session {
  let nowMs = performance.now();
  const outgoing = makeOutgoing(nowMs);
  const reception = makeReception();
  const listeners = new Set([onKey]);
  const keysIn = makeKeysIn((key) => {
    for (const listener of listeners) listener(key);
  });
  const kinds = new Uint8Array(128);
  const taps = new Set<Tap>();
  let remote: Remote | undefined;
  let latch: Latch | undefined;
  let ownKind: number = Kind.ulaw;
  let payloadType = 0;
  let connected = false;
  let held = false;
  let closed = false;
  /** The next frame of ours comes after a pause. */
  let fresh = true;
  let current: Performance | undefined;
  let lastHeardMs = nowMs;
  let lastSentMs = nowMs;
  let silentMs = 0;
  let toldSilent = false;
  let strangers = 0;
  let invalid = 0;
  let refused = 0;
  let unauthentic = 0;
  /** Of an encrypted call: one for each direction, for as long as its key is the same. */
  let sealer: Sealer | undefined;
  let opener: Opener | undefined;

  // ICMP tells a connected socket that the peer's port is closed; it may open again.
  socket.on('error', () => refused++);
  socket.on('message', receive);

  function receive(octets: Buffer, from: RemoteInfo): void {
    // From port 0 comes only what is forged: nothing can be sent there.
    if (latch === undefined || from.port === 0 || !latch.permits(from)) {
      strangers++;
      return;
    }
    const packet = opener ? opener.open(octets) : octets;
    if (packet === undefined) {
      unauthentic++;
      return;
    }
    const start = payloadStart(packet);
    const kind = start < 0 ? Kind.unknown : kinds[typeOf(packet)]!;
    if (kind === Kind.unknown) {
      invalid++;
      return;
    }
    if (!latch.accepts(from, sourceOf(packet))) {
      strangers++;
      return;
    }
    if (!connected && latch.settled) connect(from);
    nowMs = performance.now();
    lastHeardMs = nowMs;
    toldSilent = false;
    reception.take(packet, nowMs);
    const end = payloadEnd(packet, start);
    if (kind === Kind.event) keysIn.take(packet, start, end, nowMs);
    else if (taps.size > 0) for (const tap of taps) tap(packet, start, end, kind, nowMs);
    session.peer?.relay(packet, start, end, kind, nowMs);
  }

  /** Cheaper for every packet after it: 60,000 a second take a third less of the processor. */
  function connect({ port, address }: { port: number; address: string }): void {
    try {
      socket.connect(port, address);
      // Throws unless it is connected; an address that cannot be reached is told by an event.
      socket.remoteAddress();
      connected = true;
    } catch {
      connected = false;
    }
  }

  function disconnect(): void {
    if (connected) socket.disconnect();
    connected = false;
  }

  function send(clear: Buffer): void {
    lastSentMs = nowMs;
    const packet = sealer ? sealer.seal(clear) : clear;
    if (packet === undefined) return;
    if (connected) return void socket.send(packet);
    const { to } = latch!;
    if (to) socket.send(packet, to.port, to.address);
  }

  /** A key that stays keeps its counters: the streams go on. */
  function setKeys(keys: Remote['srtp']): void {
    const before = remote?.srtp;
    const isSame = keys?.suite === before?.suite;
    if (!isSame || keys?.send !== before?.send) sealer = keys && makeSealer(keys.suite, keys.send);
    if (!isSame || keys?.receive !== before?.receive) opener = keys && makeOpener(keys.suite, keys.receive);
  }

  /** What is due while nobody can hear it is left out; the pause is in the timestamps. */
  function canSend(now: number): boolean {
    nowMs = now;
    if (closed || held || latch?.to === undefined) {
      fresh = true;
      return false;
    }
    if (fresh) outgoing.resume(now);
    return true;
  }

  function say(packet: Buffer, now: number): void {
    if (!canSend(now)) return;
    if (ownKind === Kind.alaw) translate(packet, headLength, packet.length, ulawToAlaw);
    outgoing.stampOwn(packet, payloadType | (fresh ? marker : 0));
    fresh = false;
    send(packet);
  }

  function press(packet: Buffer, mark: number, now: number): void {
    if (mark) fresh = true;
    if (!canSend(now) || remote!.dtmfType === null) return;
    outgoing.stampEvent(packet, remote!.dtmfType | mark, mark !== 0);
    fresh = false;
    send(packet);
  }

  function saySilence(now: number): void {
    fresh = true;
    say(Buffer.alloc(headLength + frameSamples, ulawSilence), now);
    fresh = true;
  }

  function endCurrent(): void {
    current?.end();
    current = undefined;
    fresh = true;
  }

  const session: Session = {
    id,
    isSix,
    taps,
    onKey: listeners,
    onClose: new Set(),
    peer: undefined,
    get remote() {
      return remote;
    },
    setRemote(described) {
      // How holds were told before there were directions (RFC 3264, 8.4): no place to send to, and none to forget the old one for.
      const isNowhere = described.address === '0.0.0.0' || described.address === '::';
      if (isNowhere && remote === undefined) return;
      const given = isNowhere ? { ...described, ...placeOf(remote!) } : described;
      const isElsewhere =
        given.address !== remote?.address ||
        given.port !== remote.port ||
        given.sources?.join() !== remote.sources?.join();
      setKeys(given.srtp);
      remote = given;
      ownKind = given.codec === 'PCMA' ? Kind.alaw : Kind.ulaw;
      payloadType = given.payloadType ?? (ownKind === Kind.alaw ? 8 : 0);
      kinds.fill(Kind.unknown);
      // Whoever was offered both may send either.
      kinds[0] = Kind.ulaw;
      kinds[8] = Kind.alaw;
      kinds[payloadType] = ownKind;
      for (const type of [given.dtmfType, given.ownDtmfType]) if (type != null) kinds[type] = Kind.event;
      if (!isElsewhere) return;
      disconnect();
      const { sources = [given.address], isHeardFirst = false } = given;
      latch = makeLatch({ expected: isHeardFirst ? undefined : given, sources });
      nowMs = performance.now();
      lastHeardMs = nowMs;
      // A peer that waits for us to learn where we are, and every NAT between us, has something to go by.
      if (!current) saySilence(nowMs);
    },
    hold(next) {
      held = next;
      lastHeardMs = performance.now();
      outgoing.cut();
    },
    perform(make) {
      endCurrent();
      const mine: Performance = make({ say, press });
      current = mine;
      metronome.add({
        next(now) {
          if (current !== mine) return false;
          if (mine.next(now)) return true;
          if (current === mine) current = undefined;
          return false;
        },
      });
    },
    relay(packet, start, end, kind, now) {
      if (remote === undefined || latch?.to === undefined || held || closed || current) return;
      nowMs = now;
      let type = payloadType;
      if (kind === Kind.event) {
        if (remote.dtmfType === null) {
          outgoing.skipRelayed();
          return;
        }
        type = remote.dtmfType;
      } else if (kind !== ownKind) translate(packet, start, end, kind === Kind.alaw ? alawToUlaw : ulawToAlaw);
      const at = start - headLength;
      if (!outgoing.stampRelayed(packet, at, type, kind === Kind.event ? 0 : end - start, now)) return;
      fresh = true;
      send(at === 0 && end === packet.length ? packet : packet.subarray(at, end));
    },
    cut: () => outgoing.cut(),
    watch(ms) {
      silentMs = ms;
      lastHeardMs = performance.now();
      toldSilent = false;
    },
    review(now) {
      keysIn.review(now);
      if (held || remote === undefined) return;
      const quietMs = now - lastHeardMs;
      if (connected && quietMs > doubtMs) {
        disconnect();
        latch!.doubt();
      }
      if (!current && latch!.to && now - lastSentMs > keepAliveMs) saySilence(now);
      if (silentMs > 0 && quietMs > silentMs && !toldSilent) {
        toldSilent = true;
        onSilent();
      }
    },
    stats: () => ({
      received: reception.received,
      lost: reception.lost,
      jitterMs: reception.jitterMs,
      sent: outgoing.sent,
      strangers,
      invalid,
      unauthentic,
      refused,
      heardFrom: (latch?.settled && latch.to) || null,
    }),
    close() {
      if (closed) return;
      closed = true;
      endCurrent();
      for (const listener of session.onClose) listener();
      socket.close();
    },
  };
  return session;
}

const placeOf = ({ address, port, sources, isHeardFirst }: Remote): Pick<Remote, 'address' | 'port'> => ({
  address,
  port,
  ...(sources && { sources }),
  ...(isHeardFirst && { isHeardFirst }),
});

function translate(packet: Buffer, start: number, end: number, table: Uint8Array): void {
  for (let n = start; n < end; n++) packet[n] = table[packet[n]!]!;
}
