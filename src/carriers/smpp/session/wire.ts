import type { Socket } from 'node:net';
import { BadLength, decode, encode, MalformedPdu, makePdu, makeSplitter, type Pdu, Status } from '../codec/index.ts';

/** What goes out, and whether it did. */
export interface Parcel {
  octets: Buffer;
  /** Set when it is handed to the operating system: from then on the other side may have it. */
  sent: boolean;
}

/** PDUs over a connection. */
export interface Wire {
  /** Everything of one turn of the event loop leaves in one write; nothing leaves while the other side does not read. */
  send(octets: Buffer): Parcel;
  /** Sends what is left and closes. */
  end(): void;
  destroy(): void;
}

export interface WireEvents {
  onPdu(pdu: Pdu): void;
  onMalformed(error: MalformedPdu): void;
  /** Once, with the reason where there is one. */
  onClosed(reason: Error | undefined): void;
}

/** Answers to a peer that asks without reading would pile up without end. */
const mostWaiting = 8 * 1024 * 1024;
/** How long the other side may take to close after us. */
const lingerMs = 2_000;

export function makeWire(socket: Socket, { onPdu, onMalformed, onClosed }: WireEvents): Wire {
  const splitter = makeSplitter();
  let parcels: Parcel[] = [];
  let waiting = 0;
  let scheduled = false;
  let blocked = false;
  let ending = false;
  let reason: Error | undefined;

  function flush(): void {
    scheduled = false;
    if (blocked || parcels.length === 0 || !socket.writable) return;
    const leaving = parcels;
    parcels = [];
    waiting = 0;
    for (const parcel of leaving) parcel.sent = true;
    const octets = leaving.length === 1 ? leaving[0]!.octets : Buffer.concat(leaving.map(({ octets }) => octets));
    blocked = !socket.write(octets);
  }

  function send(octets: Buffer): Parcel {
    const parcel = { octets, sent: false };
    parcels.push(parcel);
    waiting += octets.length;
    if (waiting > mostWaiting) socket.destroy(new Error('The other side does not read.'));
    else if (!scheduled && !blocked) {
      scheduled = true;
      // After all that is ready to be read was read: so what it causes leaves together.
      setImmediate(flush);
    }
    return parcel;
  }

  function end(): void {
    if (ending) return;
    ending = true;
    flush();
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  function read(frame: Buffer): void {
    const pdu = decoded(frame);
    if (pdu instanceof MalformedPdu) onMalformed(pdu);
    else onPdu(pdu);
  }

  socket.on('data', (piece: Buffer) => {
    for (const found of splitter.push(piece)) {
      if (reason || socket.destroyed) return;
      if (!(found instanceof BadLength)) {
        read(found);
        continue;
      }
      reason = found;
      send(encode(makePdu('generic_nack', { status: Status.RINVCMDLEN })));
      end();
    }
  });
  socket.on('drain', () => {
    blocked = false;
    flush();
  });
  socket.on('error', (error) => {
    reason ??= error;
  });
  socket.once('close', () => onClosed(reason));
  return { send, end, destroy: () => socket.destroy() };
}

function decoded(frame: Buffer): Pdu | MalformedPdu {
  try {
    return decode(frame);
  } catch (error) {
    if (error instanceof MalformedPdu) return error;
    throw error;
  }
}
