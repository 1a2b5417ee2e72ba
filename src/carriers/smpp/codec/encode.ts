import { headerLength, type KnownPdu, type Layout, layoutOf, type Pdu } from './pdu.ts';
import { FieldError, lengthOfCstring, lengthOfTlvs, writeCstring, writeTlvs } from './tlvs.ts';

/** 3.4 says 254; 5.0 allows one more, which an older centre would refuse. */
const longestShortMessage = 254;
/** A `time` and its NUL. */
const timeLength = 17;

type Values = Record<string, number | string | Buffer>;

/** The octets of a PDU, in a buffer of exactly their number. Throws `FieldError`. */
export function encode(pdu: Pdu): Buffer {
  if (pdu.command === 'unknown') return encodeUnknown(pdu);
  const layout = layoutOf(pdu.command);
  const values = pdu as unknown as Values;
  if (leavesOutBody(layout, pdu, values)) return header(headerLength, layout.id, pdu);
  const length = headerLength + lengthOfFields(layout, values) + lengthOfTlvs(pdu.tlvs);
  const buffer = header(length, layout.id, pdu);
  writeTlvs(buffer, writeFields(buffer, layout, values), pdu.tlvs);
  return buffer;
}

function encodeUnknown(pdu: Pdu & { command: 'unknown' }): Buffer {
  const buffer = header(headerLength + pdu.body.length, pdu.command_id, pdu);
  pdu.body.copy(buffer, headerLength);
  return buffer;
}

function header(length: number, id: number, { status, sequence }: Pdu): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  buffer.writeUInt32BE(length, 0);
  buffer.writeUInt32BE(id, 4);
  buffer.writeUInt32BE(status, 8);
  buffer.writeUInt32BE(sequence, 12);
  return buffer;
}

/** The body of these is "not returned if the command_status field contains a non-zero value" (4.1, 4.4.2, 4.7.2). */
const bodiless = new Set([
  'bind_receiver_resp',
  'bind_transmitter_resp',
  'bind_transceiver_resp',
  'submit_sm_resp',
  'data_sm_resp',
]);

function leavesOutBody({ command, fields }: Layout, { status, tlvs }: KnownPdu, values: Values): boolean {
  if (status === 0 || !bodiless.has(command)) return false;
  return Object.keys(tlvs).length === 0 && fields.every(({ name }) => values[name] === '');
}

function lengthOfFields({ fields }: Layout, values: Values): number {
  let length = 0;
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined) throw new FieldError(field.name, 'is missing.');
    if (field.kind === 'u8') {
      if (!isOctet(value)) throw new FieldError(field.name, `${value} is not a number of one octet.`);
      length += 1;
    } else if (field.kind === 'octets') {
      const octets = (value as Buffer).length;
      if (octets > longestShortMessage)
        throw new FieldError(field.name, `has ${octets} octets; at most ${longestShortMessage} fit.`);
      length += 1 + octets;
    } else if (field.kind === 'time') {
      length += lengthOfTime(field.name, value as string);
    } else {
      length += lengthOfCstring(field.name, value as string, field.size);
    }
  }
  return length;
}

const isOctet = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;

function lengthOfTime(name: string, value: string): number {
  const length = lengthOfCstring(name, value, timeLength);
  if (length !== 1 && length !== timeLength) throw new FieldError(name, 'must be empty or have 16 characters.');
  return length;
}

function writeFields(buffer: Buffer, { fields }: Layout, values: Values): number {
  let offset = headerLength;
  for (const { kind, name } of fields) {
    const value = values[name]!;
    if (kind === 'u8') {
      buffer[offset++] = value as number;
    } else if (kind === 'octets') {
      buffer[offset++] = (value as Buffer).length;
      offset += (value as Buffer).copy(buffer, offset);
    } else {
      offset = writeCstring(buffer, offset, value as string);
    }
  }
  return offset;
}
