import { headerLength, type Layout, layoutOfId, type Pdu, responseBit } from './pdu.ts';
import { readTlvs } from './tlvs.ts';

/** A PDU of the right length whose inside makes no sense. The stream behind it is intact. */
export class MalformedPdu extends Error {
  override name = 'MalformedPdu';
  readonly commandId: number;
  readonly sequence: number;

  constructor(commandId: number, sequence: number, reason: string) {
    super(`Command 0x${commandId.toString(16).padStart(8, '0')}: ${reason}`);
    this.commandId = commandId;
    this.sequence = sequence;
  }
}

/** Longer than every size of the specification, as some peers are; beyond this it is no string. */
const longestString = 255;

/** Reads one whole PDU, header included. Throws `MalformedPdu`. */
export function decode(buffer: Buffer): Pdu {
  if (buffer.length < headerLength) throw new MalformedPdu(0, 0, 'the header is incomplete');
  const id = buffer.readUInt32BE(4);
  const status = buffer.readUInt32BE(8);
  const sequence = buffer.readUInt32BE(12);
  const layout = layoutOfId(id);
  if (!layout) {
    return { command: 'unknown', command_id: id, status, sequence, body: buffer.subarray(headerLength) };
  }
  const pdu = { ...layout.blank, status, sequence };
  // A refusal often comes without a body, and some answers that should have one do, too.
  if (buffer.length === headerLength && id >= responseBit) return pdu;
  const end = readFields(buffer, layout, pdu as unknown as Record<string, unknown>, sequence);
  if (end < buffer.length) {
    const tlvs = readTlvs(buffer, end);
    if (typeof tlvs === 'string') throw new MalformedPdu(id, sequence, tlvs);
    pdu.tlvs = tlvs;
  }
  return pdu;
}

function readFields(buffer: Buffer, layout: Layout, pdu: Record<string, unknown>, sequence: number): number {
  const { length } = buffer;
  const fail = (name: string): never => {
    throw new MalformedPdu(layout.id, sequence, `ends within ${name}`);
  };
  let offset = headerLength;
  for (const { kind, name } of layout.fields) {
    if (offset >= length) fail(name);
    if (kind === 'u8') {
      pdu[name] = buffer[offset++];
    } else if (kind === 'octets') {
      const end = offset + 1 + buffer[offset]!;
      if (end > length) fail(name);
      pdu[name] = buffer.subarray(offset + 1, end);
      offset = end;
    } else {
      const end = endOfString(buffer, offset);
      if (end < 0) fail(name);
      if (end > offset) pdu[name] = buffer.toString('latin1', offset, end);
      offset = end + 1;
    }
  }
  return offset;
}

/** Where its NUL is, or -1. */
function endOfString(buffer: Buffer, start: number): number {
  const limit = Math.min(buffer.length, start + longestString + 1);
  for (let at = start; at < limit; at++) if (buffer[at] === 0) return at;
  return -1;
}

/** A length that cannot be: where the next PDU begins is unknown from here on. */
export class BadLength extends Error {
  override name = 'BadLength';
  readonly length: number;

  constructor(length: number) {
    super(`A PDU claims a length of ${length} octets.`);
    this.length = length;
  }
}

/**
 * The largest message_payload has 65,535 octets, and the fields and other parameters beside it need room, so 64 KiB would refuse
 * PDUs that 5.0 allows. Twice that holds them all, and is what one peer can make us keep.
 */
export const longestPdu = 128 * 1024;

/** Cuts a stream into PDUs, whatever the pieces it arrives in. */
export interface Splitter {
  /** The PDUs that end in this piece, header included. Ends with a `BadLength` where the stream cannot be followed any more. */
  push(piece: Buffer): (Buffer | BadLength)[];
}

export function makeSplitter(longest = longestPdu): Splitter {
  // What has come of an unfinished PDU. Joined once, when all of it is there: a peer that sends octet by octet costs no more.
  let pieces: Buffer[] = [];
  let kept = 0;
  let needed = 4;
  let broken = false;

  function keep(piece: Buffer): void {
    pieces.push(piece);
    kept += piece.length;
  }
  function join(): Buffer {
    const joined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, kept);
    pieces = [];
    kept = 0;
    needed = 4;
    return joined;
  }

  return {
    push(piece) {
      if (broken || piece.length === 0) return [];
      keep(piece);
      if (kept < needed) return [];
      const found: (Buffer | BadLength)[] = [];
      const data = join();
      let offset = 0;
      while (data.length - offset >= 4) {
        const length = data.readUInt32BE(offset);
        if (length < headerLength || length > longest) {
          broken = true;
          found.push(new BadLength(length));
          return found;
        }
        if (data.length - offset < length) {
          needed = length;
          break;
        }
        found.push(data.subarray(offset, offset + length));
        offset += length;
      }
      if (offset < data.length) keep(offset === 0 ? data : data.subarray(offset));
      return found;
    },
  };
}
