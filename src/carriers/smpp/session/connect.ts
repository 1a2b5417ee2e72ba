import net from 'node:net';
import tls from 'node:tls';
import { certificateProblem } from '../../../platform/tls/shown-certificate.ts';
import { BindRefused } from '../errors.ts';
import { makeSession, type Session, type SessionOptions } from './session.ts';

export type BindMode = 'transceiver' | 'transmitter' | 'receiver';

/** Where a centre is and who we are there. */
export interface Peer {
  host: string;
  port: number;
  /**
   * Present: the connection is encrypted. `ca` is PEM, for a centre whose certificate is not signed by a public authority; `cert` and `key` are ours,
   * for one that asks.
   */
  tls?: { servername?: string; ca?: string; rejectUnauthorized?: boolean; cert?: string; key?: string };
  systemId: string;
  password: string;
  systemType?: string;
  /** 0x34 unless named. */
  interfaceVersion?: number;
  /** Which addresses a receiver wants to hear of; nothing: what the centre has on file. */
  addressRange?: { ton: number; npi: number; range: string };
  connectTimeoutMs?: number;
  bindTimeoutMs?: number;
}

const patienceMs = 10_000;

/** Connects and binds. Throws `BindRefused`, `TimedOut`, `Closed` and the socket's errors; then nothing is left open. */
export async function openSession(
  peer: Peer,
  mode: BindMode,
  options: SessionOptions,
  signal?: AbortSignal,
): Promise<Session> {
  const socket = await openSocket(peer, signal);
  const session = makeSession(socket, options);
  const abort = () => session.destroy('The link is stopping.');
  signal?.addEventListener('abort', abort);
  try {
    await bind(session, peer, mode);
    return session;
  } catch (error) {
    session.destroy((error as Error).message);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function bind(session: Session, peer: Peer, mode: BindMode): Promise<void> {
  const { addressRange, bindTimeoutMs = patienceMs } = peer;
  const { status } = await session.request(
    `bind_${mode}`,
    {
      system_id: peer.systemId,
      password: peer.password,
      system_type: peer.systemType ?? '',
      interface_version: peer.interfaceVersion ?? 0x34,
      addr_ton: addressRange?.ton ?? 0,
      addr_npi: addressRange?.npi ?? 0,
      address_range: addressRange?.range ?? '',
    },
    { timeoutMs: bindTimeoutMs },
  );
  if (status !== 0) throw new BindRefused(status);
}

function openSocket(peer: Peer, signal: AbortSignal | undefined): Promise<net.Socket> {
  const { host, port, tls: secure, connectTimeoutMs = patienceMs } = peer;
  const socket = secure
    ? tls.connect({ host, port, ...nameOf(host), ...secure })
    : net.connect({ host, port, keepAlive: true });
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      socket.off('close', closed);
      socket.off('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      socket.on('error', () => {});
      socket.destroy();
      reject(secure ? certificateProblem(error) : error);
    };
    const closed = () => fail(new Error('The connection was closed.'));
    const abort = () => fail(new Error('The link is stopping.'));
    const timer = setTimeout(() => fail(new Error(`No connection within ${connectTimeoutMs} ms.`)), connectTimeoutMs);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    socket.on('error', fail);
    socket.on('close', closed);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
  });
}

/** An address cannot be asked for by name. */
const nameOf = (host: string): { servername?: string } => (net.isIP(host) ? {} : { servername: host });
