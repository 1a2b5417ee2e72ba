import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's side of a WebSocket (RFC 6455), as much of it as a test needs: text goes out, nothing but the end comes in. */
export interface TextSocket {
  send(text: string): void;
  /** Without a goodbye. */
  destroy(): void;
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export function acceptWebSocket(request: IncomingMessage, socket: Duplex, onClosed: () => void): TextSocket {
  const key = `${request.headers['sec-websocket-key']}${magic}`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on('data', (frame: Buffer) => {
    const isClose = (frame[0]! & 0x0f) === 8;
    if (isClose) socket.end(Buffer.from([0x88, 0]));
  });
  socket.on('error', () => {});
  socket.on('close', onClosed);
  return {
    send(text) {
      if (!socket.destroyed) socket.write(textFrame(Buffer.from(text)));
    },
    destroy: () => void socket.destroy(),
  };
}

/** 5.2: one final frame of text, without a mask. */
function textFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.from([0x81, length]) : Buffer.from([0x81, 126, length >> 8, length & 0xff]);
  return Buffer.concat([head, payload]);
}
