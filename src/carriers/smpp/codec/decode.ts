import { MalformedPdu } from './errors.ts';
import { headerLength, type Layout, layoutOfId, type Pdu, responseBit } from './pdu.ts';
import { readTlvs } from './tlvs.ts';

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
