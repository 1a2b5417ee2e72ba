import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { decode, encode, makePdu, makeSplitter, type Pdu } from '../../../src/carriers/smpp/codec/index.ts';
import { openSession } from '../../../src/carriers/smpp/session/connect.ts';
import type { Session, SessionOptions, Timing } from '../../../src/carriers/smpp/session/session.ts';
import { until } from '../until.ts';

/** Time that stands still until it is moved. */
export interface ManualTiming extends Timing {
  advance(ms: number): void;
}

export function makeManualTiming(startMs = 1_790_000_000_000): ManualTiming {
  let nowMs = startMs;
  let timers: { dueMs: number; run(): void }[] = [];
  return {
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { dueMs: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        const next = timers.toSorted((a, b) => a.dueMs - b.dueMs).find(({ dueMs }) => dueMs <= untilMs);
        if (!next) break;
        timers = timers.filter((other) => other !== next);
        nowMs = Math.max(nowMs, next.dueMs);
        next.run();
      }
      nowMs = untilMs;
    },
  };
}

/** A peer that does only what the test tells it. */
export interface RawPeer {
  port: number;
  /** The PDUs that came, on all connections. */
  heard: Pdu[];
  sockets: net.Socket[];
  /** Waits for the nth PDU of a command, counted from 1. */
  hears<C extends Pdu['command']>(command: C, nth?: number): Promise<Extract<Pdu, { command: C }>>;
  send(...pdus: Pdu[]): void;
  sendRaw(octets: Buffer): void;
  close(): Promise<void>;
}

/** Answers binds when asked to, and nothing else. */
export async function startRawPeer({ answersBind = true } = {}): Promise<RawPeer> {
  const heard: Pdu[] = [];
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    const splitter = makeSplitter();
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      for (const frame of splitter.push(piece)) {
        if (!Buffer.isBuffer(frame)) throw frame;
        const pdu = decode(frame);
        heard.push(pdu);
        if (answersBind && pdu.command === 'bind_transceiver')
          socket.write(encode(makePdu('bind_transceiver_resp', { sequence: pdu.sequence, system_id: 'raw' })));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sendRaw = (octets: Buffer): void => void sockets.at(-1)!.write(octets);
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    sockets,
    async hears(command, nth = 1) {
      const found = () => heard.filter((pdu) => pdu.command === command)[nth - 1];
      await until(`${command} no. ${nth}`, () => found() !== undefined);
      return found() as never;
    },
    send: (...pdus) => sendRaw(Buffer.concat(pdus.map(encode))),
    sendRaw,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A session of ours, a peer that does what the test tells it, and time that stands still. */
export interface SessionStage {
  peer: RawPeer;
  timing: ManualTiming;
  open(options?: Partial<SessionOptions>): Promise<Session>;
  close(): Promise<void>;
}

export async function startSessionStage(): Promise<SessionStage> {
  const peer = await startRawPeer();
  const timing = makeManualTiming();
  const sessions: Session[] = [];
  const to = { host: '127.0.0.1', port: peer.port, systemId: 'parley', password: 'secret' };
  return {
    peer,
    timing,
    async open(options) {
      const handles = ['deliver_sm', 'data_sm'] as const;
      const given = { timing, handles, handle: async () => undefined, ...options };
      const session = await openSession(to, 'transceiver', given);
      sessions.push(session);
      return session;
    },
    async close() {
      for (const session of sessions) session.destroy('The test is over.');
      await peer.close();
    },
  };
}

export const submit = (session: Session, text = 'hi') =>
  session.request('submit_sm', { destination_addr: '34600111222', short_message: Buffer.from(text) });

export const answerTo = ({ sequence }: { sequence: number }, id: string) =>
  makePdu('submit_sm_resp', { sequence, message_id: id });

/** A key and a certificate for `smsc.test`, made for tests; it ends in a hundred years. */
export const testTls = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPChYwyh1DiACeuT6
95X9/EG6KvcZEuLKpjE3cU5eK2GhRANCAASDE+xw/PiizwVoqprUqx6Cq3XYMiTV
L+Y9FXhxOwK1eT27XlCOLHm/JYofJk92Mr1IlOupeyFuMLcBsPtzpfbB
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUZRYtxyxz1jC+m1B+SSZl93CSjiowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc21zYy50ZXN0MCAXDTI2MTExNTA2MzEzM1oYDzIxMjYxMDIy
MDYzMTMzWjAUMRIwEAYDVQQDDAlzbXNjLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASDE+xw/PiizwVoqprUqx6Cq3XYMiTVL+Y9FXhxOwK1eT27XlCOLHm/
JYofJk92Mr1IlOupeyFuMLcBsPtzpfbBo2kwZzAdBgNVHQ4EFgQUkIwpo8806uEP
1GecMvmV40g70wYwHwYDVR0jBBgwFoAUkIwpo8806uEP1GecMvmV40g70wYwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglzbXNjLnRlc3QwCgYIKoZIzj0EAwID
SAAwRQIhAKArurOgwNvDZ1poSDptbK/nn30O23LrKqjRYOupko0xAiBEGGkCOAy2
0tPf5YMARqh64T6QVZolL7sV+pc02KUJqQ==
-----END CERTIFICATE-----`,
};
