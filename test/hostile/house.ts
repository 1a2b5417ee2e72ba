// The real program as a process of its own, on a database that the test can look into, and spoken to over real sockets.
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createTestDatabase } from '../kit/database.ts';
import { type Parley, startParley } from '../kit/parley-process.ts';

export interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape and assert what they find
  body: any;
}

export interface Asking {
  token?: string | null;
  headers?: http.OutgoingHttpHeaders;
  /** Sent as it is; anything but a Buffer is sent as JSON. */
  body?: unknown;
}

export interface House {
  url: string;
  port: number;
  token: string;
  parley: Parley;
  ask(method: string, path: string, options?: Asking): Promise<Answered>;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(text: string, values?: unknown[]): Promise<any[]>;
  close(): Promise<void>;
}

const token = 'a-token-for-hostile-tests';

export async function startHouse(env: Record<string, string> = {}): Promise<House> {
  const database = await createTestDatabase();
  const parent = await mkdtemp(path.join(os.tmpdir(), 'parley-hostile-'));
  const { host, port, user, password, database: name } = database.connection;
  const parley = startParley(path.join(parent, 'data'), {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    BOOTSTRAP_TOKEN: token,
    SECRET_KEY: 'a key for hostile tests',
    ...env,
  });
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  const close = async (): Promise<void> => {
    parley.signal('SIGKILL');
    await parley.ended;
    await pool.end();
    await database.drop();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = new URL(await parley.ready());
    return {
      url: address.origin,
      port: Number(address.port),
      token,
      parley,
      ask: (method, path, options = {}) => ask(address, method, path, { token, ...options }),
      query: async (text, values) => (await pool.query(text, values)).rows,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One request on a connection of its own, with headers that a browser's `fetch` would not send. */
export function ask(to: URL, method: string, path: string, { token, headers, body }: Asking): Promise<Answered> {
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  const payload = isJson ? JSON.stringify(body) : (body as Buffer | undefined);
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: to.hostname,
      port: to.port,
      method,
      path,
      agent: false,
      headers: {
        ...(token && { authorization: `Token ${token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString();
        const hasJson = String(response.headers['content-type']).includes('json') && text !== '';
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text, body: hasJson ? JSON.parse(text) : text });
      } catch (error) {
        reject(error);
      }
    });
    request.end(payload);
  });
}

/** Sends octets as they are and gives all that comes back until the server closes the connection. */
export function sendRaw(port: number, octets: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let heard = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text;
    });
    // A server that closes while we still send may reset the connection; what it said before counts.
    socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)));
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(heard));
    socket.write(octets);
  });
}

/** An answer that came as octets, in its parts. */
export function parseRaw(raw: string): Answered {
  const [head = '', text = ''] = raw.split(/\r\n\r\n(.*)/s);
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(':', 1)[0]!.toLowerCase(), field.replace(/^[^:]*:\s*/, '')]),
  );
  const isJson = String(headers['content-type']).includes('json');
  return { status: Number(line.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : text };
}
