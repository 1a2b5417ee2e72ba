/** The RTP header (RFC 3550, 5.1), read and written in place: an object for each packet would be the larger part of the work. */

export const frameMs = 20;
/** Samples of a frame: as many octets in G.711, and as much of the timestamp. */
export const frameSamples = 160;
export const headLength = 12;
export const marker = 0x80;

/** Where the payload begins; −1 when this is no RTP. */
export function payloadStart(packet: Uint8Array): number {
  const first = packet[0]!;
  if (packet.length < headLength) return -1;
  if (first === 0x80) return headLength;
  if (first >> 6 !== 2) return -1;
  let start = headLength + (first & 15) * 4;
  if (first & 0x10) {
    if (packet.length < start + 4) return -1;
    start += 4 + 4 * ((packet[start + 2]! << 8) | packet[start + 3]!);
  }
  return start <= packet.length ? start : -1;
}

/** Where it ends: what was padded is left off. Not before `start`. */
export const payloadEnd = (packet: Uint8Array, start: number): number =>
  packet[0]! & 0x20 ? Math.max(start, packet.length - packet[packet.length - 1]!) : packet.length;

export const typeOf = (packet: Uint8Array): number => packet[1]! & 0x7f;
export const sequenceOf = (packet: Uint8Array): number => (packet[2]! << 8) | packet[3]!;
export const timestampOf = (packet: Uint8Array): number => read32(packet, 4);
export const sourceOf = (packet: Uint8Array): number => read32(packet, 8);

/** By how much one 16-bit sequence number is ahead of another. */
export const ahead16 = (one: number, other: number): number => ((one - other) << 16) >> 16;
/** The same of 32-bit timestamps. */
export const ahead32 = (one: number, other: number): number => (one - other) | 0;

function read32(packet: Uint8Array, at: number): number {
  return ((packet[at]! << 24) | (packet[at + 1]! << 16) | (packet[at + 2]! << 8) | packet[at + 3]!) >>> 0;
}

function write32(packet: Uint8Array, at: number, value: number): void {
  packet[at] = value >>> 24;
  packet[at + 1] = value >>> 16;
  packet[at + 2] = value >>> 8;
  packet[at + 3] = value;
}

/** A header of twelve octets, without what is optional. */
export function writeHead(
  packet: Uint8Array,
  at: number,
  typeAndMarker: number,
  sequence: number,
  timestamp: number,
  source: number,
): void {
  packet[at] = 0x80;
  packet[at + 1] = typeAndMarker;
  packet[at + 2] = sequence >> 8;
  packet[at + 3] = sequence;
  write32(packet, at + 4, timestamp);
  write32(packet, at + 8, source);
}
