import { alphabet, countSeptets, escapeSeptet, extended, extension, septets } from '../sms-text/index.ts';

/** One septet per byte, as SMPP carries data_coding 0; undefined when the alphabet does not have a character. */
export function encodeGsm7(text: string): Buffer | undefined {
  const count = countSeptets(text);
  if (count === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(count);
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const septet = septets[text.charCodeAt(index)]!;
    if (septet >= extended) bytes[at++] = escapeSeptet;
    bytes[at++] = septet & 0x7f;
  }
  return bytes;
}

/**
 * What the bytes say, whatever they are. As TS 23.038 asks: an escape before a place that the extension table leaves empty is
 * skipped, one with nothing to escape is a space. A byte that is no septet comes from a peer that means Latin-1.
 */
export function decodeGsm7(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte > 0x7f) text += String.fromCharCode(byte);
    else if (byte !== escapeSeptet) text += alphabet[byte]!;
    else if (index + 1 === bytes.length) text += ' ';
    else text += decodeEscaped(bytes[++index]!);
  }
  return text;
}

function decodeEscaped(byte: number): string {
  if (byte === escapeSeptet) return ' ';
  return extension.get(byte) ?? alphabet[byte] ?? String.fromCharCode(byte);
}

// Septets as they travel over the air, eight in seven octets, the lowest bit first: 3GPP TS 23.038 section 6.1.2.1.

/** How many bits follow a header of so many octets before the first septet: text starts at a whole septet (TS 23.040, 9.2.3.24). */
export const fillBitsAfter = (headerOctets: number): number => (7 - ((headerOctets * 8) % 7)) % 7;

export function packSeptets(septets: Uint8Array, fillBits = 0): Buffer {
  const octets = Buffer.alloc(Math.ceil((fillBits + septets.length * 7) / 8));
  let bit = fillBits;
  for (const septet of septets) {
    const at = bit >> 3;
    const shifted = (septet & 0x7f) << (bit & 7);
    octets[at]! |= shifted & 0xff;
    if (shifted > 0xff) octets[at + 1]! |= shifted >> 8;
    bit += 7;
  }
  return octets;
}

/**
 * The other way round. Seven spare bits at the end look like one more septet, an @: who knows how many there are says so, as
 * the length of a message over the air does.
 */
export function unpackSeptets(octets: Uint8Array, fillBits = 0, count = Number.POSITIVE_INFINITY): Buffer {
  const fitting = Math.max(0, Math.floor((octets.length * 8 - fillBits) / 7));
  const septets = Buffer.allocUnsafe(Math.min(count, fitting));
  for (let index = 0; index < septets.length; index++) {
    const bit = fillBits + index * 7;
    const at = bit >> 3;
    septets[index] = ((octets[at]! | ((octets[at + 1] ?? 0) << 8)) >> (bit & 7)) & 0x7f;
  }
  return septets;
}
