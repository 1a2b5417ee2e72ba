// Requests as no browser would send them.
import http from 'node:http';
import net from 'node:net';

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
